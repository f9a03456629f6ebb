#include "features/external_features.hpp"

#include <cmath>

#include "base/error.hpp"
#include "features/id_template.hpp"

namespace demotic {
namespace {

// The identity of a rule with its alignment.
std::vector<Fingerprint> keys_of(std::span<const RuleView> rules, const WordHashes& source,
                                 const WordHashes& target) {
  HashWriter writer(source, target);
  writer.reserve(rules.size());
  const RuleIdentity identity;
  for (const RuleView& rule : rules) {
    writer.begin_group();
    identity.write(rule, writer);
  }
  std::vector<Fingerprint> keys;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto links = rules[i].links();
    const std::string_view bytes(reinterpret_cast<const char*>(links.data()), links.size_bytes());
    keys.push_back(append(writer.features()[i].print, concatenate(kBar.hash, hash_name(bytes))));
  }
  return keys;
}

ExternalFeatures::Row row_of(std::vector<ExternalFeature> features) {
  std::vector<ExternalFeatures::Feature> row;
  for (ExternalFeature& feature : features) {
    if (!std::isfinite(feature.value))
      throw Error("the feature '" + feature.name +
                  "' of a template has a value that is not finite");
    row.push_back({fingerprint(feature.name), std::move(feature.name), feature.value});
  }
  return std::make_shared<const std::vector<ExternalFeatures::Feature>>(std::move(row));
}

}  // namespace

std::vector<ExternalFeatures::Row> ExternalFeatures::of(const GrammarView& context,
                                                        const WordHashes& source,
                                                        const WordHashes& target) {
  std::vector<RuleView> rules;
  rules.reserve(context.grammar.rules());
  for_each_rule(context, [&](const RuleView& rule) { rules.push_back(rule); });
  const std::vector<Fingerprint> keys = keys_of(rules, source, target);

  const std::lock_guard lock(mutex_);
  if (rows_.size() > max_rules_) rows_.clear();
  std::vector<RuleView> unseen;
  std::vector<Fingerprint> unseen_keys;
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rows_.try_emplace(keys[i]).second) {
      unseen.push_back(rules[i]);
      unseen_keys.push_back(keys[i]);
    }
  try {
    auto features = function_(unseen);
    if (features.size() != unseen.size())
      throw Error("a template returned features of " + std::to_string(features.size()) +
                  " rules for " + std::to_string(unseen.size()));
    for (std::size_t i = 0; i < unseen.size(); ++i)
      rows_[unseen_keys[i]] = row_of(std::move(features[i]));
  } catch (...) {
    for (const Fingerprint& key : unseen_keys) rows_.erase(key);
    throw;
  }
  std::vector<Row> result;
  result.reserve(rules.size());
  for (const Fingerprint& key : keys) result.push_back(rows_.at(key));
  return result;
}

}  // namespace demotic
