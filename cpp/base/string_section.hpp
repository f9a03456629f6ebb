// Lists of strings in a section file: NAME.text has the bytes of all strings one after the other,
// NAME.ends where each ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/section_file.hpp"

namespace demotic {

void add_strings(SectionWriter& file, const std::string& name,
                 const std::vector<std::string_view>& strings);  // two sections
// Views into the file. Throws Error if the sections do not fit together or a string is not UTF-8.
std::vector<std::string_view> read_strings(const SectionReader& file, const std::string& name);

}  // namespace demotic
