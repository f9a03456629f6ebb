// Groups of features that share a weight: a group is a feature of its own, whose value is the sum
// of its members'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/feature_index.hpp"

namespace demotic {

// Groups are numbered from 1 and are features with the names `group:1`, `group:2`, ... Features of
// templates that are in no group have no weight and are left out; dense features stay what they
// are. Made once, read by any number of threads.
class FeatureGroups {
 public:
  // Lines `feature<TAB>group number`; empty ones and those that begin with # are skipped. Throws
  // Error with the line for what is no such line, a dense feature, a feature that comes twice, or a
  // group without members. `file` is for errors.
  static FeatureGroups from_text(std::string_view text, const std::string& file);
  // The same text, sorted by group, then by name.
  std::string to_text() const;

  std::size_t size() const { return prints_.size(); }  // groups
  std::size_t features() const { return members_.size(); }
  // Members of all groups in the order of `to_text`, and how many each group has.
  std::vector<std::string_view> members() const;
  std::vector<std::uint64_t> sizes() const;

  // The group (from 0) of a feature.
  std::optional<std::uint32_t> find(const Fingerprint& feature) const {
    const auto id = members_.find(feature);
    return id ? std::optional(group_of_[*id]) : std::nullopt;
  }
  const Fingerprint& fingerprint(std::uint32_t group) const { return prints_[group]; }
  static std::string name(std::uint32_t group) { return "group:" + std::to_string(group + 1); }

  // Packed weights (packed_weights.hpp) of features as those of groups, the mean of the members'
  // weights, and back: each member has the weight of its group. Dense weights stay.
  std::string tie(std::string_view packed) const;
  std::string untie(std::string_view packed) const;

 private:
  std::vector<FeatureId> sorted() const;

  FeatureIndex members_;
  std::vector<std::uint32_t> group_of_;  // by member id
  std::vector<Fingerprint> prints_;      // by group, of its name
};

}  // namespace demotic
