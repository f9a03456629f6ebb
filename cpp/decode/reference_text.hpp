// A reference translation as forced decoding sees it: where words and target sides occur in it, and
// what the language models say about each of its parts.
//
// The words of a part [begin, end) are given, and with them its score and its states in every
// model, however it was derived. So an item of the chart that knows its part of the reference needs
// no state, and an edge adds what the part has more than the parts of its tails.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/rule_book.hpp"
#include "decode/target_models.hpp"

namespace demotic {

class ReferenceText {
 public:
  // `vocab`: of the target side of the rules. All of them must outlive this.
  ReferenceText(const std::vector<std::string>& words, const Vocab& vocab,
                const TargetModels& models);

  std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
  const std::string& word(std::size_t position) const { return words_[position]; }
  bool has(std::uint32_t position, Symbol word) const {
    return position < size() && symbols_[position] == word;
  }
  // Where a word of the target vocabulary stands, rising.
  std::span<const std::uint32_t> positions(Symbol word) const;
  // False: some run of words of a target side does not occur, so no derivation can use its rule.
  bool admits(std::span<const Symbol> target) const;

  // What a model says about the part [begin, end) alone: log10 probability and state. Valid until
  // the next call.
  struct Piece {
    float lm = 0;
    ChartState state;
  };
  const Piece& piece(std::size_t model, std::uint32_t begin, std::uint32_t end);

 private:
  bool occurs(std::span<const Symbol> run) const;

  const std::vector<std::string>& words_;
  const TargetModels& models_;
  std::vector<Symbol> symbols_;  // kNoSymbol: no rule has the word
  std::unordered_map<Symbol, std::vector<std::uint32_t>> positions_;
  std::vector<WordId> tokens_;              // model by model
  std::vector<std::vector<Piece>> pieces_;  // by model and begin, as far as they were asked for
};

}  // namespace demotic
