// Rules for a sentence, from the index, on the fly.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/feature_set.hpp"
#include "grammar/grammar.hpp"
#include "grammar/index.hpp"
#include "grammar/mask.hpp"
#include "grammar/options.hpp"
#include "grammar/pattern_cache.hpp"

namespace demotic {

// One extractor serves any number of threads at the same time. What it returns depends on its index
// and options, the sentence and the mask; never on threads, the cache or what was extracted before.
class Extractor {
 public:
  Extractor(std::shared_ptr<const GrammarIndex> index, const ExtractOptions& options,
            const FeatureSet& features);
  ~Extractor();

  // All rules that the patterns of these words give, as if the masked sentence pairs were not in
  // the corpus. Throws Error for a mask of another index.
  Grammar extract(std::span<const std::string_view> words, const Mask* mask) const;

  const GrammarIndex& index() const { return *index_; }
  const ExtractOptions& options() const { return options_; }
  const FeatureSet& features() const { return features_; }
  const PatternCache& cache() const { return cache_; }

 private:
  struct Scratch;  // working memory of one call, kept for the next
  std::unique_ptr<Scratch> borrow() const;
  void give_back(std::unique_ptr<Scratch> scratch) const;

  void extract(Scratch& scratch, std::span<const WordId> input, const Mask* mask,
               Grammar& grammar) const;
  // With `keep`, the counts of the missing patterns are for any single sentence; else their rules,
  // for this mask.
  void extract_chunks(Scratch& scratch, const Mask* mask, bool keep) const;
  void extract_gappy(Scratch& scratch, const Mask* mask, bool keep) const;
  void leave_one_out(Scratch& scratch, const Mask& mask) const;
  void count_rules(Scratch& scratch, std::size_t pattern, std::size_t part,
                   std::span<const struct Occurrence> occurrences) const;
  // What the samples of all parts hold, the i-th of each.
  void count_samples(Scratch& scratch, std::size_t pattern, std::size_t i) const;
  void finish_rules(Scratch& scratch, std::size_t pattern, std::uint32_t samples,
                    double total) const;
  void keep_counts(Scratch& scratch, std::size_t pattern, const struct Sample& sample) const;
  bool rules_from_kept(Scratch& scratch, std::size_t pattern) const;
  void score(Scratch& scratch, const Mask* mask) const;

  const std::shared_ptr<const GrammarIndex> index_;
  const ExtractOptions options_;
  const FeatureSet& features_;
  const bool has_additions_;
  const std::shared_ptr<const std::vector<std::string>> feature_names_;
  const std::shared_ptr<const RuleBlock> nothing_ =
      std::make_shared<const RuleBlock>();  // of patterns that do not occur
  mutable PatternCache cache_;
  mutable std::mutex scratch_mutex_;
  mutable std::vector<std::unique_ptr<Scratch>> idle_;
};

}  // namespace demotic
