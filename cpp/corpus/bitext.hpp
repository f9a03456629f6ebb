// A sentence-aligned, optionally word-aligned corpus as flat arrays of ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/section_file.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

struct Link {  // source word, target word; 0-based positions in the sentence
  std::uint16_t source, target;
  auto operator<=>(const Link&) const = default;
};

// A list of lists, stored as one array and the place where each list begins (size() + 1 values).
template <class T>
struct Ragged {
  std::span<const T> values;
  std::span<const std::uint64_t> starts;

  std::size_t size() const { return starts.size() - 1; }
  std::span<const T> operator[](std::size_t i) const {
    return values.subspan(starts[i], starts[i + 1] - starts[i]);
  }
};

// Longest sentence a bitext holds, in words: positions must fit a Link.
constexpr std::size_t kMaxSentenceWords = 65535;

// Collects sentence pairs and writes them as a bitext file.
class BitextBuilder {
 public:
  // One pair, words separated by spaces; `links` in Pharaoh format ("0-0 1-2") or absent, the same
  // way for all pairs. Empty sentences and links out of range throw Error; the pair is then not
  // added.
  void add(std::string_view source, std::string_view target, std::optional<std::string_view> links);
  std::size_t size() const { return source_.starts.size() - 1; }
  void write(const std::string& path) const;

 private:
  struct Side {
    Vocab vocab;
    std::vector<WordId> words;
    std::vector<std::uint64_t> starts{0};
  };
  Side source_, target_;
  std::vector<Link> links_;
  std::vector<std::uint64_t> link_starts_{0};
  bool aligned_ = false;
};

// A bitext file in use through a memory map. Everything in the file is checked when it is opened.
class Bitext {
 public:
  explicit Bitext(const std::string& path);

  std::size_t size() const { return source_.size(); }
  const Ragged<WordId>& source() const { return source_; }
  const Ragged<WordId>& target() const { return target_; }
  bool aligned() const { return aligned_; }
  const Ragged<Link>& links() const { return links_; }  // empty lists when not aligned()
  const Vocab& source_vocab() const { return source_vocab_; }
  const Vocab& target_vocab() const { return target_vocab_; }
  const std::string& path() const { return file_.path(); }

 private:
  SectionReader file_;
  Vocab source_vocab_, target_vocab_;
  Ragged<WordId> source_, target_;
  Ragged<Link> links_;
  bool aligned_ = false;
};

// Parses "0-0 1-2"; throws Error on anything else and on links outside source_words x target_words.
// Sorted, no link twice.
std::vector<Link> parse_links(std::string_view text, std::size_t source_words,
                              std::size_t target_words);

}  // namespace demotic
