// The templates of a model, and the transform of its dense features if it has one. Made once,
// shared by all sentences and threads.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "features/class_tables.hpp"
#include "features/external_features.hpp"
#include "features/feature_groups.hpp"
#include "features/feature_transform.hpp"
#include "features/template.hpp"
#include "features/word_hashes.hpp"

namespace demotic {

class TemplateSet {
 public:
  // `names`: native templates with their options, as make_template reads them; a template comes at
  // most once. `classes`: those that these templates need, others are left alone.
  explicit TemplateSet(const std::vector<std::string>& names,
                       std::shared_ptr<ExternalFeatures> external = nullptr,
                       std::shared_ptr<const FeatureTransform> transform = nullptr,
                       const std::vector<ClassPair>& classes = {});

  const std::vector<std::unique_ptr<FeatureTemplate>>& templates() const { return templates_; }
  // Whether there are features of words where rules meet.
  bool has_borders() const { return has_borders_; }
  ExternalFeatures* external() const { return external_.get(); }  // may be null
  // Of dense features; may be null.
  const FeatureTransform* transform() const { return transform_.get(); }
  // From now on features of templates stand for their groups. To be called before anybody else has
  // the set. Throws Error for templates whose features cannot be grouped.
  void tie(std::shared_ptr<const FeatureGroups> groups);
  const FeatureGroups* groups() const { return groups_.get(); }  // may be null
  std::shared_ptr<const WordHashes> hashes_of(const std::shared_ptr<const Vocab>& vocab) const {
    return hashes_.of(vocab);
  }
  // What templates see of a grammar.
  GrammarView view_of(const Grammar& grammar) const;

 private:
  void add_classes(const FeatureTemplate& one, const std::vector<ClassPair>& classes);

  std::vector<std::unique_ptr<FeatureTemplate>> templates_;  // those of the source side first
  bool has_borders_ = false;
  std::shared_ptr<ExternalFeatures> external_;
  std::shared_ptr<const FeatureGroups> groups_;
  std::shared_ptr<const FeatureTransform> transform_;
  mutable WordHashCache hashes_;                       // locks itself
  std::vector<std::unique_ptr<ClassTables>> classes_;  // each locks itself
};

}  // namespace demotic
