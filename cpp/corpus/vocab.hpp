// Word <-> dense id, in order of first appearance. Words are any bytes without white space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace demotic {

using WordId = std::uint32_t;

// A vocabulary that lies elsewhere, such as in a mapped file, and is looked up in place.
class VocabView {
 public:
  VocabView() = default;
  // The arrays of a Vocab (see there). Throws Error if they do not fit together; look-ups are then
  // safe whatever they hold.
  VocabView(std::span<const char> text, std::span<const std::uint64_t> starts,
            std::span<const WordId> table);

  std::optional<WordId> find(std::string_view word) const;
  std::string_view word(WordId id) const;  // throws Error when id >= size()
  std::size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::span<const char> text() const { return text_; }
  std::span<const std::uint64_t> starts() const { return starts_; }
  std::span<const WordId> table() const { return table_; }

 private:
  friend class Vocab;
  struct Unchecked {};
  VocabView(std::span<const char> text, std::span<const std::uint64_t> starts,
            std::span<const WordId> table, Unchecked)
      : text_(text), starts_(starts), table_(table) {}
  std::size_t slot_of(
      std::string_view word) const;  // its slot in table_, or the empty one where it belongs

  std::span<const char> text_;
  std::span<const std::uint64_t> starts_;
  std::span<const WordId> table_;
};

class Vocab {
 public:
  Vocab();

  WordId add(std::string_view word);  // the word's id, new or old
  std::optional<WordId> find(std::string_view word) const;
  std::string_view word(WordId id) const;  // throws Error when id >= size()
  std::size_t size() const { return starts_.size() - 1; }

  // As arrays: the bytes of all words one after the other, where each begins (size() + 1 values),
  // and the hash table.
  std::span<const char> text() const { return text_; }
  std::span<const std::uint64_t> starts() const { return starts_; }
  std::span<const WordId> table() const { return table_; }
  // Valid until the next add.
  VocabView view() const { return {text_, starts_, table_, VocabView::Unchecked{}}; }
  // Rebuilds from text and starts; throws Error if they do not fit together or a word comes twice.
  static Vocab from_arrays(std::span<const char> text, std::span<const std::uint64_t> starts);

 private:
  void grow();

  std::vector<char> text_;
  std::vector<std::uint64_t> starts_;
  std::vector<WordId> table_;  // open addressing, linear probing; a power of two, at most half full
};

}  // namespace demotic
