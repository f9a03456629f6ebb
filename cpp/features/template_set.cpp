#include "features/template_set.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace demotic {

TemplateSet::TemplateSet(const std::vector<std::string>& names,
                         std::shared_ptr<ExternalFeatures> external,
                         std::shared_ptr<const FeatureTransform> transform)
    : external_(std::move(external)), transform_(std::move(transform)) {
  for (const std::string& text : names) {
    auto made = make_template(text);
    if (std::ranges::any_of(templates_,
                            [&](const auto& other) { return other->name() == made->name(); }))
      throw Error("the template '" + made->name() + "' is given twice",
                  "several orders of n-grams are one template: " + made->name() + ":n=1..3");
    templates_.push_back(std::move(made));
  }
  std::ranges::stable_partition(templates_, [](const auto& one) { return one->source_only(); });
}

}  // namespace demotic
