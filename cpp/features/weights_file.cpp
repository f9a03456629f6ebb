#include "features/weights_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/section_file.hpp"
#include "base/string_section.hpp"
#include "base/text.hpp"
#include "features/feature_kind.hpp"

namespace demotic {
namespace {

constexpr std::string_view kKind = "weights";
constexpr std::uint32_t kVersion =
    2;  // 2: the sections of names are called names.text and names.ends

// What a file holds, in its order.
std::vector<FeatureId> listed(const FeatureIndex& index, WeightView weights) {
  std::vector<FeatureId> ids(index.size());
  std::iota(ids.begin(), ids.end(), FeatureId{0});
  std::erase_if(ids, [&](FeatureId id) { return weights[id] == 0 && !is_dense(index.name(id)); });
  std::ranges::sort(ids, {}, [&](FeatureId id) { return index.name(id); });
  for (const FeatureId id : ids)
    if (!std::isfinite(weights[id]))
      throw Error("the weight of '" + std::string(index.name(id)) + "' is not a finite number",
                  "the learning rate may be too high");
  return ids;
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto [length, error] = parse_number(text, value);
  const bool is_number = error == std::errc() && length == text.size() && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

// Collects weights by id and refuses a name that comes twice.
class Collector {
 public:
  explicit Collector(FeatureIndex& index) : index_(index) {}

  // The line or position of the same name before, 0 if it is new.
  std::uint64_t add(std::string_view name, double value, std::uint64_t place) {
    const FeatureId id = index_.intern(name);
    if (id >= places_.size()) places_.resize(index_.size());
    if (places_[id] != 0) return places_[id];
    places_[id] = place;
    if (id >= values_.size()) values_.resize(index_.size());
    values_[id] = value;
    return 0;
  }
  std::vector<double> finish() {
    values_.resize(index_.size());
    return std::move(values_);
  }

 private:
  FeatureIndex& index_;
  std::vector<double> values_;
  std::vector<std::uint64_t> places_;  // where each feature stands, counted from 1
};

}  // namespace

std::vector<double> weights_from_text(std::string_view text, const std::string& file,
                                      FeatureIndex& index) {
  Collector weights(index);
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    std::string_view words[3];
    std::size_t count = 0;
    for_each_word(next_line(text),
                  [&](std::string_view word) { words[std::min<std::size_t>(count++, 2)] = word; });
    if (count == 0 || words[0].front() == '#') continue;
    const auto fail = [&](const std::string& what) {
      throw Error(what, file, line, "expected  name value, such as  LanguageModel 0.5");
    };
    if (count != 2)
      fail("a line must have two fields, name and value; this one has " + std::to_string(count));
    const auto value = finite_number(words[1]);
    if (!value)
      fail("the weight of '" + std::string(words[0]) + "' is not a finite number: '" +
           std::string(words[1]) + "'");
    std::uint64_t before = 0;
    try {
      before = weights.add(words[0], *value, line);
    } catch (const Error& error) {  // the index refuses the name
      throw Error(error.message(), file, line, error.hint());
    }
    if (before != 0)
      fail("the feature '" + std::string(words[0]) + "' is repeated; it was first set in line " +
           std::to_string(before));
  }
  return weights.finish();
}

std::string weights_to_text(const FeatureIndex& index, WeightView weights) {
  std::string text;
  for (const FeatureId id : listed(index, weights)) {
    char digits[32];
    text.append(index.name(id))
        .append(1, ' ')
        .append(digits, std::to_chars(digits, digits + sizeof digits, weights[id]).ptr)
        .append(1, '\n');
  }
  return text;
}

std::vector<double> load_weights(const std::string& path, FeatureIndex& index) {
  const SectionReader file(path, kKind, kVersion);
  const auto names = read_strings(file, "names");
  const auto values = file.section<double>("values");
  if (names.size() != values.size()) file.damaged("names and weights do not fit together");
  Collector weights(index);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!std::isfinite(values[i]))
      file.damaged("the weight of '" + std::string(names[i]) + "' is not a finite number");
    if (weights.add(names[i], values[i], i + 1) != 0)
      file.damaged("the feature '" + std::string(names[i]) + "' comes twice");
  }
  return weights.finish();
}

void save_weights(const std::string& path, const FeatureIndex& index, WeightView weights) {
  std::vector<std::string_view> names;
  std::vector<double> values;
  for (const FeatureId id : listed(index, weights)) {
    names.push_back(index.name(id));
    values.push_back(weights[id]);
  }
  SectionWriter file(path, kKind, kVersion, 3);
  add_strings(file, "names", names);
  file.add("values", values);
  file.finish();
}

}  // namespace demotic
