// The sparse features of all rules of a grammar: computed once per rule, however many hyperedges
// use it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/feature_index.hpp"
#include "features/template_set.hpp"
#include "grammar/grammar.hpp"

namespace demotic {

// A feature and its value in a rule. The highest bit tells features of the index from those that it
// does not know, which have numbers of their own in this sentence.
struct RuleFeature {
  static constexpr std::uint32_t kLocal = FeatureIndex::kMaxSize;
  std::uint32_t feature;
  float value;

  bool is_local() const { return (feature & kLocal) != 0; }
  std::uint32_t local() const { return feature & ~kLocal; }
};

class RuleFeatures {
 public:
  // Reads the index, changes nothing in it: any number of threads may do this at once. Throws Error
  // if another thread interns. `label`: of the sentence; empty: it has none.
  RuleFeatures(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TemplateSet> templates,
               const FeatureIndex& index, std::string_view label = {});

  // Features of a grammar with ids of an index, row by row; `row_begins` has one value more than
  // there are rules.
  RuleFeatures(std::shared_ptr<const Grammar> grammar, const FeatureIndex& index,
               std::vector<std::uint32_t> row_begins, std::vector<RuleFeature> entries)
      : grammar_(std::move(grammar)),
        index_(index.identity()),
        row_begins_(std::move(row_begins)),
        entries_(std::move(entries)) {}

  bool belong_to(const Grammar& grammar) const { return grammar_.get() == &grammar; }
  // The templates that they were made with; null if they were read from a file.
  const std::shared_ptr<const TemplateSet>& templates() const { return templates_; }
  // Identity of the index that the ids belong to.
  std::uint64_t index() const { return index_; }

  std::size_t rules() const { return row_begins_.size() - 1; }
  // The features of a rule; rules are numbered in the order of blocks, sides, rules. No feature
  // comes twice.
  std::span<const RuleFeature> rule(std::size_t number) const {
    return std::span(entries_).subspan(row_begins_[number],
                                       row_begins_[number + 1] - row_begins_[number]);
  }
  // All rows one after the other, and where each begins: rules() + 1 values.
  std::span<const RuleFeature> entries() const { return entries_; }
  std::span<const std::uint32_t> row_begins() const { return row_begins_; }

  // Features that the index did not know, in order of first appearance.
  std::size_t locals() const { return locals_.size(); }
  const Fingerprint& local_fingerprint(std::size_t number) const { return locals_[number].print; }
  std::string local_name(std::size_t number) const;  // written when asked for
  std::size_t bytes() const;

 private:
  struct Local {
    static constexpr std::uint32_t kGroup =
        ~std::uint32_t{1};  // instead of a block: `rule` is the number of a group
    Fingerprint print;
    std::uint32_t block, rule;  // where it appeared first; the rule is counted inside the block
    static constexpr std::uint32_t kTransformed =
        ~std::uint32_t{0};  // instead of a block: `rule` is an output of the transform
  };
  class Builder;

  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const TemplateSet> templates_;
  std::uint64_t index_;
  std::string label_;  // what the names of features with labels end with; empty: there are none
  std::vector<std::uint32_t> row_begins_;
  std::vector<RuleFeature> entries_;
  std::vector<Local> locals_;
  std::vector<ExternalFeatures::Row>
      external_;  // per rule, in the order of the grammar; empty without external templates
};

}  // namespace demotic
