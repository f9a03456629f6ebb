// Scoring whole sentences of text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lm/model.hpp"

namespace demotic {

struct SentenceScore {
  double log10_prob = 0;      // with <s> before and </s> after it
  double oov_log10_prob = 0;  // what unknown words contribute to it
  std::uint32_t words = 0, oov = 0;
};

// One word of a sentence, </s> the last.
struct WordDetail {
  float log10_prob;
  unsigned matched;  // length of the n-gram that was found
  bool oov;
};

SentenceScore score_sentence(const Model& model, std::string_view line);
std::vector<WordDetail> score_words(const Model& model, std::string_view line);
// One score per line, empty lines included.
std::vector<SentenceScore> score_lines(const Model& model, std::string_view lines,
                                       unsigned threads);

}  // namespace demotic
