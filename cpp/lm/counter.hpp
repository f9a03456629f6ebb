// Counting the n-grams of a text: words become ids, blocks of text are sorted in memory, and when a
// block would grow beyond the memory limit it is sorted and put on disk, to be merged with the
// others at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/huge_vector.hpp"
#include "lm/run_file.hpp"
#include "lm/suffix_sort.hpp"
#include "lm/suffix_trie.hpp"
#include "lm/words.hpp"

namespace demotic {

struct CounterOptions {
  unsigned order = 3;
  unsigned threads = 1;
  std::uint64_t memory = std::uint64_t{1} << 31;  // bytes for the text that is being sorted
  std::string temporary = "/tmp";                 // folder for what goes to disk
  bool folds = false;  // remember in which fold of the text an n-gram occurs
};

class NgramCounter {
 public:
  // With `closed`, words outside `vocab` count as <unk>; else the vocabulary grows. `vocab` begins
  // with special_words().
  NgramCounter(CounterOptions options, Vocab vocab, bool closed);
  NgramCounter(const NgramCounter&) = delete;
  NgramCounter& operator=(const NgramCounter&) = delete;

  // Sentences, one per line; lines without words are left out. <s> and </s> in the text throw Error
  // with file and line: they are added here. The fold of line i is folds[i], or 0 where `folds` is
  // empty.
  void add(std::string_view lines, std::span<const Fold> folds);
  // The name under which errors in the lines to come are reported; lines count from 1 again.
  void begin_file(std::string path);

  // Everything counted so far; the counter is empty afterwards.
  SuffixTrie finish();

  const Vocab& vocab() const { return vocab_; }
  std::uint64_t sentences() const { return sentences_; }
  std::uint64_t words() const { return words_; }  // without <s> and </s>
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Block {
    HugeVector<WordId> text;
    HugeVector<Fold> folds;  // of each position; empty unless options.folds
  };
  bool add_sentence(std::string_view line);
  WordId id(std::string_view word);
  void spill();
  void count_folds(std::span<const std::uint32_t> positions, std::vector<Fold>& scratch,
                   std::vector<FoldCount>& counts) const;
  void visit(
      SuffixSorter& sorter, WordId begin, WordId end,
      const std::function<void(std::span<const WordId>, std::span<const FoldCount>)>& visit) const;

  CounterOptions options_;
  Vocab vocab_;
  bool closed_;
  std::size_t block_limit_;
  Block block_;
  std::vector<RunFile> runs_;
  std::string file_;
  std::uint64_t line_ = 0, sentences_ = 0, words_ = 0;
};

}  // namespace demotic
