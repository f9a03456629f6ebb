// Characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace demotic {

struct Character {
  std::uint32_t code;
  std::size_t bytes;  // 0: not UTF-8
};

// The first character of a text that is not empty, by the table of well-formed sequences (Unicode,
// table 3-7).
inline Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xc2   ? 0
                            : lead < 0xe0 ? 2
                            : lead < 0xf0 ? 3
                            : lead < 0xf5 ? 4
                                          : 0;
  if (bytes == 0) return {0, 0};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool too_long =
      (bytes == 3 && code < 0x800) || (bytes == 4 && (code < 0x10000 || code > 0x10ffff));
  return too_long || (code >= 0xd800 && code < 0xe000) ? Character{0, 0} : Character{code, bytes};
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace demotic
