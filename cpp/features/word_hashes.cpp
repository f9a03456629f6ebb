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

std::shared_ptr<const WordHashes> WordHashCache::of(const std::shared_ptr<const Vocab>& vocab) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const Entry& entry) { return entry.vocab.expired(); });
  for (Entry& entry : entries_) {
    if (entry.vocab.lock() != vocab) continue;
    if (entry.hashes->size() != vocab->size())
      entry.hashes = std::make_shared<const WordHashes>(*vocab);  // words were added
    return entry.hashes;
  }
  entries_.push_back({vocab, std::make_shared<const WordHashes>(*vocab)});
  return entries_.back().hashes;
}

}  // namespace demotic
