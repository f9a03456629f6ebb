#include "learn/envelope.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace demotic {

std::vector<Segment> upper_envelope(std::vector<Line>& lines) {
  // Rising slopes: each line wins to the right of the ones before it. Of parallel lines the highest comes first.
  std::ranges::sort(lines, [](const Line& a, const Line& b) { return std::tuple(a.slope, -a.intercept, a.hypothesis) < std::tuple(b.slope, -b.intercept, b.hypothesis); });
  std::vector<Segment> segments;
  std::vector<const Line*> best;
  for (const Line& line : lines) {
    if (!best.empty() && best.back()->slope == line.slope) continue;
    double from = -std::numeric_limits<double>::infinity();
    while (!best.empty()) {
      from = (best.back()->intercept - line.intercept) / (line.slope - best.back()->slope);
      if (from > segments.back().from) break;
      best.pop_back();
      segments.pop_back();
      from = -std::numeric_limits<double>::infinity();
    }
    best.push_back(&line);
    segments.push_back({from, line.hypothesis});
  }
  return segments;
}

}  // namespace demotic
