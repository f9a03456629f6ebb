#include "learn/line_loops.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "base/test.hpp"

namespace demotic::line_loops_test {

using namespace line_loops;

// Whole numbers, so that many are equal, or fractions.
std::vector<double> numbers(Random& random, std::size_t size, bool whole) {
  std::vector<double> result(size);
  for (double& value : result)
    value = whole ? static_cast<double>(random.below(9)) - 4 : 8 * random.uniform() - 4;
  return result;
}

TEST("products are added one after the other") {
  Random random(1);
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<double> columns[4];
    std::array<Product, 4> products;
    for (std::size_t i = 0; i < 4; ++i) {
      columns[i] = numbers(random, size, false);
      products[i] = {columns[i].data(), random.uniform()};
    }
    auto at_once = numbers(random, size, false), one_by_one = at_once, by_hand = at_once;
    add(at_once, products);
    for (const Product& product : products) {
      add(one_by_one, product);
      for (std::size_t i = 0; i < size; ++i) by_hand[i] += product.values[i] * product.factor;
    }
    CHECK(at_once == by_hand && one_by_one == by_hand);
  }
}

TEST("outermost slopes and the highest lines that have them") {
  Random random(2);
  for (std::size_t size = 1; size < 70; ++size) {
    const auto slopes = numbers(random, size, size % 3 != 0),
               intercepts = numbers(random, size, size % 2 == 0);
    const auto [least, greatest] = extent(slopes);
    CHECK(least == *std::ranges::min_element(slopes) &&
          greatest == *std::ranges::max_element(slopes));
    Heights expected{-std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < size; ++i) {
      if (slopes[i] == least) expected.first = std::max(expected.first, intercepts[i]);
      if (slopes[i] == greatest) expected.last = std::max(expected.last, intercepts[i]);
    }
    const Heights found = heights(slopes, intercepts, {least, greatest});
    CHECK(found.first == expected.first && found.last == expected.last);
  }
}

TEST("lines are kept in order unless they are hidden at both places") {
  Random random(3);
  std::array<std::uint32_t, kMostLines> found;
  for (std::size_t size = 0; size <= kMostLines; ++size)
    for (const double least : {-99.0, 0.0, 6.0, 99.0}) {
      const auto slopes = numbers(random, size, size % 2 == 0),
                 intercepts = numbers(random, size, size % 3 == 0);
      const double far = size % 7 == 0 ? std::numeric_limits<double>::infinity() : 1.5;
      const Place a{far, least}, b{-0.5, least};
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < size; ++i)
        if (!(intercepts[i] + a.at * slopes[i] < a.least &&
              intercepts[i] + b.at * slopes[i] < b.least))
          expected.push_back(i);
      const std::size_t count = unhidden(slopes, intercepts, a, b, found);
      CHECK(std::ranges::equal(std::span(found).first(count), expected));
    }
}

}  // namespace demotic::line_loops_test
