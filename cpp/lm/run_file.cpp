#include "lm/run_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"

namespace demotic {

RunFile::RunFile(const std::string& folder) : folder_(folder) {
  std::string name = folder + "/demotic-lm-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) fail("cannot create a temporary file");
  ::unlink(name.c_str());
  file_.reset(::fdopen(descriptor, "w+b"));
  if (!file_) {
    ::close(descriptor);
    fail("cannot open a temporary file");
  }
}

void RunFile::encode(std::span<const WordId> reversed, std::span<const FoldCount> counts,
                     std::vector<std::uint32_t>& buffer) {
  for (const FoldCount& in_fold : counts) {
    buffer.insert(buffer.end(),
                  {static_cast<std::uint32_t>(reversed.size()), in_fold.fold, in_fold.count});
    buffer.insert(buffer.end(), reversed.begin(), reversed.end());
  }
}

void RunFile::write(std::span<const std::uint32_t> buffer) {
  if (std::fwrite(buffer.data(), sizeof(std::uint32_t), buffer.size(), file_.get()) !=
      buffer.size())
    fail("cannot write a temporary file");
  left_ += buffer.size();
}

void RunFile::rewind() {
  if (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0)
    fail("cannot write a temporary file");
}

bool RunFile::next() {
  if (left_ == 0) return false;
  ngram_.resize(read());
  count_.fold = static_cast<Fold>(read());
  count_.count = read();
  for (WordId& word : ngram_) word = read();
  return true;
}

std::uint32_t RunFile::read() {
  std::uint32_t value;
  if (std::fread(&value, sizeof value, 1, file_.get()) != 1) fail("cannot read a temporary file");
  --left_;
  return value;
}

void RunFile::fail(const std::string& what) const {
  const char* hint =
      errno == ENOSPC
          ? "the disk is full: free some space, or choose another folder for temporary files"
          : "check the folder for temporary files";
  throw Error(what + ": " + std::strerror(errno), folder_, 0, hint);
}

void merge_runs(std::vector<RunFile>& runs, SuffixTrieBuilder& trie) {
  std::vector<RunFile*> heap;
  for (RunFile& run : runs) {
    run.rewind();
    if (run.next()) heap.push_back(&run);
  }
  const auto later = [](const RunFile* a, const RunFile* b) {
    return std::lexicographical_compare(b->ngram().begin(), b->ngram().end(), a->ngram().begin(),
                                        a->ngram().end());
  };
  std::make_heap(heap.begin(), heap.end(), later);
  std::vector<WordId> ngram;
  std::vector<FoldCount> counts;
  while (!heap.empty()) {
    ngram.assign(heap.front()->ngram().begin(), heap.front()->ngram().end());
    counts.clear();
    while (!heap.empty() && std::ranges::equal(heap.front()->ngram(), ngram)) {
      std::pop_heap(heap.begin(), heap.end(), later);
      RunFile* run = heap.back();
      const auto same_fold = std::find_if(counts.begin(), counts.end(), [&](const FoldCount& seen) {
        return seen.fold == run->count().fold;
      });
      if (same_fold == counts.end())
        counts.push_back(run->count());
      else
        same_fold->count = saturating_add(same_fold->count, run->count().count);
      if (run->next())
        std::push_heap(heap.begin(), heap.end(), later);
      else
        heap.pop_back();
    }
    std::sort(counts.begin(), counts.end(),
              [](const FoldCount& a, const FoldCount& b) { return a.fold < b.fold; });
    trie.add(ngram, counts);
  }
}

}  // namespace demotic
