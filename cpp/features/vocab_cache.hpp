// Tables about the words of vocabularies that are in use: those of an index stay as long as the
// index, those of a grammar that was read from a file go with it.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "corpus/vocab.hpp"

namespace demotic {

// `Table` has a member size(), the number of words. For any number of threads.
template <class Table>
class VocabCache {
 public:
  // The table of a vocabulary, made by make(vocab) if it is new or has grown.
  template <class Make>
  std::shared_ptr<const Table> of(const std::shared_ptr<const Vocab>& vocab, Make make) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.vocab.expired(); });
    for (Entry& entry : entries_) {
      if (entry.vocab.lock() != vocab) continue;
      if (entry.table->size() != vocab->size())
        entry.table = std::make_shared<const Table>(make(*vocab));  // words were added
      return entry.table;
    }
    entries_.push_back({vocab, std::make_shared<const Table>(make(*vocab))});
    return entries_.back().table;
  }

 private:
  struct Entry {
    std::weak_ptr<const Vocab> vocab;
    std::shared_ptr<const Table> table;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace demotic
