#include "features/name_escape.hpp"

#include <cstdint>

namespace demotic {
namespace {

struct Character {
  std::uint32_t code;
  std::size_t bytes;  // 0: not UTF-8
};

// The first character of a text that is not empty, by the table of well-formed sequences (Unicode, table 3-7).
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (bytes == 0) return {0, 0};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && (code < 0x10000 || code > 0x10ffff));
  return too_long || (code >= 0xd800 && code < 0xe000) ? Character{0, 0} : Character{code, bytes};
}

bool has_a_meaning(std::uint32_t code) { return code == '%' || code == '=' || code == '|' || code == '_' || code == '[' || code == '<'; }

bool is_space_or_control(std::uint32_t code) {
  return code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

void append_hexadecimal(std::string& out, unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
}

}  // namespace

void append_escaped(std::string& out, std::string_view word) {
  if (word.empty()) out += '%';
  while (!word.empty()) {
    const Character character = first_character(word);
    const bool plain = character.bytes > 0 && !has_a_meaning(character.code) && !is_space_or_control(character.code);
    const std::string_view bytes = word.substr(0, character.bytes == 0 ? 1 : character.bytes);
    if (plain)
      out += bytes;
    else
      for (const char c : bytes) append_hexadecimal(out, static_cast<unsigned char>(c));
    word.remove_prefix(bytes.size());
  }
}

}  // namespace demotic
