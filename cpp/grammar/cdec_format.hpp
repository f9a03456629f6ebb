// cdec's text form of a grammar, one rule per line:
//   [X] ||| das [X,1] ist ||| the [X,1] is ||| EgivenFCoherent=0.30103 CountEF=0.477121 ||| 0-0 2-2
#pragma once

#include <string>
#include <string_view>

#include "grammar/grammar.hpp"

namespace demotic {

std::string to_cdec_format(const Grammar& grammar);

// The text of a whole grammar; for long files see CdecReader.
Grammar from_cdec_format(std::string_view text, const std::string& file);

}  // namespace demotic
