#include "features/word_hashes.hpp"

#include <string>

#include "features/name_escape.hpp"

namespace demotic {

WordHashes::WordHashes(const Vocab& vocab) {
  hashes_.reserve(vocab.size());
  std::string escaped;
  for (WordId id = 0; id < vocab.size(); ++id) {
    escaped.clear();
    append_escaped(escaped, vocab.word(id));
    hashes_.emplace_back(escaped);
  }
}

}  // namespace demotic
