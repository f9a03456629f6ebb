// Short decimal numbers such as -1.234567, which large files are full of, to the nearest float.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace demotic {

// Reads a text that is nothing but an optional minus and digits, with a point between two of them
// or without one. False: it is something else, or has so many digits that parse_number must say
// what it is; `value` is untouched.
//
// Clinger (1990): digits below 2^53 and a power of ten up to 22 are exact as doubles, so that their
// quotient is the double nearest to the number. The float nearest to that is the float nearest to
// the number, unless the double lies exactly between two floats: the number itself may lie on
// either side, and parse_number decides.
inline bool parse_decimal(std::string_view text, float& value) {
  constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* position = text.data();
  const char* const end = position + text.size();
  const bool negative = position != end && *position == '-';
  if (negative) ++position;
  if (position == end || end - position > 16 || *position == '.' || end[-1] == '.') return false;
  std::uint64_t digits = 0;
  const char* point = nullptr;
  for (; position != end; ++position) {
    const unsigned digit = static_cast<unsigned char>(*position) - unsigned{'0'};
    if (digit < 10)
      digits = 10 * digits + digit;
    else if (*position == '.' && point == nullptr)
      point = position;
    else
      return false;
  }
  if (digits > std::uint64_t{1} << 53) return false;
  const double number =
      static_cast<double>(digits) / kPowers[point == nullptr ? 0 : end - point - 1];
  constexpr std::uint64_t kBelowFloat = (1u << 29) - 1, kHalf = 1u << 28;
  if ((std::bit_cast<std::uint64_t>(number) & kBelowFloat) == kHalf) return false;
  value = static_cast<float>(negative ? -number : number);
  return true;
}

}  // namespace demotic
