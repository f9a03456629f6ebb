// Name hashes of all words of a vocabulary: 64 bytes a word, computed once and shared by every
// sentence that uses it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "corpus/vocab.hpp"
#include "features/name_hash.hpp"
#include "features/vocab_cache.hpp"

namespace demotic {

// A symbol inside a name, at the beginning of a side or with the joint _ before it.
struct SymbolHash {
  constexpr SymbolHash() = default;
  constexpr explicit SymbolHash(std::string_view text)
      : first(hash_name(text)), joined(concatenate(hash_name("_"), first)) {}
  NameHash first, joined;
};

class WordHashes {
 public:
  explicit WordHashes(const Vocab& vocab);
  const SymbolHash& operator[](WordId word) const { return hashes_[word]; }  // of the escaped word
  std::size_t size() const { return hashes_.size(); }

 private:
  std::vector<SymbolHash> hashes_;
};

// The hashes of the vocabularies that are in use. For any number of threads.
class WordHashCache {
 public:
  std::shared_ptr<const WordHashes> of(const std::shared_ptr<const Vocab>& vocab) {
    return cache_.of(vocab, [](const Vocab& words) { return WordHashes(words); });
  }

 private:
  VocabCache<WordHashes> cache_;
};

}  // namespace demotic
