#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "features/feature_groups.hpp"
#include "features/name_heads.hpp"
#include "features/packed_weights.hpp"
#include "features/rule_features.hpp"
#include "features/weights_file.hpp"
#include "module.hpp"
#include "rule_symbols.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

// Runs Python templates, which are given by their numbers in demotic.features.templates: a
// reference from here to a Python function would be invisible to Python's garbage collector. Called
// from threads that do not hold the GIL.
ExternalFeatures::Function python_templates(std::vector<int> numbers) {
  return [numbers = std::move(numbers)](std::span<const RuleView> rules) {
    const nb::gil_scoped_acquire acquire;
    nb::list batch;
    for (const RuleView& rule : rules)
      batch.append(nb::make_tuple(
          symbols_of(rule.grammar(), rule.side, rule.source(), *rule.grammar().source_vocab),
          symbols_of(rule.grammar(), rule.side, rule.target(), *rule.grammar().target_vocab),
          alignment_of(rule.links()), rule.grammar().labels[rule.side.label]));
    const nb::object run = nb::module_::import_("demotic.features.templates").attr("run_functions");
    std::vector<std::vector<ExternalFeature>> features;
    for (const nb::handle row : run(numbers, batch)) {
      features.emplace_back();
      for (const nb::handle feature : row)
        features.back().push_back({nb::cast<std::string>(feature[0]), nb::cast<float>(feature[1])});
    }
    return features;
  };
}

using SharedClasses = std::shared_ptr<const WordClasses>;
using ClassesOfBothSides = std::vector<std::tuple<unsigned, SharedClasses, SharedClasses>>;

void new_template_set(TemplateSet* place, const std::vector<std::string>& names,
                      std::vector<int> functions, std::shared_ptr<const FeatureTransform> transform,
                      const ClassesOfBothSides& classes) {
  std::vector<ClassPair> pairs;
  for (const auto& [size, source, target] : classes) pairs.push_back({size, source, target});
  new (place)
      TemplateSet(names,
                  functions.empty()
                      ? nullptr
                      : std::make_shared<ExternalFeatures>(python_templates(std::move(functions))),
                  std::move(transform), pairs);
}

using InputBins = std::tuple<std::string, std::vector<double>, std::vector<std::string>>;

void new_transform(FeatureTransform* place, const std::vector<InputBins>& features, bool overlap) {
  std::vector<TransformedFeature> transformed;
  for (const auto& [input, boundaries, names] : features)
    transformed.push_back({input, boundaries, names});
  new (place) FeatureTransform(std::move(transformed), overlap);
}

auto values_of_inputs(const std::shared_ptr<const Grammar>& grammar,
                      const std::vector<std::string>& inputs) {
  std::vector<float> values;
  {
    const nb::gil_scoped_release release;
    values = input_values(*grammar, inputs);
  }
  return own_matrix(std::move(values), grammar->rules(), inputs.size());
}

std::shared_ptr<RuleFeatures> rule_features(std::shared_ptr<const Grammar> grammar,
                                            std::shared_ptr<const TemplateSet> templates,
                                            const FeatureIndex& index, std::string_view label) {
  const nb::gil_scoped_release release;
  return std::make_shared<RuleFeatures>(std::move(grammar), std::move(templates), index, label);
}

// A column of the entries, in place.
template <class T>
auto column(nb::handle self, const T RuleFeature::* member) {
  const auto entries = nb::cast<const RuleFeatures&>(self).entries();
  const T* first = entries.empty() ? nullptr : &(entries.front().*member);
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(
      first, {entries.size()}, self, {static_cast<std::int64_t>(sizeof(RuleFeature) / sizeof(T))});
}

auto row_begins(nb::handle self) {
  return array(nb::cast<const RuleFeatures&>(self).row_begins(), self);
}

auto weights_from_bytes(const nb::bytes& text, const std::string& file, FeatureIndex& index) {
  const std::string_view bytes = text_of(text);
  std::vector<double> weights;
  {
    const nb::gil_scoped_release release;
    weights = weights_from_text(bytes, file, index);
  }
  return own_view(std::move(weights));
}

auto load(const std::string& path, FeatureIndex& index) {
  std::vector<double> weights;
  {
    const nb::gil_scoped_release release;
    weights = load_weights(path, index);
  }
  return own_view(std::move(weights));
}

auto unpack_weights(const nb::bytes& packed, FeatureIndex& index) {
  std::vector<double> weights;
  {
    const nb::gil_scoped_release release;
    weights = unpack(text_of(packed), index);
  }
  return own_view(std::move(weights));
}

nb::bytes pack_weights(const FeatureIndex& index, const WeightArray& weights) {
  std::string packed;
  {
    const nb::gil_scoped_release release;
    packed = pack(index, view(weights));
  }
  return nb::bytes(packed.data(), packed.size());
}

std::shared_ptr<const FeatureGroups> groups_from_bytes(const nb::bytes& text,
                                                       const std::string& file) {
  const std::string_view bytes(text.c_str(), text.size());
  const nb::gil_scoped_release release;
  return std::make_shared<const FeatureGroups>(FeatureGroups::from_text(bytes, file));
}

// Packed weights through one of the two directions.
nb::bytes convert(const FeatureGroups& groups, const nb::bytes& packed,
                  std::string (FeatureGroups::*direction)(std::string_view) const) {
  std::string result;
  {
    const std::string_view weights(packed.c_str(), packed.size());
    const nb::gil_scoped_release release;
    result = (groups.*direction)(weights);
  }
  return nb::bytes(result.data(), result.size());
}

nb::bytes activate_features(const nb::bytes& packed, const nb::bytes& features) {
  std::string result;
  {
    const std::string_view weights = text_of(packed), names = text_of(features);
    const nb::gil_scoped_release release;
    result = activate(weights, names);
  }
  return nb::bytes(result.data(), result.size());
}

void bind_feature_index(nb::module_& module) {
  nb::class_<FeatureIndex>(
      module, "FeatureIndex",
      "Feature name <-> dense id, in the order of interning. Nobody may read it while it grows.")
      .def(nb::init<>())
      .def(nb::init<std::shared_ptr<const FeatureIndex>>(), "base"_a,
           "An index that knows the features of `base`, which must not grow meanwhile, and numbers "
           "new ones itself.")
      .def_prop_ro("base", &FeatureIndex::base, "The index that this one was made over, or None.")
      .def(
          "find",
          [](const FeatureIndex& index, std::string_view name) {
            const FeatureIndex::Reading reading(index);
            return index.find(name);
          },
          "name"_a, "The id of a name, or None.")
      .def(
          "intern", [](FeatureIndex& index, std::string_view name) { return index.intern(name); },
          "name"_a, "The id of a name, which is added if it is new.")
      .def(
          "name",
          [](const FeatureIndex& index, FeatureId id) {
            const FeatureIndex::Reading reading(index);
            return std::string(index.name(id));
          },
          "id"_a, "The name with this id.")
      .def("__len__", &FeatureIndex::size)
      .def(
          "__contains__",
          [](const FeatureIndex& index, std::string_view name) {
            const FeatureIndex::Reading reading(index);
            return index.find(name).has_value();
          },
          "name"_a)
      .def_prop_ro("bytes", &FeatureIndex::bytes, "Memory in use.");
}

void bind_templates(nb::module_& module) {
  nb::class_<TemplateSet>(module, "TemplateSet",
                          "Feature templates; documented in demotic.features.TemplateSet.")
      .def("__init__", &new_template_set, "names"_a, "functions"_a, "transform"_a.none(),
           "classes"_a)
      .def("tie", &TemplateSet::tie, "groups"_a,
           "Let features stand for their groups; before the set is used.");

  nb::class_<FeatureGroups>(
      module, "FeatureGroups",
      "Features that share a weight; documented in demotic.features.FeatureGroups.")
      .def_static("from_text", &groups_from_bytes, "text"_a, "file"_a,
                  "From `feature<TAB>group` lines.")
      .def("to_text", &FeatureGroups::to_text, nb::call_guard<nb::gil_scoped_release>(),
           "The same lines, sorted.")
      .def("__len__", &FeatureGroups::size)
      .def_prop_ro("features", &FeatureGroups::features, "Members of all groups.")
      .def("members", &FeatureGroups::members, "Names, group by group.")
      .def("sizes", &FeatureGroups::sizes, "Members of each group.")
      .def(
          "tie",
          [](const FeatureGroups& groups, const nb::bytes& packed) {
            return convert(groups, packed, &FeatureGroups::tie);
          },
          "packed"_a, "Packed weights of features as those of groups.")
      .def(
          "untie",
          [](const FeatureGroups& groups, const nb::bytes& packed) {
            return convert(groups, packed, &FeatureGroups::untie);
          },
          "packed"_a, "And back.");

  nb::class_<FeatureTransform>(module, "FeatureTransform",
                               "Bins of dense features; documented in demotic.features.Bins.")
      .def("__init__", &new_transform, "features"_a, "overlap"_a,
           "Features are (input, boundaries, names); a single name: real-valued.");
  module.def("input_values", &values_of_inputs, "grammar"_a, "inputs"_a,
             "Values of named dense features, a row per rule.");
}

void bind_rule_features(nb::module_& module) {
  nb::class_<RuleFeatures>(
      module, "RuleFeatures",
      "The sparse features of all rules of a grammar; features with the highest bit set are local.")
      .def("__init__",
           [](RuleFeatures*) {
             throw nb::type_error("made by demotic.features.TemplateSet.rule_features");
           })
      .def("__len__", &RuleFeatures::rules)
      .def_prop_ro("row_begins", &row_begins, "Where the features of each rule begin, and the end.")
      .def_prop_ro(
          "features", [](nb::handle self) { return column(self, &RuleFeature::feature); },
          "Ids of the index, or local numbers + 2^31.")
      .def_prop_ro("values", [](nb::handle self) { return column(self, &RuleFeature::value); })
      .def_prop_ro("locals", &RuleFeatures::locals, "How many features the index did not know.")
      .def("local_name", &RuleFeatures::local_name, "number"_a, "The name of a local feature.")
      .def(
          "intern_local",
          [](const RuleFeatures& features, std::size_t number, FeatureIndex& index) {
            return index.intern(features.local_fingerprint(number), features.local_name(number));
          },
          "number"_a, "index"_a, "Add a local feature to an index; its id there.")
      .def_prop_ro("bytes", &RuleFeatures::bytes);

  module.def("rule_features", &rule_features, "grammar"_a, "templates"_a, "index"_a, "label"_a = "",
             "Compute the features of all rules; the index is only read.");
  module.def("native_templates", &native_templates, "Names of the native templates of words.");
  module.def("class_templates", &class_templates, "Names of those of word classes.");
  module.def(
      "classes_of_template", [](std::string_view text) { return make_template(text)->classes(); },
      "text"_a, "How many word classes a native template needs; 0: none.");
  module.def(
      "escape_word",
      [](const nb::bytes& word) {
        std::string out;
        append_escaped(out, text_of(word));
        return out;
      },
      "word"_a, "A word as it stands in names.");

  module.def(
      "name_heads",
      [](const FeatureIndex& index, const WeightArray& weights) {
        return name_heads(index, view(weights));
      },
      "index"_a, "weights"_a,
      "Names of dense features and `template:` of templates that weigh something.");
}

void bind_weights(nb::module_& module) {
  module.def("weights_from_text", &weights_from_bytes, "text"_a, "file"_a, "index"_a,
             "Weights by id from `name value` lines; adds names to the index.");
  module.def(
      "weights_to_text",
      [](const FeatureIndex& index, const WeightArray& weights) {
        return weights_to_text(index, view(weights));
      },
      "index"_a, "weights"_a, "`name value` lines, sorted.");
  module.def("load_weights", &load, "path"_a, "index"_a,
             "Weights by id from a binary file; adds names to the index.");
  module.def(
      "save_weights",
      [](const std::string& path, const FeatureIndex& index, const WeightArray& weights) {
        save_weights(path, index, view(weights));
      },
      "path"_a, "index"_a, "weights"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Write the binary form: complete or not at all.");
  module.def("pack_weights", &pack_weights, "index"_a, "weights"_a,
             "The weights that are not 0 as bytes, sorted by name.");
  module.def("unpack_weights", &unpack_weights, "packed"_a, "index"_a,
             "Weights by id from such bytes; adds names to the index.");
  module.def("activate_features", &activate_features, "packed"_a, "features"_a,
             "Packed weights, and the features of other packed weights that they lack, with the "
             "weight 0.");
}

}  // namespace

void bind_features(nb::module_& module) {
  bind_feature_index(module);
  bind_templates(module);
  bind_rule_features(module);
  bind_weights(module);
}
