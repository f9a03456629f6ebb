#include "features/template_set.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace demotic {

TemplateSet::TemplateSet(const std::vector<std::string>& names,
                         std::shared_ptr<ExternalFeatures> external,
                         std::shared_ptr<const FeatureTransform> transform,
                         const std::vector<ClassPair>& classes)
    : external_(std::move(external)), transform_(std::move(transform)) {
  for (const std::string& text : names) {
    auto made = make_template(text);
    if (std::ranges::any_of(templates_,
                            [&](const auto& other) { return other->name() == made->name(); }))
      throw Error("the template '" + made->name() + "' is given twice",
                  "several orders of n-grams are one template: " + made->name() + ":n=1..3");
    templates_.push_back(std::move(made));
  }
  for (const auto& one : templates_) add_classes(*one, classes);
  has_borders_ = std::ranges::any_of(templates_, [](const auto& one) { return one->is_border(); });
  std::ranges::stable_partition(templates_, [](const auto& one) { return one->source_only(); });
}

void TemplateSet::add_classes(const FeatureTemplate& one, const std::vector<ClassPair>& classes) {
  const auto has_size = [&](const auto& tables) { return tables->size() == one.classes(); };
  if (one.classes() == 0 || std::ranges::any_of(classes_, has_size)) return;
  const auto given = std::ranges::find(classes, one.classes(), &ClassPair::size);
  if (given == classes.end())
    throw Error("the template '" + one.name() + "' needs " + std::to_string(one.classes()) +
                    " word classes, which are not there",
                "make them with  demotic classes make MODEL " + std::to_string(one.classes()));
  classes_.push_back(std::make_unique<ClassTables>(*given));
}

void TemplateSet::tie(std::shared_ptr<const FeatureGroups> groups) {
  if (has_borders_)
    throw Error("features of words where rules meet cannot be grouped",
                "leave out the templates tgt_border and class_tgt_border");
  groups_ = std::move(groups);
}

GrammarView TemplateSet::view_of(const Grammar& grammar) const {
  std::vector<GrammarClasses> classes;
  for (const auto& tables : classes_)
    classes.push_back(tables->of(grammar.source_vocab, grammar.target_vocab));
  return GrammarView(grammar, std::move(classes));
}

}  // namespace demotic
