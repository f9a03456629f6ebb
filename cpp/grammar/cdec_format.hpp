// cdec's text form of a grammar, one rule per line:
//   [X] ||| das [X,1] ist ||| the [X,1] is ||| EgivenFCoherent=0.30103 CountEF=0.477121 ||| 0-0 2-2
#pragma once

#include <string>
#include <string_view>

#include "grammar/grammar.hpp"

namespace demotic {

std::string to_cdec_format(const Grammar& grammar);

// Rules are grouped by source side, both in the order of the file. Features that a line does not name are 0; the alignment may
// be absent; labels of nonterminals are free ([NP] ||| das [N,1] ||| ...), with X the first of Grammar::labels. The result has
// its own vocabularies. `file` is for errors.
Grammar from_cdec_format(std::string_view text, const std::string& file);

}  // namespace demotic
