#include "learn/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/test.hpp"

namespace demotic::envelope_test {

double height(const Line& line, double at) { return line.intercept + at * line.slope; }

double highest(const std::vector<Line>& lines, double at) {
  double best = -INFINITY;
  for (const Line& line : lines) best = std::max(best, height(line, at));
  return best;
}

// Lines with small whole numbers, so that many are equal, parallel or meet in one point.
std::vector<Line> random_lines(std::mt19937& random, std::uint32_t count) {
  std::vector<Line> lines;
  for (std::uint32_t i = 0; i < count; ++i)
    lines.push_back(
        {static_cast<double>(random() % 9) - 4, static_cast<double>(random() % 13) - 6, i});
  return lines;
}

TEST("three lines by hand") {
  std::vector<Line> lines = {{1, 0, 0}, {-1, 0, 1}, {0, 1, 2}, {0, -1, 3}};
  const auto segments = upper_envelope(lines);
  CHECK(segments.size() == 3);
  CHECK(segments[0].from == -INFINITY && segments[0].hypothesis == 1);
  CHECK(segments[1].from == -1 && segments[1].hypothesis == 2);
  CHECK(segments[2].from == 1 && segments[2].hypothesis == 0);
}

TEST("each segment's line is the highest there, and no segment is empty") {
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto lines = random_lines(random, 1 + random() % 20);
    auto sorted = lines;
    const auto segments = upper_envelope(sorted);
    CHECK(!segments.empty() && segments[0].from == -INFINITY);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const double low = i == 0 ? segments.size() > 1 ? segments[1].from - 5 : 0 : segments[i].from;
      const double high = i + 1 < segments.size() ? segments[i + 1].from : low + 5;
      CHECK(i == 0 || segments[i - 1].from < segments[i].from);
      for (const double share : {0.0, 0.25, 0.5, 1.0}) {
        const double at = low + share * (high - low);
        CHECK(std::abs(height(lines[segments[i].hypothesis], at) - highest(lines, at)) < 1e-9);
      }
      // Of equal lines the first is taken.
      for (std::uint32_t other = 0; other < segments[i].hypothesis; ++other)
        CHECK(lines[other].slope != lines[segments[i].hypothesis].slope ||
              lines[other].intercept != lines[segments[i].hypothesis].intercept);
    }
  }
}

TEST("dropping hidden lines leaves the envelope as it is") {
  std::mt19937 random(2);
  std::size_t dropped = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    auto lines = random_lines(random, 8 + random() % 60);
    auto kept = lines;
    drop_hidden(kept);
    dropped += lines.size() - kept.size();
    const auto expected = upper_envelope(lines), found = upper_envelope(kept);
    CHECK(expected.size() == found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i].from == expected[i].from && found[i].hypothesis == expected[i].hypothesis);
  }
  CHECK(dropped > 1000);
}

TEST("lines in two arrays leave the same lines as drop_hidden") {
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 600; ++repeat) {
    auto lines = random_lines(random, 1 + random() % 60);
    if (repeat % 3 == 0)
      for (Line& line : lines) line.slope += 0.1 * static_cast<double>(random() % 7);
    if (repeat % 10 == 0)
      for (Line& line : lines) line.slope = 1;
    std::vector<double> slopes, intercepts;
    for (const Line& line : lines) {
      slopes.push_back(line.slope);
      intercepts.push_back(line.intercept);
    }
    std::vector<Line> found;
    visible_lines(
        slopes, intercepts,
        static_cast<std::size_t>(std::ranges::max_element(intercepts) - intercepts.begin()), found);
    drop_hidden(lines);
    CHECK(found.size() == lines.size());
    for (std::size_t i = 0; i < std::min(found.size(), lines.size()); ++i)
      CHECK(found[i].slope == lines[i].slope && found[i].intercept == lines[i].intercept &&
            found[i].hypothesis == lines[i].hypothesis);
  }
}

}  // namespace demotic::envelope_test
