#include "base/number.hpp"

#include <cmath>
#include <limits>

#include "base/test.hpp"

namespace demotic::number_test {

struct Case {
  const char* text;
  std::size_t length;
  double value;
};

TEST("numbers end where their grammar ends") {
  for (const Case& one :
       {Case{"0", 1, 0.0}, Case{"-1.5e3", 6, -1500.0}, Case{".5", 2, 0.5}, Case{"5.", 2, 5.0},
        Case{"1e5x", 3, 1e5}, Case{"1e", 1, 1.0}, Case{"1e+", 1, 1.0}, Case{"1.2.3", 3, 1.2},
        Case{"0x10", 1, 0.0}, Case{"1,5", 1, 1.0}, Case{"2 ", 1, 2.0}, Case{"1E-2", 4, 0.01}}) {
    double value = -7;
    const auto [length, error] = parse_number(one.text, value);
    CHECK(error == std::errc());
    CHECK(length == one.length);
    CHECK(value == one.value);
  }
}

TEST("what is no number is said to be none, and the value stays") {
  for (const char* text : {"", "-", "+1", " 1", ".", "e5", "-.e1", "x"}) {
    double value = -7;
    CHECK(parse_number(text, value).error == std::errc::invalid_argument);
    CHECK(value == -7);
  }
}

TEST("infinity and nan are numbers here; readers refuse them where they must") {
  float value = 0;
  CHECK(parse_number("-inf", value).length == 4);
  CHECK(std::isinf(value) && value < 0);
  CHECK(parse_number("Infinity", value).length == 8);
  CHECK(parse_number("nan", value).error == std::errc());
  CHECK(std::isnan(value));
}

TEST("out of range is an error, subnormal numbers are not") {
  float single = 0;
  double number = 0;
  CHECK(parse_number("1e39", single).error == std::errc::result_out_of_range);
  CHECK(parse_number("1e-60", single).error == std::errc::result_out_of_range);
  CHECK(parse_number("1e-400", number).error == std::errc::result_out_of_range);
  CHECK(parse_number("1e-310", number).error == std::errc());
  CHECK(number > 0 && number < std::numeric_limits<double>::min());
  CHECK(parse_number("1e39", number).error == std::errc());
}

TEST("numbers are rounded to the nearest, so that what was written is read") {
  for (const double value : {0.1, 1.0 / 3, 1e-7, 123456.789, -2.2250738585072014e-308}) {
    char digits[32];
    double again = 0;
    const std::string_view text(digits,
                                std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
    CHECK(parse_number(text, again).length == text.size());
    CHECK(again == value);
  }
}

}  // namespace demotic::number_test
