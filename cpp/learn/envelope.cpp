#include "learn/envelope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "base/wide.hpp"

namespace demotic {
namespace {

constexpr double kRounding = 1e-9;    // lines that are lower by less are kept
constexpr std::size_t kFewLines = 8;  // not worth the while

// The envelope of three lines: the flattest, the highest at 0 and the steepest of all. Its
// difference to another line is convex, so where the line's slope lies between those of the
// outermost lines, the difference is least at a corner: a line that is lower at all corners is
// lower everywhere.
class OuterEnvelope {
 public:
  OuterEnvelope(const Line& flattest, const Line& highest, const Line& steepest) {
    std::vector<Line> outer = {flattest, highest, steepest};
    const std::vector<Segment> corners = upper_envelope(outer);
    for (std::size_t i = 1; i < corners.size(); ++i) {
      const double at = corners[i].from;
      double height = flattest.intercept + at * flattest.slope;
      for (const Line& line : outer) height = std::max(height, line.intercept + at * line.slope);
      at_[i - 1] = at;
      height_[i - 1] = height - kRounding * (1 + std::abs(height));
    }
    if (corners.size() == 2) {  // twice the same corner, so that there are always two
      at_[1] = at_[0];
      height_[1] = height_[0];
    }
  }

  // 1 for each line that is not hidden, else 0.
  DEMOTIC_WIDE void mark(std::span<const double> slopes, std::span<const double> intercepts,
                         std::span<std::uint8_t> is_visible) const {
    const double at0 = at_[0], at1 = at_[1], height0 = height_[0], height1 = height_[1];
    for (std::size_t i = 0; i < slopes.size(); ++i)
      is_visible[i] = static_cast<std::uint8_t>(!(intercepts[i] + at0 * slopes[i] < height0) |
                                                !(intercepts[i] + at1 * slopes[i] < height1));
  }

  // With parallel lines there is no corner, and nothing is hidden: heights are minus infinity.
  bool hides(double slope, double intercept) const {
    return intercept + at_[0] * slope < height_[0] && intercept + at_[1] * slope < height_[1];
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::array<double, 2> at_ = {0, 0}, height_ = {kNone, kNone};
};

// The smallest and the largest of some numbers; lanes, so that the processor compares several at
// once.
DEMOTIC_WIDE std::pair<double, double> range(std::span<const double> values) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> low, high;
  low.fill(values[0]);
  high.fill(values[0]);
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = values[i + lane];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
    }
  for (; i < values.size(); ++i) {
    low[0] = std::min(low[0], values[i]);
    high[0] = std::max(high[0], values[i]);
  }
  return {std::ranges::min(low), std::ranges::max(high)};
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
  const OuterEnvelope outer(*std::ranges::max_element(lines, flatter),
                            *std::ranges::max_element(lines, higher),
                            *std::ranges::max_element(lines, steeper));
  std::erase_if(lines, [&](const Line& line) { return outer.hides(line.slope, line.intercept); });
}

void LineFilter::operator()(std::span<const double> slopes, std::span<const double> intercepts,
                            std::vector<Line>& visible) {
  const std::size_t size = slopes.size();
  visible.clear();
  const auto line = [&](std::size_t i) {
    return Line{slopes[i], intercepts[i], static_cast<std::uint32_t>(i)};
  };
  if (size < kFewLines) {
    for (std::size_t i = 0; i < size; ++i) visible.push_back(line(i));
    return;
  }
  const auto [low, high] = range(slopes);
  std::size_t flattest = size, steepest = size;
  for (std::size_t i = 0; i < size; ++i) {
    if (slopes[i] == low && (flattest == size || intercepts[i] > intercepts[flattest]))
      flattest = i;
    if (slopes[i] == high && (steepest == size || intercepts[i] > intercepts[steepest]))
      steepest = i;
  }
  const auto highest =
      static_cast<std::size_t>(std::ranges::max_element(intercepts) - intercepts.begin());
  const OuterEnvelope outer(line(flattest), line(highest), line(steepest));
  is_visible_.resize(size);
  outer.mark(slopes, intercepts, is_visible_);
  const auto* marks = is_visible_.data();
  for (const std::uint8_t* mark = marks;
       (mark = static_cast<const std::uint8_t*>(
            std::memchr(mark, 1, size - static_cast<std::size_t>(mark - marks)))) != nullptr;
       ++mark)
    visible.push_back(line(static_cast<std::size_t>(mark - marks)));
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
