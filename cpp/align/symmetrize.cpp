#include "align/symmetrize.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "align/options.hpp"
#include "base/error.hpp"

namespace demotic {
namespace {

constexpr std::array<std::pair<const char*, Heuristic>, 9> kHeuristics{{
    {"intersection", Heuristic::kIntersection},
    {"union", Heuristic::kUnion},
    {"grow", Heuristic::kGrow},
    {"grow-diag", Heuristic::kGrowDiag},
    {"grow-diag-final", Heuristic::kGrowDiagFinal},
    {"grow-diag-final-and", Heuristic::kGrowDiagFinalAnd},
    {"och", Heuristic::kOch},
    {"source-target", Heuristic::kSourceTarget},
    {"target-source", Heuristic::kTargetSource},
}};

// The links chosen so far, and those of the union that are not. There are at most as many links as
// words, so lists do, and a sentence of 500 words costs no matrix.
class Growth {
 public:
  Growth(std::span<const std::uint16_t> by_target, std::span<const std::uint16_t> by_source)
      : columns_of_(by_source.size()), rows_of_(by_target.size()) {
    for (std::size_t j = 0; j < by_target.size(); ++j)
      if (by_target[j] != kNoLink) direct_.push_back(link(by_target[j], j));
    std::sort(direct_.begin(), direct_.end());
    for (std::size_t i = 0; i < by_source.size(); ++i)
      if (by_source[i] != kNoLink) inverse_.push_back(link(i, by_source[i]));
    std::vector<Link> both;
    std::set_intersection(direct_.begin(), direct_.end(), inverse_.begin(), inverse_.end(),
                          std::back_inserter(both));
    for (const Link common : both) add(common);
    std::set_symmetric_difference(direct_.begin(), direct_.end(), inverse_.begin(), inverse_.end(),
                                  std::back_inserter(others_));
  }

  const std::vector<Link>& direct() const { return direct_; }
  const std::vector<Link>& inverse() const { return inverse_; }

  void add_all(const std::vector<Link>& links) {
    for (const Link link : links)
      if (!has(link.source, link.target)) add(link);
  }

  // Adds links of the union that `wanted` agrees to, in their order, until there are none.
  template <class Wanted>
  void grow(Wanted wanted) {
    for (bool grown = true; grown;) {
      grown = false;
      std::vector<Link> left;
      for (const Link link : others_)
        if (wanted(link)) {
          add(link);
          grown = true;
        } else {
          left.push_back(link);
        }
      others_.swap(left);
    }
  }

  // Adds links of one direction whose words have none: both of them, or one is enough.
  void finish(const std::vector<Link>& links, bool both) {
    for (const Link link : links)
      if (!has(link.source, link.target) && (both ? is_free(link) : is_half_free(link))) add(link);
  }

  bool is_free(Link link) const {
    return columns_of_[link.source].empty() && rows_of_[link.target].empty();
  }
  bool is_half_free(Link link) const {
    return columns_of_[link.source].empty() || rows_of_[link.target].empty();
  }
  bool has(int source, int target) const {
    if (source < 0 || target < 0 || source >= static_cast<int>(columns_of_.size())) return false;
    const auto& columns = columns_of_[source];
    return std::find(columns.begin(), columns.end(), target) != columns.end();
  }
  // A neighbour in the same column or row, or across.
  bool has_vertical(Link l) const {
    return has(l.source - 1, l.target) || has(l.source + 1, l.target);
  }
  bool has_horizontal(Link l) const {
    return has(l.source, l.target - 1) || has(l.source, l.target + 1);
  }
  bool has_diagonal(Link l) const {
    return has(l.source - 1, l.target - 1) || has(l.source - 1, l.target + 1) ||
           has(l.source + 1, l.target - 1) || has(l.source + 1, l.target + 1);
  }

  std::vector<Link> links() const {
    std::vector<Link> links;
    for (std::size_t i = 0; i < columns_of_.size(); ++i)
      for (const std::uint16_t j : columns_of_[i]) links.push_back(link(i, j));
    std::sort(links.begin(), links.end());
    return links;
  }

 private:
  static Link link(std::size_t source, std::size_t target) {
    return {static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(target)};
  }
  void add(Link link) {
    columns_of_[link.source].push_back(link.target);
    rows_of_[link.target].push_back(link.source);
  }

  std::vector<Link> direct_, inverse_, others_;
  std::vector<std::vector<std::uint16_t>> columns_of_, rows_of_;  // links of each word
};

// Och and Ney (2003): a link between free words, or beside another.
void grow_och(Growth& growth) {
  growth.grow([&](Link link) {
    return growth.is_free(link) || growth.has_horizontal(link) || growth.has_vertical(link);
  });
}

void grow_koehn(Growth& growth, bool diagonal) {
  growth.grow([&, diagonal](Link link) {
    if (!growth.is_half_free(link)) return false;
    return growth.has_horizontal(link) || growth.has_vertical(link) ||
           (diagonal && growth.has_diagonal(link));
  });
}

}  // namespace

Heuristic heuristic_by_name(const std::string& name) {
  for (const auto& [known, heuristic] : kHeuristics)
    if (name == known) return heuristic;
  throw Error("unknown heuristic '" + name + "'");
}

std::vector<Link> symmetrize(std::span<const std::uint16_t> by_target,
                             std::span<const std::uint16_t> by_source, Heuristic heuristic) {
  Growth growth(by_target, by_source);
  switch (heuristic) {
    case Heuristic::kSourceTarget:
      return growth.direct();
    case Heuristic::kTargetSource:
      return growth.inverse();
    case Heuristic::kIntersection:
      break;
    case Heuristic::kUnion:
      growth.add_all(growth.direct());
      growth.add_all(growth.inverse());
      break;
    case Heuristic::kOch:
      grow_och(growth);
      break;
    case Heuristic::kGrow:
      grow_koehn(growth, false);
      break;
    default:
      grow_koehn(growth, true);
      if (heuristic == Heuristic::kGrowDiag) break;
      const bool both = heuristic == Heuristic::kGrowDiagFinalAnd;
      growth.finish(growth.direct(), both);
      growth.finish(growth.inverse(), both);
  }
  return growth.links();
}

}  // namespace demotic
