#include "features/feature_groups.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "features/feature_kind.hpp"
#include "features/packed_weights.hpp"

namespace demotic {
namespace {

constexpr std::uint32_t kMostGroups = std::uint32_t{1} << 30;

std::optional<std::uint32_t> group_number(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && number >= 1 && number <= kMostGroups
             ? std::optional(number)
             : std::nullopt;
}

}  // namespace

FeatureGroups FeatureGroups::from_text(std::string_view text, const std::string& file) {
  FeatureGroups groups;
  std::uint32_t largest = 0;
  std::uint64_t line = 1;
  for (; !text.empty(); ++line) {
    std::string_view words[3];
    std::size_t count = 0;
    for_each_word(next_line(text),
                  [&](std::string_view word) { words[std::min<std::size_t>(count++, 2)] = word; });
    if (count == 0 || words[0].front() == '#') continue;
    const auto fail = [&](const std::string& what) {
      throw Error(what, file, line,
                  "expected  feature<TAB>number of its group, such as  id:haus|house<TAB>3");
    };
    if (count != 2)
      fail("a line must have two fields, the feature and its group; this one has " +
           std::to_string(count));
    const auto number = group_number(words[1]);
    if (!number)
      fail("'" + std::string(words[1]) +
           "' is not the number of a group: groups are numbered from 1");
    if (is_dense(words[0]))
      fail("'" + std::string(words[0]) +
           "' is not a feature of a template: dense features are not grouped");
    const std::size_t before = groups.members_.size();
    if (groups.members_.intern(words[0]) < before)
      fail("the feature '" + std::string(words[0]) + "' comes twice: groups do not overlap");
    groups.group_of_.push_back(*number - 1);
    largest = std::max(largest, *number);
  }
  // So a damaged number cannot ask for more memory than the file is long.
  if (largest > groups.group_of_.size())
    throw Error("group " + std::to_string(largest) + " of only " +
                    std::to_string(groups.group_of_.size()) + " features",
                file, 0, "number the groups from 1 without gaps");
  for (std::uint32_t group = 0; group < largest; ++group)
    groups.prints_.push_back(demotic::fingerprint(name(group)));
  const auto sizes = groups.sizes();
  const auto empty = std::ranges::find(sizes, 0u);
  if (empty != sizes.end())
    throw Error("group " + std::to_string(empty - sizes.begin() + 1) + " has no features", file, 0,
                "number the groups from 1 without gaps");
  return groups;
}

std::vector<FeatureId> FeatureGroups::sorted() const {
  std::vector<FeatureId> ids(members_.size());
  std::iota(ids.begin(), ids.end(), FeatureId{0});
  std::ranges::sort(ids, [&](FeatureId a, FeatureId b) {
    return group_of_[a] != group_of_[b] ? group_of_[a] < group_of_[b]
                                        : members_.name(a) < members_.name(b);
  });
  return ids;
}

std::string FeatureGroups::to_text() const {
  std::string text;
  for (const FeatureId id : sorted())
    text.append(members_.name(id))
        .append(1, '\t')
        .append(std::to_string(group_of_[id] + 1))
        .append(1, '\n');
  return text;
}

std::vector<std::string_view> FeatureGroups::members() const {
  std::vector<std::string_view> names;
  names.reserve(features());
  for (const FeatureId id : sorted()) names.push_back(members_.name(id));
  return names;
}

std::vector<std::uint64_t> FeatureGroups::sizes() const {
  std::vector<std::uint64_t> sizes(size());
  for (const std::uint32_t group : group_of_) ++sizes[group];
  return sizes;
}

std::string FeatureGroups::tie(std::string_view packed) const {
  std::vector<NamedWeight> result;
  std::vector<double> sums(size());
  for_each_weight(packed, [&](std::string_view feature, double weight) {
    if (is_dense(feature))
      result.push_back({feature, weight});
    else if (const auto group = find(demotic::fingerprint(feature)))
      sums[*group] += weight;
  });
  const auto counts = sizes();
  std::vector<std::string> names;
  names.reserve(size());  // so that they do not move
  for (std::uint32_t group = 0; group < size(); ++group) {
    if (sums[group] == 0) continue;
    names.push_back(name(group));
    result.push_back({names.back(), sums[group] / static_cast<double>(counts[group])});
  }
  return pack(std::move(result));
}

std::string FeatureGroups::untie(std::string_view packed) const {
  FeatureIndex index;
  const std::vector<double> weights = unpack(packed, index);
  std::vector<NamedWeight> result;
  for (FeatureId id = 0; id < index.size(); ++id)
    if (is_dense(index.name(id))) result.push_back({index.name(id), weights[id]});
  for (FeatureId id = 0; id < members_.size(); ++id) {
    const auto group = index.find(fingerprint(group_of_[id]));
    if (group && weights[*group] != 0) result.push_back({members_.name(id), weights[*group]});
  }
  return pack(std::move(result));
}

}  // namespace demotic
