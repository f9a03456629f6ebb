// Dense features and those of templates, told apart by their names.
#pragma once

#include <string_view>

namespace demotic {

// A feature of a template has a colon in its name, a dense one has none.
inline bool is_dense(std::string_view name) { return name.find(':') == std::string_view::npos; }

}  // namespace demotic
