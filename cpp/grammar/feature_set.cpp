#include "grammar/feature_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"

namespace demotic {
namespace {

// Probabilities enter as costs, -log10 p, as in cdec. "Coherent" (Lopez 2008): divided by all
// occurrences looked at, so that a phrase which often gives no rule at all gets smaller
// probabilities.
float coherent_ef(const RuleFacts& facts) {
  return -std::log10(facts.rule.count_fe / facts.samples);
}
float coherent_fe(const RuleFacts& facts) {
  const float count_fe = facts.rule.count_fe * facts.occurrences_f /
                         facts.samples;  // in the corpus, not in the sample
  return -std::log10(std::min(1.0f, count_fe / facts.rule.occurrences_e));
}
float sample_count(const RuleFacts& facts) { return std::log10(1 + facts.samples); }
float count_fe(const RuleFacts& facts) { return std::log10(1 + facts.rule.count_fe); }
float lexical_fe(const RuleFacts& facts) { return facts.rule.lexical_fe; }
float lexical_ef(const RuleFacts& facts) { return facts.rule.lexical_ef; }
float singleton_f(const RuleFacts& facts) { return facts.count_f == 1; }
float singleton_fe(const RuleFacts& facts) { return facts.rule.count_fe == 1; }
float one(const RuleFacts&) { return 1; }

float probability_fe(const RuleFacts& facts) { return std::pow(10.0f, -coherent_fe(facts)); }
float raw_count_f(const RuleFacts& facts) { return facts.samples; }
float raw_count_fe(const RuleFacts& facts) { return facts.rule.count_fe; }
float raw_ef(const RuleFacts& facts) { return facts.rule.count_fe / facts.samples; }
float raw_lexical_ef(const RuleFacts& facts) { return std::pow(10.0f, -facts.rule.lexical_ef); }
float raw_lexical_fe(const RuleFacts& facts) { return std::pow(10.0f, -facts.rule.lexical_fe); }

// cdec's, by cdec's names; the papers that train with dtrain use these.
constexpr std::array kCdec12 = {
    Feature{"EgivenFCoherent", coherent_ef},
    Feature{"SampleCountF", sample_count},
    Feature{"CountEF", count_fe},
    Feature{"MaxLexFgivenE", lexical_fe},
    Feature{"MaxLexEgivenF", lexical_ef},
    Feature{"IsSingletonF", singleton_f},
    Feature{"IsSingletonFE", singleton_fe},
};
// Chiang's (2007): phrasal and lexical probabilities in both directions and a penalty per rule.
constexpr std::array kHiero8 = {
    Feature{"PhraseEgivenF", coherent_ef}, Feature{"PhraseFgivenE", coherent_fe},
    Feature{"LexEgivenF", lexical_ef},     Feature{"LexFgivenE", lexical_fe},
    Feature{"PhrasePenalty", one},
};
// The baseline of Clark, Dyer and Lavie's work on nonlinear features.
constexpr std::array kClark8 = {
    Feature{"LexEgivenF", lexical_ef},
    Feature{"LexFgivenE", lexical_fe},
    Feature{"EgivenFCoherent", coherent_ef},
};
// Counts and probabilities as they are, for discretisation.
constexpr std::array kRaw = {
    Feature{"CountF", raw_count_f},
    Feature{"CountFE", raw_count_fe},
    Feature{"ProbEgivenF", raw_ef},
    Feature{"ProbLexEgivenF", raw_lexical_ef},
    Feature{"ProbLexFgivenE", raw_lexical_fe},
};

// In no set of its own: needs counts of target sides, which only hiero8 asks for.
constexpr Feature kProbFgivenE{"ProbFgivenE", probability_fe};

constexpr std::array kFeatureSets = {
    FeatureSet{"cdec12", kCdec12, false},
    FeatureSet{"hiero8", kHiero8, true},
    FeatureSet{"clark8", kClark8, false},
    FeatureSet{"raw", kRaw, false},
};

}  // namespace

RuleFacts facts_of(const RuleBlock& block, const SourceSide& side, std::uint32_t rule) {
  return {static_cast<float>(block.samples), block.occurrences_f, static_cast<float>(side.count_f),
          block.statistics[rule]};
}

std::vector<std::string> FeatureSet::names(bool additions) const {
  std::vector<std::string> all;
  for (const Feature& feature : features) all.emplace_back(feature.name);
  if (additions) all.emplace_back(kAddition);
  return all;
}

void FeatureSet::compute(RuleBlock& block, bool additions) const {
  block.features.clear();
  block.features.reserve(block.rules.size() * (features.size() + additions));
  for (const SourceSide& side : block.sides)
    for (std::uint32_t rule = side.rule_begin; rule < side.rule_end; ++rule) {
      const RuleFacts facts = facts_of(block, side, rule);
      for (const Feature& feature : features)
        block.features.push_back(feature.value(facts) + 0.0f);  // + 0: no negative zero
      if (additions) block.features.push_back(facts.rule.count_added > 0 ? 1.0f : 0.0f);
    }
}

std::span<const FeatureSet> feature_sets() { return kFeatureSets; }

const FeatureSet& feature_set(std::string_view name) {
  const auto found = std::ranges::find(kFeatureSets, name, &FeatureSet::name);
  if (found == kFeatureSets.end()) {
    std::string known;
    for (const auto& set : kFeatureSets)
      known += (known.empty() ? "known: " : ", ") + std::string(set.name);
    throw Error("unknown feature set '" + std::string(name) + "'", known);
  }
  return *found;
}

const Feature* find_feature(std::string_view name) {
  for (const FeatureSet& set : kFeatureSets)
    for (const Feature& feature : set.features)
      if (feature.name == name) return &feature;
  return name == kProbFgivenE.name ? &kProbFgivenE : nullptr;
}

}  // namespace demotic
