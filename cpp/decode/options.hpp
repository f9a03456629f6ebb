// How a sentence is decoded. Defaults: seed papers (Simianer et al. 2012, footnote 5) and cdec.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace demotic {

// Features that the decoder itself computes; a set of dense features gives each a name, or none.
enum class DecoderFeature : std::uint8_t {
  kLanguageModel,
  kTargetOov,
  kWordPenalty,
  kGlue,
  kPassThrough
};
constexpr std::size_t kDecoderFeatures = 5;

constexpr std::size_t kMaxDecodeWords = 10'000;  // of a sentence

struct DecodeOptions {
  std::uint32_t pop_limit =
      200;  // hypotheses taken per cell in cube pruning; 0: all of them (exhaustive search)
  std::uint32_t max_span = 15;  // longest span of a translation rule, in source words; glue reaches
                                // over the whole sentence
  // A rule that copies the word: for every word (cdec), or only for words that no rule translates
  // alone.
  bool pass_through_all = true;
  // Names of the decoder's features, in the order of DecoderFeature; empty: the set does not have
  // it.
  std::array<std::string, kDecoderFeatures> feature_names = {"LanguageModel", "LanguageModel_OOV",
                                                             "WordPenalty", "Glue", "PassThrough"};

  // Dense features that the model does not have, although the grammar or the decoder computes them:
  // something else stands for them.
  std::vector<std::string> left_out;

  // Cube pruning scores only the corners that promise to be among the best, if each junction of
  // every language model gains this much (log10); 0: all.
  double lazy_corners = 0;

  // Names of the features of further language models, in the order of the decoder's models.
  std::vector<std::string> further_models;

  bool has(const std::string& feature) const {
    return !feature.empty() && std::ranges::find(left_out, feature) == left_out.end();
  }
  void check() const {
    if (!(lazy_corners >= 0 && lazy_corners < 1e6))
      throw Error("lazy_corners must be at least 0, not " + std::to_string(lazy_corners));
    if (max_span == 0 || max_span > 1000)
      throw range_error("max_span", "from 1 to 1000", static_cast<double>(max_span));
  }
};

}  // namespace demotic
