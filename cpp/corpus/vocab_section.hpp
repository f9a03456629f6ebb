// Vocabularies in section files: NAME.text and NAME.vocab.
#pragma once

#include <string>

#include "base/section_file.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

void add_vocab(SectionWriter& file, const std::string& name, const Vocab& vocab);  // two sections
Vocab read_vocab(const SectionReader& file,
                 const std::string& name);  // throws Error if the sections are damaged

}  // namespace demotic
