#include "learn/feature_counts.hpp"

#include <algorithm>
#include <optional>

#include "features/rule_view.hpp"

namespace demotic {

void FeatureCounts::observe(const Hypergraph& graph, const FeatureIndex& index) {
  const RuleBook& book = *graph.forest().book;
  const RuleFeatures* features = book.features();
  if (features == nullptr) return;
  std::vector<std::optional<FeatureId>> locals(features->locals());
  for (std::size_t i = 0; i < locals.size(); ++i)
    locals[i] = index.find(features->local_fingerprint(i));
  counts_.resize(std::max(counts_.size(), index.size()));
  sums_.resize(counts_.size());

  const GrammarView context(book.grammar());
  std::size_t number = 0;
  for_each_rule(context, [&](const RuleView& rule) {
    // c(f, e) is that of a sample where a source side is frequent.
    const float samples = static_cast<float>(rule.block.samples);
    const float count = rule.count() * (rule.block.occurrences_f > samples && samples > 0
                                            ? rule.block.occurrences_f / samples
                                            : 1);
    for (const RuleFeature feature : features->rule(number++))
      if (const auto id = feature.is_local() ? locals[feature.local()] : feature.feature)
        add(*id, count);
  });
  for (const FeatureId id : touched_) {
    counts_[id] = std::max(counts_[id], sums_[id]);
    sums_[id] = 0;
  }
  touched_.clear();
}

void FeatureCounts::add(FeatureId id, float count) {
  if (sums_[id] == 0) touched_.push_back(id);
  sums_[id] += count;
}

}  // namespace demotic
