#include "align/symmetrize.hpp"

#include "align/options.hpp"
#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::symmetrize_test {

constexpr std::uint16_t kNone = kNoLink;

std::vector<Link> combined(const std::string& heuristic) {
  // Links of the first direction: 0-0 1-1 1-2; of the second: 0-0 1-1 2-1 4-4.
  const std::vector<std::uint16_t> by_target{0, 1, 1, kNone, kNone};
  const std::vector<std::uint16_t> by_source{0, 1, 1, kNone, 4};
  return symmetrize(by_target, by_source, heuristic_by_name(heuristic));
}

TEST("one direction, both, either") {
  CHECK((combined("source-target") == std::vector<Link>{{0, 0}, {1, 1}, {1, 2}}));
  CHECK((combined("target-source") == std::vector<Link>{{0, 0}, {1, 1}, {2, 1}, {4, 4}}));
  CHECK((combined("intersection") == std::vector<Link>{{0, 0}, {1, 1}}));
  CHECK((combined("union") == std::vector<Link>{{0, 0}, {1, 1}, {1, 2}, {2, 1}, {4, 4}}));
}

TEST("growing takes neighbours, final what is far from all") {
  const std::vector<Link> grown{{0, 0}, {1, 1}, {1, 2}, {2, 1}};
  const std::vector<Link> all{{0, 0}, {1, 1}, {1, 2}, {2, 1}, {4, 4}};
  CHECK(combined("grow") == grown);
  CHECK(combined("grow-diag") == grown);
  CHECK(combined("grow-diag-final-and") == all);
  CHECK(combined("och") == all);
}

TEST("only -diag- takes diagonal neighbours; -and needs two free words") {
  const std::vector<std::uint16_t> by_target{0, kNone, kNone, 0}, by_source{0, 1};
  const auto links = [&](const char* name) {
    return symmetrize(by_target, by_source, heuristic_by_name(name));
  };
  CHECK((links("grow") == std::vector<Link>{{0, 0}}));
  CHECK((links("grow-diag") == std::vector<Link>{{0, 0}, {1, 1}}));
  CHECK((links("grow-diag-final-and") == std::vector<Link>{{0, 0}, {1, 1}}));
  CHECK((links("grow-diag-final") == std::vector<Link>{{0, 0}, {0, 3}, {1, 1}}));
}

TEST("unknown names are refused") {
  CHECK(!test::thrown<Error>([] { heuristic_by_name("grow-final"); }).empty());
}

}  // namespace demotic::symmetrize_test
