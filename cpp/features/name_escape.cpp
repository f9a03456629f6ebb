#include "features/name_escape.hpp"

#include <cstdint>

#include "base/utf8.hpp"

namespace demotic {
namespace {

bool has_a_meaning(std::uint32_t code) {
  return code == '%' || code == '=' || code == '|' || code == '_' || code == '[' || code == '<';
}

bool is_space_or_control(std::uint32_t code) {
  return code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f ||
         code == 0x205f || code == 0x3000;
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
    const bool plain = character.bytes > 0 && !has_a_meaning(character.code) &&
                       !is_space_or_control(character.code);
    const std::string_view bytes = word.substr(0, character.bytes == 0 ? 1 : character.bytes);
    if (plain)
      out += bytes;
    else
      for (const char c : bytes) append_hexadecimal(out, static_cast<unsigned char>(c));
    word.remove_prefix(bytes.size());
  }
}

}  // namespace demotic
