#include "corpus/vocab_section.hpp"

#include "base/error.hpp"

namespace demotic {

void add_vocab(SectionWriter& file, const std::string& name, const Vocab& vocab) {
  file.add(name + ".text", vocab.text());
  file.add(name + ".vocab", vocab.starts());
}

Vocab read_vocab(const SectionReader& file, const std::string& name) {
  try {
    return Vocab::from_arrays(file.section<char>(name + ".text"),
                              file.section<std::uint64_t>(name + ".vocab"));
  } catch (const Error& error) {
    file.damaged(name + " vocabulary: " + error.message());
  }
}

}  // namespace demotic
