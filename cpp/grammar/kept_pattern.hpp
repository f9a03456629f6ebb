// What is kept of a pattern so that its rules can be counted without any one sentence pair.
//
// Leave-one-out training masks one sentence after the other. Nearly all of a sample is the same for
// each of them: the sentence's own occurrences go, and the next ones in the same order take their
// place. So the sample without mask is kept with some spare occurrences, and the rules counted in
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/prefetch.hpp"
#include "grammar/occurrences.hpp"
#include "grammar/rules_of_occurrence.hpp"

namespace demotic {

constexpr std::uint32_t kSpare = 8;  // occurrences beyond the sample, anchors beyond the limit
constexpr std::uint32_t kMaxKeptSamples = 0xffff;  // a rule has fewer alignments than that

struct KeptRule {
  std::uint32_t count, target_begin, alignment_begin;
  std::uint16_t alignments;
  std::uint8_t target_length, ends;
};
struct KeptAlignment {
  AlignmentBits bits;
  std::uint32_t count;
};
struct RuleCounts {
  std::vector<KeptRule> rules;  // in the order of RuleCounter
  std::vector<KeptAlignment> alignments;
  std::vector<Symbol> symbols;

  void clear() { rules.clear(), alignments.clear(), symbols.clear(); }
};

// All arrays in one piece of memory: a pattern costs few places.
class KeptPattern {
 public:
  // `size`: so many of the occurrences are the sample; the others are spare. `counts`: of the
  // sample.
  KeptPattern(const Sample& sample, std::uint32_t size, const RuleCounts& counts);

  // The length of the sample in what a scan with spares found.
  static std::uint32_t sample_size(const Sample& sample, int chunks, const ExtractOptions& options);

  std::uint32_t size() const { return size_; }
  // Ranks in the tour of the anchor before which all occurrences are here.
  std::uint32_t reach() const { return reach_; }
  std::span<const Occurrence> occurrences() const { return part<Occurrence>(0); }
  // The rank of an occurrence: the last one of the sample, or a spare one.
  std::uint32_t rank(std::size_t i) const { return part<std::uint32_t>(1)[i + 1 - size_]; }
  std::span<const KeptRule> rules() const { return part<KeptRule>(2); }
  std::span<const KeptAlignment> alignments() const { return part<KeptAlignment>(3); }
  std::span<const Symbol> symbols() const { return part<Symbol>(4); }
  std::size_t bytes() const { return sizeof *this + 4 * std::size_t{ends_[4]}; }
  void prefetch() const { demotic::prefetch(memory_.get()); }

 private:
  template <class T>
  std::span<const T> part(int i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    return {reinterpret_cast<const T*>(memory_.get() + begin),
            4 * std::size_t{ends_[i] - begin} / sizeof(T)};
  }

  std::unique_ptr<std::uint32_t[]> memory_;
  std::uint32_t ends_[5];  // of the parts
  std::uint32_t size_, reach_;
};

// What a mask changes in a sample.
struct SampleChange {
  std::vector<Occurrence> removed, added;
  std::uint32_t samples;  // that it then has
  double total;

  void clear() { removed.clear(), added.clear(), samples = 0, total = 0; }
};

// The samples of the patterns of one input under the mask of one sentence pair, in an index without
// additions.
class OneOutSamples {
 public:
  OneOutSamples(const IndexedText& text, const ExtractOptions& options)
      : text_(text), options_(options) {}

  // From here on, for this input and mask.
  void start(const InputTrie& trie, const Mask& mask);

  // False: the spare occurrences do not suffice.
  bool change(const Pattern& pattern, const KeptPattern& kept, SampleChange& result);
  bool all_masked(std::span<const Occurrence> occurrences) const;

 private:
  struct Ranks {
    bool is_known = false, is_complete = false;
    std::vector<std::uint32_t> ranks;
  };

  void change_chunk(SuffixRange range, const KeptPattern& kept, SampleChange& result) const;
  // The ranks of the masked occurrences of an anchor in its tour, rising.
  const Ranks& masked_ranks(NodeId anchor);

  const IndexedText& text_;
  const ExtractOptions& options_;
  const InputTrie* trie_ = nullptr;
  const PositionSet* masked_ = nullptr;
  std::uint32_t sentence_ = 0;
  std::vector<Ranks> ranks_;  // by node
  std::vector<WordId> words_;
};

}  // namespace demotic
