// Words inside feature names. Escaping is reversible: two words never look alike, and a name parses
// back into its words.
#pragma once

#include <string>
#include <string_view>

namespace demotic {

// Appends a word with %XX for every byte that means something in a name (% = | _ [ <), in text
// files (white space and control characters, Unicode's too) or that is not UTF-8; so names are
// always valid UTF-8. The empty word is a single %.
void append_escaped(std::string& out, std::string_view word);

}  // namespace demotic
