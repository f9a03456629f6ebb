// Which hypothesis is best where along a line in weight space: the upper envelope of straight lines
// (Och 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace demotic {

// The score of a hypothesis at w + gamma d: intercept + gamma slope.
struct Line {
  double slope, intercept;
  std::uint32_t hypothesis;
};

// From `from` on (to the next segment's) this hypothesis is best.
struct Segment {
  double from;  // the first is minus infinity
  std::uint32_t hypothesis;
};

// Drops lines that cannot be on the envelope, without sorting: those that lie below the envelope of
// a few of them.
void drop_hidden(std::vector<Line>& lines);
// The same for the lines with these slopes and intercepts, of which `highest` has the greatest
// intercept.
void visible_lines(std::span<const double> slopes, std::span<const double> intercepts,
                   std::size_t highest, std::vector<Line>& lines);

// Uses up the lines. Among equal lines the hypothesis with the smallest number is taken; a line
// that is best in one point only, where others cross, has no segment. Never empty unless `lines`
// is.
std::vector<Segment> upper_envelope(std::vector<Line>& lines);

}  // namespace demotic
