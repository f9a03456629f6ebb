// A language model in the form that queries want: a forward trie in hash tables whose entries are
// found by (context, word).
//
// Scoring a word after a history is one look-up when the n-gram exists; else the backoff of the
// history is added, the history is shortened along its link, and so on. Most look-ups would fail; a
// filter beside the backoff sees most of these, so that they cost no further place in memory. An
// n-gram is a 32-bit id, whatever the order of the model, and so is a state. Everything here is
// const and may be used from any number of threads. A damaged file gives wrong numbers, never a
// crash: ids are checked when they are followed, and loops are bounded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "corpus/vocab.hpp"
#include "lm/state.hpp"
#include "lm/words.hpp"

namespace demotic {

// The bit of a word in the filter of an n-gram.
inline std::uint64_t filter_bit(WordId word) {
  return std::uint64_t{1} << ((word * 0x9e3779b1u) >> 26);
}

// An n-gram that is shorter than the order of the model.
struct Ngram {
  NgramId context;      // without its last word; kNoContext: an empty place in the table
  WordId word;          // its last word
  float prob, backoff;  // log10
  NgramId link;         // the longest proper suffix that extends to the right
  std::uint8_t length;
  std::uint8_t extends_left;   // 1: some word comes before it in a longer n-gram
  std::uint8_t extends_right;  // 1: it is the context of a longer n-gram, or has a backoff; so it
                               // can be a right state
  std::uint8_t unused;
  std::uint64_t followers;  // bits of the words that stand after it in a longer n-gram

  // False: (this, word) is not in the model. True: it may be.
  bool may_precede(WordId word) const { return (followers & filter_bit(word)) != 0; }
};
static_assert(sizeof(Ngram) == 32);  // two in a cache line

// An n-gram of the highest order: never a context, so it needs no id and no backoff.
struct LongestNgram {
  NgramId context;
  WordId word;
  float prob;
  NgramId link;  // the right state after it
};

constexpr NgramId kNoContext = ~0u;
constexpr std::size_t kMaxNgrams =
    std::size_t{1} << 31;  // places in a table: one bit of an id is kept for LeftState

// A word after a history.
struct WordScore {
  float prob;            // log10
  NgramId state;         // the right state after the word
  std::uint8_t matched;  // length of the longest n-gram of the model that ends here
};

// What happens where two pieces meet: depends on the right state of the first and the left state of
// the second only, so decoders can keep it in a cache under these two numbers.
struct Junction {
  float change;      // of the log10 probability of the second piece
  NgramId right;     // right state of the whole, unless
  bool keeps_right;  // the second piece alone decides it
};

struct Merged {
  float change;  // to be added to the sum of both pieces
  ChartState state;
};

class SectionReader;

class Model {
 public:
  // Arrays in memory, or in a mapped `file` that `owner` keeps alive. Throws Error if they do not
  // fit together.
  struct Arrays {
    unsigned order;
    VocabView vocab;
    std::span<const Ngram> ngrams;  // [0]: empty n-gram, [1 + w]: unigram w, then a hash table of
                                    // orders 2 to order - 1
    std::span<const LongestNgram> longest;  // hash table of the highest order, if that is not 1
    std::span<const std::uint64_t> counts;  // n-grams of each order
  };
  Model(const Arrays& arrays, std::shared_ptr<const void> owner,
        const SectionReader* file = nullptr);
  // Throws Error if the model lies in a mapped file that somebody has changed since.
  void check_unchanged() const;

  unsigned order() const { return arrays_.order; }
  const VocabView& vocab() const { return arrays_.vocab; }
  const Arrays& arrays() const { return arrays_; }

  // --- words
  // kUnknown for words outside the vocabulary. <s> and </s> are marks, not words: inside a sentence
  // they are unknown.
  WordId word(std::string_view text) const {
    const WordId id = arrays_.vocab.find(text).value_or(kUnknown);
    return id == kBegin || id == kEnd ? kUnknown : id;
  }
  static bool is_oov(WordId word) { return word == kUnknown; }

  // --- left to right
  NgramId begin_state() const { return right_state(unigram(kBegin)); }
  inline WordScore score(NgramId state, WordId word) const;

  // --- pieces, for chart decoding
  // The piece "<s>", whose probability counts as 1.
  ChartState begin_piece() const { return {LeftState(kEmptyNgram, true), begin_state()}; }
  // Puts a word behind a piece; returns the log10 probability that this adds.
  inline float append(ChartState& piece, WordId word) const;
  // Puts two pieces together.
  inline Merged merge(ChartState first, ChartState second) const;
  // The two halves of merge, for decoders that cache them: the junction, and the left state of a
  // piece that another one follows (needed only while it is not full).
  inline Junction join(NgramId right, LeftState left) const;
  inline LeftState extend(LeftState left, LeftState next) const;
  // </s> behind a piece: the probability that ends a sentence.
  float end(ChartState piece) const { return score(piece.right, kEnd).prob; }

  // The n-gram of an id; the empty one for ids that no n-gram has.
  const Ngram& ngram(NgramId id) const {
    return arrays_.ngrams[id < arrays_.ngrams.size() ? id : kEmptyNgram];
  }
  // The id of (context, word), or kEmptyNgram. `context` is at most two words shorter than the
  // order.
  inline NgramId find(NgramId context, WordId word) const;

 private:
  NgramId unigram(WordId word) const { return 1 + (word < words_ ? word : kUnknown); }
  NgramId right_state(NgramId id) const { return ngram(id).extends_right ? id : ngram(id).link; }
  inline const LongestNgram* find_longest(NgramId context, WordId word) const;
  inline unsigned beginnings(NgramId id, std::array<NgramId, kMaxOrder>& result) const;
  inline LeftState extend(LeftState left, WordId word) const;

  Arrays arrays_;
  std::size_t words_, middle_slots_;
  std::shared_ptr<const void> owner_;
  const SectionReader* file_;  // null: the arrays lie in memory
};

// Where (context, word) belongs in a table of `slots` places; on collisions the next free place is
// taken.
inline std::size_t home_slot(NgramId context, WordId word, std::size_t slots) {
  const std::uint64_t hash = mix((std::uint64_t{context} << 32) | word) >> 32;
  return static_cast<std::size_t>((hash * slots) >> 32);
}

inline NgramId Model::find(NgramId context, WordId word) const {
  if (context == kEmptyNgram) return unigram(word);
  const Ngram* table = arrays_.ngrams.data() + 1 + words_;
  for (std::size_t slot = home_slot(context, word, middle_slots_), tries = middle_slots_; tries > 0;
       --tries) {
    const Ngram& candidate = table[slot];
    if (candidate.context == context && candidate.word == word)
      return static_cast<NgramId>(1 + words_ + slot);
    if (candidate.context == kNoContext) break;
    if (++slot == middle_slots_) slot = 0;
  }
  return kEmptyNgram;
}

inline const LongestNgram* Model::find_longest(NgramId context, WordId word) const {
  const std::size_t slots = arrays_.longest.size();
  for (std::size_t slot = home_slot(context, word, slots), tries = slots; tries > 0; --tries) {
    const LongestNgram& candidate = arrays_.longest[slot];
    if (candidate.context == context && candidate.word == word) return &candidate;
    if (candidate.context == kNoContext) break;
    if (++slot == slots) slot = 0;
  }
  return nullptr;
}

inline WordScore Model::score(NgramId state, WordId word) const {
  float backoff = 0;
  for (unsigned tries = arrays_.order; tries > 0; --tries) {  // a history is shorter at every step
    const Ngram& history = ngram(state);
    if (history.length == 0) break;
    if (!history.may_precede(word)) {
      // no look-up
    } else if (history.length + 1u == arrays_.order) {
      if (const LongestNgram* found = find_longest(state, word))
        return {backoff + found->prob, found->link, static_cast<std::uint8_t>(arrays_.order)};
    } else if (const NgramId id = find(state, word); id != kEmptyNgram) {
      const Ngram& found = ngram(id);
      return {backoff + found.prob, found.extends_right ? id : found.link, found.length};
    }
    backoff += history.backoff;
    state = history.link;
  }
  const NgramId id = unigram(word);
  return {backoff + ngram(id).prob, right_state(id), 1};
}

inline float Model::append(ChartState& piece, WordId word) const {
  if (!piece.left.full()) piece.left = extend(piece.left, word);
  const WordScore scored = score(piece.right, word);
  piece.right = scored.state;
  return scored.prob;
}

inline Merged Model::merge(ChartState first, ChartState second) const {
  const Junction junction = join(first.right, second.left);
  const LeftState left = first.left.full() ? first.left : extend(first.left, second.left);
  return {junction.change, {left, junction.keeps_right ? second.right : junction.right}};
}

// The n-grams "w1", "w1 w2", ... that n-gram "w1 ... wn" begins with, itself the last; returns n.
inline unsigned Model::beginnings(NgramId id, std::array<NgramId, kMaxOrder>& result) const {
  const unsigned length = ngram(id).length;
  for (unsigned i = length; i > 0; --i) {
    result[i - 1] = id;
    id = ngram(id).context;
  }
  return length;
}

inline Junction Model::join(NgramId right, LeftState left) const {
  std::array<NgramId, kMaxOrder> alone;
  const unsigned length = beginnings(left.ngram(), alone);
  float change = 0;
  for (unsigned i = 0; i < length; ++i) {
    if (ngram(right).length <= i)
      return {change, right, true};  // no word of the first piece is in play any more
    const Ngram& before = ngram(alone[i]);
    const WordScore after = score(right, before.word);
    change += after.prob - before.prob;
    right = after.state;
  }
  if (!left.full()) return {change, right, false};
  // No n-gram reaches from the first piece to the word that follows here; it pays for the longer
  // histories by their backoffs.
  for (unsigned tries = arrays_.order; tries > 0 && ngram(right).length > length; --tries) {
    change += ngram(right).backoff;
    right = ngram(right).link;
  }
  return {change, right, true};
}

// Words are added to a left state as long as they form an n-gram that something could stand before.
inline LeftState Model::extend(LeftState left, WordId word) const {
  const Ngram& beginning = ngram(left.ngram());
  if (beginning.length + 1u < arrays_.order && beginning.may_precede(word))
    if (const NgramId longer = find(left.ngram(), word);
        longer != kEmptyNgram && ngram(longer).extends_left)
      return {longer, false};
  return {left.ngram(), true};
}

inline LeftState Model::extend(LeftState left, LeftState next) const {
  std::array<NgramId, kMaxOrder> beginning;
  const unsigned length = beginnings(next.ngram(), beginning);
  for (unsigned i = 0; i < length && !left.full(); ++i)
    left = extend(left, ngram(beginning[i]).word);
  return {left.ngram(), left.full() || next.full()};
}

}  // namespace demotic
