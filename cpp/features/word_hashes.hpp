// Name hashes of all words of a vocabulary: 32 bytes a word, computed once and shared by every sentence that uses it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "corpus/vocab.hpp"
#include "features/name_hash.hpp"

namespace demotic {

class WordHashes {
 public:
  explicit WordHashes(const Vocab& vocab);
  const NameHash& operator[](WordId word) const { return hashes_[word]; }  // of the escaped word
  std::size_t size() const { return hashes_.size(); }

 private:
  std::vector<NameHash> hashes_;
};

// The hashes of the vocabularies that are in use: those of an index stay as long as the index, those of a grammar that was
// read from a file go with it. For any number of threads.
class WordHashCache {
 public:
  std::shared_ptr<const WordHashes> of(const std::shared_ptr<const Vocab>& vocab);

 private:
  struct Entry {
    std::weak_ptr<const Vocab> vocab;
    std::shared_ptr<const WordHashes> hashes;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace demotic
