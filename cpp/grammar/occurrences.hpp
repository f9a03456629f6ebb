// Where the patterns of an input occur in the corpus.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grammar/indexed_text.hpp"
#include "grammar/mask.hpp"
#include "grammar/options.hpp"
#include "grammar/pattern.hpp"

namespace demotic {

struct Occurrence {
  std::uint32_t position;              // of the first chunk in the source text
  std::uint8_t second = 0, third = 0;  // where the other chunks begin, counted from there
};

// The occurrences of one pattern that are looked at, and how many there are in all.
struct Sample {
  std::vector<Occurrence> occurrences;
  double total = 0;  // exact if all are in the sample, else estimated from the share of the corpus
                     // that was seen
  // Of a scan with spares: the rank of every occurrence's anchor in the tour, and how many ranks
  // are complete.
  std::vector<std::uint32_t> ranks;
  std::uint32_t reach = 0;

  void clear() {
    occurrences.clear();
    ranks.clear();
    total = 0;
    reach = 0;
  }
};

// Which occurrences of a chunk with more than max_samples are looked at: at equal distances in the
// suffix array as in cdec; for a masked one its nearest neighbour in the same interval.
class IntervalSample {
 public:
  IntervalSample(const IndexedText& text, SuffixRange range, std::uint32_t max_samples,
                 const PositionSet* masked)
      : text_(text),
        range_(range),
        max_samples_(max_samples),
        masked_(masked),
        step_(static_cast<double>(range.size()) / max_samples) {}

  // Places in the suffix array: the middle of interval k; and the nearest one that is not masked,
  // if there is any. Nothing before `next` is looked at.
  std::uint32_t middle(std::uint32_t k) const;
  std::optional<std::uint32_t> find(std::uint32_t k, std::uint32_t next) const;
  double step() const { return step_; }

 private:
  bool excluded(std::uint32_t place) const {
    return masked_ != nullptr && masked_->contains(text_.suffixes[place]);
  }

  const IndexedText& text_;
  const SuffixRange range_;
  const std::uint32_t max_samples_;
  const PositionSet* const masked_;
  const double step_;
};

// A pattern of one chunk: all occurrences, or those of IntervalSample.
void sample_chunk(const IndexedText& text, SuffixRange range, const PositionSet* masked,
                  std::uint32_t max_samples, Sample& sample);

// Finds the occurrences of all patterns that share their rarest chunk, the anchor, in one pass over
// its occurrences: the words around each one are compared with the input and fill the samples of
// all patterns at once. Occurrences are visited in a fixed stride, so that wherever a sample is
// full it is spread evenly, and it never depends on other patterns.
class AnchorScan {
 public:
  // `vocab_size`: of the trie; the text may know fewer words.
  AnchorScan(const IndexedText& text, std::size_t part, std::size_t vocab_size,
             const ExtractOptions& options)
      : text_(text), part_(part), options_(options), stops_(vocab_size / 64 + 1, 0) {
    stops_[0] = 1;
  }

  // samples[i] receives the occurrences of patterns[i]; all have the same anchor node and more than
  // one chunk. With `spare`, samples and limits are so much larger.
  void run(const InputTrie& trie, std::span<const Pattern> patterns, const PositionSet* masked,
           std::span<Sample> samples, std::uint32_t spare = 0);

 private:
  static constexpr std::int32_t kNone = -1;

  // What a node of the trie is for the patterns of this anchor.
  struct Partner {
    std::int32_t before = kNone, after = kNone;  // pattern  node X anchor,  anchor X node
    std::int32_t index = kNone;  // row and column in the tables of patterns of three chunks
    std::uint32_t open =
        0;  // of a root: patterns with a chunk that begins so, whose sample is not full
  };
  struct Match {  // a partner in the window around the anchor
    std::uint32_t begin, end;
    std::int32_t index;
  };

  // A token at which the window is looked at more closely: a boundary, or the first word of a chunk
  // that is still wanted. A bit per word of the vocabulary: it fits the nearest cache, which what
  // is known of the words does not.
  bool is_stop(Token token) const { return (stops_[token / 64] >> (token % 64) & 1) != 0; }
  void count_open(const InputTrie& trie, const Pattern& pattern, int change);

  void prepare(const InputTrie& trie, std::span<const Pattern> patterns);
  std::int32_t index_of(NodeId node);
  std::int32_t& table(int anchor, std::int32_t first, std::int32_t second);
  void scan(const InputTrie& trie, SuffixRange range, const PositionSet* masked);
  void visit(const InputTrie& trie, std::uint32_t position);
  void match_before(const InputTrie& trie, std::uint32_t position);
  void match_after(const InputTrie& trie, std::uint32_t position);
  void match_triples(const InputTrie& trie, std::uint32_t position);
  void add(const InputTrie& trie, std::int32_t pattern, std::uint32_t first, std::uint32_t second,
           std::uint32_t third);
  void close(const InputTrie& trie, std::int32_t pattern);
  void close_all(const InputTrie& trie, std::uint8_t size);

  const IndexedText& text_;
  const std::size_t part_;  // of the index, whose text this is
  const ExtractOptions& options_;

  // State of one run.
  std::span<const Pattern> patterns_;
  std::span<Sample> samples_;
  std::vector<std::uint64_t> stops_;
  std::vector<Partner> partners_;  // per node
  std::vector<NodeId> used_;       // nodes whose partner is set
  std::vector<std::int32_t*>
      slots_;  // where each pattern stands in partners_ or tables_; emptied when its sample is full
  std::vector<std::int32_t>
      tables_[3];  // by place of the anchor: patterns of three chunks by their other two
  std::int32_t indices_ = 0;
  std::uint32_t anchor_length_ = 0, deepest_ = 1;
  std::uint32_t open_pairs_ = 0, open_triples_ = 0, visited_ = 0;
  std::uint32_t spare_ = 0, rank_ = 0;  // rank_: of the anchor that is visited
  double share_ = 0;  // of the anchor's occurrences that have been passed, masked ones too
  std::vector<Match> before_, after_;
};

}  // namespace demotic
