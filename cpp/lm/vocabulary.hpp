// Choosing the words that a model knows; all others become <unk>.
#pragma once

#include "corpus/vocab.hpp"
#include "lm/suffix_trie.hpp"

namespace demotic {

// special_words() and the `limit` most frequent words of a text, given its counts; words of the
// same frequency by their spelling. 0: no limit.
Vocab frequent_words(const SuffixTrie& counts, const Vocab& vocab, std::size_t limit);

}  // namespace demotic
