// The rules of a large grammar that can apply to a sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/grammar.hpp"

namespace demotic {

// Rules whose source words all occur in the sentence, in the order of the grammar. A source side is
// filed under its rarest word, so that a sentence looks only at sides that share a rare word with
// it. Immutable: for any number of threads.
class SentenceFilter {
 public:
  explicit SentenceFilter(std::shared_ptr<const Grammar> grammar);

  Grammar matching(std::span<const std::string> sentence) const;

 private:
  struct Side {
    std::uint32_t block, side;
    auto operator<=>(const Side&) const = default;
  };

  std::shared_ptr<const Grammar> grammar_;
  std::vector<std::uint32_t> begins_;  // per word: its first side, and the end
  std::vector<Side> sides_;
  std::vector<Side> wordless_;  // sides without words fit everywhere
};

}  // namespace demotic
