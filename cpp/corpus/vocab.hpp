// Word <-> dense id, in order of first appearance. Words are any bytes without white space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace demotic {

using WordId = std::uint32_t;

class Vocab {
 public:
  Vocab();

  WordId add(std::string_view word);  // the word's id, new or old
  std::optional<WordId> find(std::string_view word) const;
  std::string_view word(WordId id) const;  // throws Error when id >= size()
  std::size_t size() const { return starts_.size() - 1; }

  // As two arrays: the bytes of all words one after the other, and where each begins (size() + 1 values).
  std::span<const char> text() const { return text_; }
  std::span<const std::uint64_t> starts() const { return starts_; }
  // Rebuilds from such arrays; throws Error if they do not fit together or a word comes twice.
  static Vocab from_arrays(std::span<const char> text, std::span<const std::uint64_t> starts);

 private:
  std::size_t slot_of(std::string_view word) const;  // its slot in table_, or the empty one where it belongs
  void grow();

  std::vector<char> text_;
  std::vector<std::uint64_t> starts_;
  std::vector<WordId> table_;  // open addressing, linear probing; a power of two, at most half full
};

}  // namespace demotic
