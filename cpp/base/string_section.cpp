#include "base/string_section.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace demotic {

void add_strings(SectionWriter& file, const std::string& name,
                 const std::vector<std::string_view>& strings) {
  std::vector<char> text;
  std::vector<std::uint64_t> ends;
  for (const std::string_view string : strings) {
    text.insert(text.end(), string.begin(), string.end());
    ends.push_back(text.size());
  }
  file.add(name + ".text", text);
  file.add(name + ".ends", ends);
}

std::vector<std::string_view> read_strings(const SectionReader& file, const std::string& name) {
  const auto text = file.section<char>(name + ".text");
  const auto ends = file.section<std::uint64_t>(name + ".ends");
  if ((ends.empty() ? 0 : ends.back()) != text.size() || !std::ranges::is_sorted(ends))
    file.damaged("'" + name + ".ends' does not divide '" + name + ".text'");
  std::vector<std::string_view> strings;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    strings.emplace_back(text.data() + begin, static_cast<std::size_t>(end - begin));
    if (!is_utf8(strings.back())) file.damaged("'" + name + ".text' is not UTF-8");
    begin = end;
  }
  return strings;
}

}  // namespace demotic
