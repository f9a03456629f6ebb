// From a sentence and its rules to a hypergraph.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "decode/hypergraph.hpp"
#include "decode/options.hpp"
#include "features/feature_index.hpp"

namespace demotic {

// One decoder serves any number of threads. What it returns depends on its arguments only.
class Decoder {
 public:
  // `further`: language models beyond the first, as many as DecodeOptions::further_models names.
  // `whole`: the model of all text where `lm` has not seen a part of it. Words of translation rules
  // that it knows do not count as unknown: rules from that part have words that `lm` lacks, which
  // no rule of new text has. Copied words are new text, so for them `lm` alone decides.
  Decoder(std::shared_ptr<const Model> lm, DecodeOptions options, const TargetModels& further = {},
          std::shared_ptr<const Model> whole = nullptr);
  ~Decoder();

  // Throws Error if the sentence has no derivation. An empty sentence has one, of the empty string.
  // `weights` are by ids of `index`; nobody may add to the index meanwhile.
  Hypergraph decode(std::shared_ptr<const RuleBook> book, const FeatureIndex& index,
                    WeightView weights) const;

  // All derivations of the grammar that yield a reference, with the scores that `decode` would give
  // them: nothing is pruned, so pop_limit does not matter. None if there is no such derivation.
  // Throws Error for a sentence with prescribed translations.
  std::optional<Hypergraph> decode_reference(std::shared_ptr<const RuleBook> book,
                                             const std::vector<std::string>& reference,
                                             const FeatureIndex& index, WeightView weights) const;

  const DecodeOptions& options() const { return *options_; }
  const std::shared_ptr<const DecodeOptions>& shared_options() const { return options_; }

 private:
  class Search;  // working memory of one sentence, kept for the next
  std::unique_ptr<Search> borrow() const;
  // Null: there is a reference, and no derivation yields it.
  std::shared_ptr<Forest> search(std::shared_ptr<const RuleBook> book, const FeatureIndex& index,
                                 WeightView weights,
                                 const std::vector<std::string>* reference) const;
  std::shared_ptr<const TargetWords> target_words(const std::shared_ptr<const Vocab>& vocab) const;

  TargetModels models_;
  std::shared_ptr<const Model> whole_;
  std::shared_ptr<const DecodeOptions> options_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Search>> idle_;
  mutable std::shared_ptr<const TargetWords>
      words_;  // of the vocabulary used last: nearly always the same
};

}  // namespace demotic
