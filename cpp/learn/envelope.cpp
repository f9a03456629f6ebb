#include "learn/envelope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "learn/line_loops.hpp"

namespace demotic {
namespace {

using line_loops::Place;

constexpr double kRounding = 1e-9;  // lines that are lower by less are kept

// The corners of the envelope of a few lines. The difference of an envelope and a line is convex,
// so where the line's slope lies between those of the outermost lines, the difference is least at a
// corner: a line that is lower at all corners is lower everywhere.
class Corners {
 public:
  // Leaves the lines of the envelope. They include those with the least and the greatest slope of
  // all that it is compared with.
  explicit Corners(std::vector<Line>& lines) {
    const std::vector<Segment> segments = upper_envelope(lines);
    lines.resize(segments.size());
    for (std::size_t i = 1; i < segments.size(); ++i) {
      const double at = segments[i].from;
      double height = -std::numeric_limits<double>::infinity();
      for (const Line& line : lines) height = std::max(height, line.intercept + at * line.slope);
      places_.push_back({at, height - kRounding * (1 + std::abs(height))});
    }
  }

  std::span<const Place> places() const { return places_; }
  bool all_parallel() const { return places_.empty(); }
  bool hide(double slope, double intercept) const {
    for (const auto& [at, least] : places_)
      if (!(intercept + at * slope < least)) return false;
    return true;
  }

 private:
  std::vector<Place> places_;
};

constexpr std::size_t kFewLines = 8;  // so few are sorted at once

// The envelope of a few lines is that of all when no line is higher at its corners. Two steps
// towards that leave little to sort.
void drop_hidden(std::vector<Line>& lines, std::vector<Line>& outer, Corners corners) {
  constexpr std::size_t kMany = 16;
  for (int step = 0; step < 2 && lines.size() >= kMany; ++step) {
    for (const auto& [at, least] : corners.places()) {
      const Line* highest = &lines[0];
      double height = -std::numeric_limits<double>::infinity();
      for (const Line& line : lines)
        if (const double other = line.intercept + at * line.slope; other > height) {
          height = other;
          highest = &line;
        }
      outer.push_back(*highest);
    }
    corners = Corners(outer);
    std::erase_if(lines,
                  [&](const Line& line) { return corners.hide(line.slope, line.intercept); });
  }
}

}  // namespace

void drop_hidden(std::vector<Line>& lines) {
  if (lines.size() < kFewLines) return;
  const auto higher = [](const Line& a, const Line& b) { return a.intercept < b.intercept; };
  const auto steeper = [](const Line& a, const Line& b) {
    return std::tuple(a.slope, a.intercept) < std::tuple(b.slope, b.intercept);
  };
  const auto flatter = [](const Line& a, const Line& b) {
    return std::tuple(-a.slope, a.intercept) < std::tuple(-b.slope, b.intercept);
  };
  std::vector<Line> outer = {*std::ranges::max_element(lines, flatter),
                             *std::ranges::max_element(lines, higher),
                             *std::ranges::max_element(lines, steeper)};
  const Corners corners(outer);
  if (corners.all_parallel()) return;
  std::erase_if(lines, [&](const Line& line) { return corners.hide(line.slope, line.intercept); });
  drop_hidden(lines, outer, corners);
}

void visible_lines(std::span<const double> slopes, std::span<const double> intercepts,
                   std::size_t highest, std::vector<Line>& lines) {
  const std::size_t size = slopes.size();
  const auto line = [&](std::size_t i) {
    return Line{slopes[i], intercepts[i], static_cast<std::uint32_t>(i)};
  };
  lines.clear();
  if (size >= kFewLines) {
    const auto [least, greatest] = line_loops::extent(slopes);
    const auto [first, last] = line_loops::heights(slopes, intercepts, {least, greatest});
    std::vector<Line> outer = {{least, first, 0}, line(highest), {greatest, last, 0}};
    if (const Corners corners(outer); !corners.all_parallel()) {
      // Three lines have at most two corners.
      const Place a = corners.places().front(), b = corners.places().back();
      std::array<std::uint32_t, line_loops::kMostLines> numbers;
      for (std::size_t begin = 0; begin < size; begin += numbers.size()) {
        const std::size_t some = std::min(numbers.size(), size - begin);
        const std::size_t count = line_loops::unhidden(
            slopes.subspan(begin, some), intercepts.subspan(begin, some), a, b, numbers);
        for (std::size_t i = 0; i < count; ++i) lines.push_back(line(begin + numbers[i]));
      }
      return drop_hidden(lines, outer, corners);
    }
  }
  for (std::size_t i = 0; i < size; ++i) lines.push_back(line(i));
}

std::vector<Segment> upper_envelope(std::vector<Line>& lines) {
  // Rising slopes: each line wins to the right of the ones before it. Of parallel lines the highest
  // comes first.
  std::ranges::sort(lines, [](const Line& a, const Line& b) {
    return std::tuple(a.slope, -a.intercept, a.hypothesis) <
           std::tuple(b.slope, -b.intercept, b.hypothesis);
  });
  std::vector<Segment> segments;
  std::size_t size = 0;  // of the envelope so far, the first of the lines
  for (const Line& line : lines) {
    if (size > 0 && lines[size - 1].slope == line.slope) continue;
    double from = -std::numeric_limits<double>::infinity();
    while (size > 0) {
      const Line& last = lines[size - 1];
      from = (last.intercept - line.intercept) / (line.slope - last.slope);
      if (from > segments.back().from) break;
      --size;
      segments.pop_back();
      from = -std::numeric_limits<double>::infinity();
    }
    segments.push_back({from, line.hypothesis});
    lines[size++] = line;
  }
  return segments;
}

}  // namespace demotic
