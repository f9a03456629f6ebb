#include "learn/envelope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace demotic {
namespace {

constexpr double kRounding = 1e-9;  // lines that are lower by less are kept

}  // namespace

// The difference of an envelope and a line is convex, so where the line's slope lies between those
// of the outermost lines, the difference is least at a corner: a line that is lower at all corners
// is lower everywhere.
void drop_hidden(std::vector<Line>& lines) {
  if (lines.size() < 8) return;
  const auto higher = [](const Line& a, const Line& b) { return a.intercept < b.intercept; };
  const auto steeper = [](const Line& a, const Line& b) {
    return std::tuple(a.slope, a.intercept) < std::tuple(b.slope, b.intercept);
  };
  const auto flatter = [](const Line& a, const Line& b) {
    return std::tuple(-a.slope, a.intercept) < std::tuple(-b.slope, b.intercept);
  };
  const Line first = *std::ranges::max_element(lines, flatter),
             last = *std::ranges::max_element(lines, steeper);
  std::vector<Line> outer = {first, *std::ranges::max_element(lines, higher), last};
  const std::vector<Segment> corners = upper_envelope(outer);
  const auto height = [&](double at) {
    double best = first.intercept + at * first.slope;
    for (const Line& line : outer) best = std::max(best, line.intercept + at * line.slope);
    return best;
  };
  std::array<std::pair<double, double>, 2> points;  // corners and how high they are
  std::size_t count = 0;
  for (std::size_t i = 1; i < corners.size(); ++i)
    points[count++] = {corners[i].from, height(corners[i].from)};
  if (count == 0) return;  // all lines are parallel
  std::erase_if(lines, [&](const Line& line) {
    for (std::size_t i = 0; i < count; ++i)
      if (!(line.intercept + points[i].first * line.slope <
            points[i].second - kRounding * (1 + std::abs(points[i].second))))
        return false;
    return true;
  });
}

std::vector<Segment> upper_envelope(std::vector<Line>& lines) {
  // Rising slopes: each line wins to the right of the ones before it. Of parallel lines the highest
  // comes first.
  std::ranges::sort(lines, [](const Line& a, const Line& b) {
    return std::tuple(a.slope, -a.intercept, a.hypothesis) <
           std::tuple(b.slope, -b.intercept, b.hypothesis);
  });
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
