// Floating-point numbers in text, as std::from_chars reads them: no white space, no plus sign, the
// same in every locale. libc++ had no such std::from_chars before its version 20, so that there the
// locale "C" of strtod takes its place.
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <version>

#if !defined(__cpp_lib_to_chars) && !defined(_MSC_VER)
#define DEMOTIC_OWN_FROM_CHARS
#include <locale.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include <cerrno>
#include <cmath>
#include <string>
#endif

namespace demotic {

// How much of a text is a number. `error` is std::errc::result_out_of_range where a number is too
// large or too small for the type, and std::errc::invalid_argument where there is none.
struct ParsedNumber {
  std::size_t length = 0;
  std::errc error{};
};

#ifdef DEMOTIC_OWN_FROM_CHARS
namespace number_detail {

// The longest start of a text that the grammar of std::from_chars allows: an optional minus, then
// digits with at most one point, then an exponent if it has digits; or inf, infinity, nan.
inline std::size_t number_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  const auto is_digit = [&](std::size_t i) { return at(i) >= '0' && at(i) <= '9'; };
  const auto begins = [&](std::size_t i, std::string_view word) {
    for (const char c : word)
      if ((at(i++) | 0x20) != c) return false;
    return true;
  };
  std::size_t i = at(0) == '-' ? 1 : 0;
  for (const std::string_view word : {"infinity", "inf", "nan"})
    if (begins(i, word)) return i + word.size();
  const std::size_t begin = i;
  while (is_digit(i)) ++i;
  const bool has_point = at(i) == '.';
  if (has_point) ++i;
  while (is_digit(i)) ++i;
  if (i - begin == (has_point ? 1 : 0)) return 0;  // no digits
  if ((at(i) | 0x20) != 'e') return i;
  std::size_t end = i + 1 + (at(i + 1) == '-' || at(i + 1) == '+');
  if (!is_digit(end)) return i;
  while (is_digit(end)) ++end;
  return end;
}

inline locale_t c_locale() {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}
inline void convert(const char* text, float& value) { value = strtof_l(text, nullptr, c_locale()); }
inline void convert(const char* text, double& value) {
  value = strtod_l(text, nullptr, c_locale());
}

}  // namespace number_detail

template <class Float>
ParsedNumber parse_number(std::string_view text, Float& value) {
  const std::size_t length = number_detail::number_length(text);
  if (length == 0) return {0, std::errc::invalid_argument};
  const std::string copy(text.substr(0, length));  // strtod wants an end
  Float number = 0;
  errno = 0;
  number_detail::convert(copy.c_str(), number);
  // strtod reports numbers of reduced precision, too, which std::from_chars accepts.
  if (errno == ERANGE && (number == 0 || std::isinf(number)))
    return {length, std::errc::result_out_of_range};
  value = number;
  return {length, std::errc()};
}
#else
template <class Float>
ParsedNumber parse_number(std::string_view text, Float& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return {static_cast<std::size_t>(stop - text.data()), error};
}
#endif

}  // namespace demotic
