// Sorted n-grams that did not fit into memory: written to nameless temporary files, read back
// merged.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/vocab.hpp"
#include "lm/suffix_trie.hpp"

namespace demotic {

// One sorted run on disk. The file has no name from the start, so that it disappears with the
// process however that ends.
class RunFile {
 public:
  explicit RunFile(const std::string& folder);

  // Appends an n-gram to a buffer in the form that write() takes.
  static void encode(std::span<const WordId> reversed, std::span<const FoldCount> counts,
                     std::vector<std::uint32_t>& buffer);
  void write(std::span<const std::uint32_t> buffer);

  // Reading: rewind() once, then next() until it returns false; ngram() and count() describe the
  // last record.
  void rewind();
  bool next();
  std::span<const WordId> ngram() const { return ngram_; }
  FoldCount count() const { return count_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::uint32_t read();
  [[noreturn]] void fail(const std::string& what) const;

  std::string folder_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t left_ = 0;  // values not yet read
  std::vector<WordId> ngram_;
  FoldCount count_{};
};

// Merges sorted runs: every n-gram once, in suffix order, with its counts in all runs.
void merge_runs(std::vector<RunFile>& runs, SuffixTrieBuilder& trie);

}  // namespace demotic
