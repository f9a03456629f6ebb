// A corpus ready for rule extraction: one memory-mapped file, about 40 bytes per source word, and
// the pairs that were added to it since it was built.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/section_file.hpp"
#include "corpus/bitext.hpp"
#include "grammar/index_part.hpp"

namespace demotic {

struct IndexReport {
  std::size_t pairs = 0;
  std::size_t left_out = 0;  // pairs with a side of more than kMaxRecordWords words: they keep
                             // their number but give no rules
};

// Called with the name of each of the kIndexSteps steps of the work when it begins.
using OnIndexStep = std::function<void(const char*)>;
constexpr int kIndexSteps = 4;

// Builds the index file of a word-aligned bitext. Target words are renumbered in byte order, so
// that comparing ids compares words and nothing depends on the order in which words came up.
IndexReport build_index(
    const Bitext& bitext, const std::string& path, unsigned threads,
    const OnIndexStep& on_step = [](const char*) {});

// A pair to add: words separated by spaces, links in Pharaoh format.
struct AddedPair {
  std::string source, target, links;
};

// Compares target symbols by their words. The words of an index file are numbered in byte order;
// those that came with additions are not.
class TargetOrder {
 public:
  TargetOrder(const Vocab& vocab, std::size_t sorted)
      : vocab_(vocab), sorted_(static_cast<std::int32_t>(sorted)) {}
  bool operator()(std::int32_t a, std::int32_t b) const {
    if ((a < sorted_ && b < sorted_) || a < 0 || b < 0) return a < b;
    return vocab_.word(static_cast<WordId>(a)) < vocab_.word(static_cast<WordId>(b));
  }

 private:
  const Vocab& vocab_;
  std::int32_t sorted_;
};

// Immutable. Pairs of the file are numbered from 0 on, added ones from where they end. What is
// extracted is what an index of all pairs together would give, in the same order; with sampling,
// every part is sampled by itself, so that additions are looked at even where the file alone fills
// the sample.
class GrammarIndex {
 public:
  // Checks everything in the file, in parallel.
  GrammarIndex(const std::string& path, unsigned threads);
  // The file of `other`, with these pairs in place of its additions. Throws Error for a pair that
  // is empty, too long, or whose links are no links.
  GrammarIndex(const GrammarIndex& other, std::span<const AddedPair> additions);
  GrammarIndex(const GrammarIndex&) = delete;
  GrammarIndex& operator=(const GrammarIndex&) = delete;

  std::size_t size() const { return file_size() + added(); }
  std::size_t file_size() const { return parts_[0].size(); }
  std::size_t added() const { return parts_.size() > 1 ? parts_[1].size() : 0; }
  // The file, and the additions if there are any.
  std::span<const IndexPart> parts() const { return parts_; }
  // The part of a sentence pair, and its number there.
  struct Place {
    std::size_t part, sentence;
  };
  Place place_of(std::size_t sentence) const {
    const bool is_added = sentence >= file_size();
    return {is_added, is_added ? sentence - file_size() : sentence};
  }

  const std::shared_ptr<const Vocab>& source_vocab() const { return source_vocab_; }
  const std::shared_ptr<const Vocab>& target_vocab() const { return target_vocab_; }
  TargetOrder target_order() const { return {*target_vocab_, parts_[0].target.vocab_size()}; }
  // NULL of the lexicon of all parts.
  WordId source_null() const { return static_cast<WordId>(source_vocab_->size()); }
  WordId target_null() const { return static_cast<WordId>(target_vocab_->size()); }
  const std::string& path() const { return file_->path(); }
  std::size_t bytes() const { return file_->bytes(); }
  // Throws Error if somebody has changed the file since it was opened.
  void check_unchanged() const { file_->check_unchanged(); }
  std::size_t left_out() const;

 private:
  std::shared_ptr<const SectionReader> file_;
  std::shared_ptr<const Vocab> file_source_vocab_, file_target_vocab_;  // of the file
  std::shared_ptr<const Vocab> source_vocab_, target_vocab_;            // of all parts
  IndexPartBuffers additions_;
  std::vector<IndexPart> parts_;
};

}  // namespace demotic
