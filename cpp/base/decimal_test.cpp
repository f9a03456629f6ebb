#include "base/decimal.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <random>
#include <string>

#include "base/number.hpp"
#include "base/test.hpp"

namespace demotic::decimal_test {

// What is read must be what parse_number reads, to the bit.
bool agrees(const std::string& text) {
  float quick = 0, exact = 0;
  if (!parse_decimal(text, quick)) return false;
  const auto [length, error] = parse_number(text, exact);
  CHECK(error == std::errc() && length == text.size());
  CHECK(std::bit_cast<std::uint32_t>(quick) == std::bit_cast<std::uint32_t>(exact));
  return true;
}

TEST("decimals are read as parse_number reads them") {
  for (const char* text : {"0", "-0", "-0.0", "1", "-1", "-99", "-1.5", "0.1", "-0.30103", "007.50",
                           "9007199254740992", "-1.234567", "123456.789"})
    CHECK(agrees(text));
  std::mt19937_64 random(1);
  int read = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    std::string text = std::to_string(random() >> random() % 64);
    text.resize(std::min<std::size_t>(text.size(), 1 + random() % 17));
    if (random() % 4 != 0) text.insert(random() % (text.size() + 1), ".");
    if (random() % 2 == 0) text.insert(0, "-");
    read += agrees(text);
  }
  CHECK(read > 10000);
}

// From 2^16 to 2^24 the middle between two floats has at most eight decimals.
TEST("decimals at and beside the middle between two floats are rounded once") {
  std::mt19937 random(2);
  int beside = 0, middle = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const auto bits = static_cast<std::uint32_t>(0x47800000u + (random() & 0x3ffffffu));
    const double half =
        (static_cast<double>(std::bit_cast<float>(bits)) + std::bit_cast<float>(bits + 1)) / 2;
    char text[64];
    std::snprintf(text, sizeof text, "%.8f", half + (static_cast<double>(random() % 3) - 1) * 1e-8);
    const bool quick = agrees(text);
    beside += quick;
    middle += !quick;
  }
  CHECK(beside > 10000);
  CHECK(middle > 5000);
}

TEST("everything else is left to parse_number") {
  for (const char* text : {"",
                           "-",
                           ".",
                           "-.",
                           "1.",
                           ".5",
                           "-.5",
                           "+1",
                           "1e5",
                           "-1e-05",
                           "inf",
                           "-inf",
                           "nan",
                           "1.2.3",
                           "1 ",
                           " 1",
                           "0x1",
                           "1,5",
                           "--1",
                           "9007199254740993",
                           "12345678901234567"}) {
    float value = -7;
    CHECK(!parse_decimal(text, value));
    CHECK(value == -7);
  }
}

}  // namespace demotic::decimal_test
