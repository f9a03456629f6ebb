// The references of one sentence, prepared for scoring many hypotheses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/kbest_list.hpp"
#include "evaluate/ngram_trie.hpp"
#include "evaluate/sentence_metrics.hpp"

namespace demotic {

class References {
 public:
  // One or more, each a list of tokens.
  explicit References(std::vector<std::vector<std::string>> references);

  // Words are numbers from 1 on in here; all that no reference has are kUnknown.
  static constexpr std::uint32_t kUnknown = 0;
  std::uint32_t id(std::string_view word) const;
  std::vector<std::uint32_t> ids(std::span<const std::string> words) const;
  std::vector<std::string_view> texts() const;  // by number; kUnknown has none

  BleuStatistics statistics(std::span<const std::uint32_t> hypothesis) const;
  // Edit distance to a reference divided by its length (an empty one counts as one word), for the
  // reference where this is smallest.
  double wer(std::span<const std::uint32_t> hypothesis) const;

  // The same for every hypothesis of a list.
  std::vector<double> wer(const KBestList& list) const;

  std::span<const std::vector<std::uint32_t>> sentences() const { return sentences_; }
  const NgramTrie& ngrams() const { return ngrams_; }
  std::int32_t closest_length(std::size_t hypothesis_length) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
  };
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> words_;
  std::vector<std::vector<std::uint32_t>> sentences_;
  NgramTrie ngrams_;
};

}  // namespace demotic
