#include "lm/model_builder.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr double kSlotsPerNgram = 1.33;  // fuller tables are smaller but take longer to search
constexpr std::size_t kAhead =
    32;  // entries that are looked at before their turn, so that memory has time to answer
constexpr Ngram kFreePlace{kNoContext, 0, 0, 0, kEmptyNgram, 0, 0, 0, 0, 0};
constexpr LongestNgram kFreeLongest{kNoContext, 0, 0, kEmptyNgram};

std::size_t slots_for(std::uint64_t ngrams) {
  const auto slots = static_cast<std::uint64_t>(static_cast<double>(ngrams) * kSlotsPerNgram) + 1;
  if (slots >= kMaxNgrams / 2)
    throw Error("more n-grams than a model can hold: " + std::to_string(ngrams),
                "choose a lower order, or prune rare n-grams");
  return ngrams == 0 ? 0 : static_cast<std::size_t>(slots);
}

// Puts entries into a table in the order they come, their places asked for ahead.
// entry(i) makes the i-th entry, placed(i, slot, entry) hears where it went.
template <class Slot, class MakeEntry, class Placed>
void fill(std::span<Slot> table, std::size_t entries, MakeEntry entry, Placed placed) {
  std::array<Slot, kAhead> waiting;
  std::array<std::size_t, kAhead> homes;
  for (std::size_t i = 0; i < entries + kAhead; ++i) {
    const std::size_t place = i % kAhead;
    if (i >= kAhead) {
      std::size_t slot = homes[place];
      while (table[slot].context != kNoContext) slot = slot + 1 == table.size() ? 0 : slot + 1;
      table[slot] = waiting[place];
      placed(i - kAhead, slot, waiting[place]);
    }
    if (i < entries) {
      waiting[place] = entry(i);
      homes[place] = home_slot(waiting[place].context, waiting[place].word, table.size());
      __builtin_prefetch(&table[homes[place]], 1);
    }
  }
}

// Models of the same text without one fold or another differ a little in size; the next one should
// fit where this one was.
template <class T>
void assign(HugeVector<T>& values, std::size_t size, const T& value) {
  if (size > values.capacity()) {
    values = {};
    values.reserve(size + size / 64);
  }
  values.assign(size, value);
}

struct End {
  NgramId state;  // the right state after an n-gram
  WordId word;    // its last word
};

// What is known of the n-grams of one order while the next one is added.
struct Placed {
  HugeVector<NgramId> ids;
  HugeVector<End> ends;
};

// Fills the tables order by order.
class Filler {
 public:
  Filler(Ngrams& ngrams, bool use_up, Placed& shorter, Placed& current)
      : ngrams_(ngrams),
        use_up_(use_up),
        order_(ngrams.order()),
        shorter_(shorter),
        current_(current) {}

  void fill_tables(HugeVector<Ngram>& table, HugeVector<LongestNgram>& longest) {
    std::uint64_t middle = 0;
    for (unsigned order = 2; order < order_; ++order) middle += ngrams_.levels[order - 1].size();
    assign(table, 1 + ngrams_.levels[0].size() + slots_for(middle), kFreePlace);
    table[kEmptyNgram].context = kEmptyNgram;
    table[kEmptyNgram].followers = ~std::uint64_t{0};  // any word is a unigram
    assign(longest, order_ > 1 ? slots_for(ngrams_.levels[order_ - 1].size()) : 0, kFreeLongest);
    add_unigrams(table);
    for (unsigned order = 2; order < order_; ++order) add_middle(table, order);
    if (order_ > 1) add_longest(table, longest);
  }

 private:
  // Which n-grams of an order are the suffix, and which the context, of a longer one.
  struct Extensions {
    std::vector<std::uint8_t> left, right;
  };
  Extensions extensions(unsigned order) const {
    const Ngrams::Level& level = ngrams_.levels[order - 1];
    Extensions result{std::vector<std::uint8_t>(level.size()),
                      std::vector<std::uint8_t>(level.size())};
    if (order == order_) return result;
    for (std::size_t i = 0; i < level.size(); ++i) result.right[i] = level.backoff[i] != 0;
    for (const std::uint32_t suffix : ngrams_.levels[order].suffix) result.left[suffix] = 1;
    for (const std::uint32_t context : ngrams_.levels[order].context) result.right[context] = 1;
    return result;
  }

  void add_unigrams(HugeVector<Ngram>& table) {
    const Ngrams::Level& level = ngrams_.levels[0];
    const Extensions extends = extensions(1);
    start(level.size());
    for (WordId word = 0; word < level.size(); ++word) {
      const NgramId id = 1 + word;
      const float backoff = level.backoff.empty() ? 0 : level.backoff[word];
      table[id] = {kEmptyNgram, word, level.prob[word],   backoff,
                   kEmptyNgram, 1,    extends.left[word], extends.right[word],
                   0,           0};
      current_.ids[word] = id;
      current_.ends[word] = {extends.right[word] ? id : kEmptyNgram, word};
    }
  }

  void add_middle(HugeVector<Ngram>& table, unsigned order) {
    const Extensions extends = extensions(order);
    Ngrams::Level& level = ngrams_.levels[order - 1];
    const std::size_t hashed = 1 + ngrams_.levels[0].size();
    start(level.size());
    const auto entry = [&](std::size_t i) {
      if (i + kAhead < level.size()) __builtin_prefetch(&shorter_.ids[level.context[i + kAhead]]);
      const End& end = current_.ends[i] = shorter_.ends[level.suffix[i]];
      const NgramId context = shorter_.ids[level.context[i]];
      __builtin_prefetch(&table[context].followers, 1);
      return Ngram{context,
                   end.word,
                   level.prob[i],
                   level.backoff[i],
                   end.state,
                   static_cast<std::uint8_t>(order),
                   extends.left[i],
                   extends.right[i],
                   0,
                   0};
    };
    fill(std::span(table).subspan(hashed), level.size(), entry,
         [&](std::size_t i, std::size_t slot, const Ngram& ngram) {
           table[ngram.context].followers |= filter_bit(ngram.word);
           current_.ids[i] = static_cast<NgramId>(hashed + slot);
           if (extends.right[i]) current_.ends[i].state = current_.ids[i];
         });
    if (use_up_) level = {};
  }

  void add_longest(HugeVector<Ngram>& shorter, HugeVector<LongestNgram>& table) {
    Ngrams::Level& level = ngrams_.levels[order_ - 1];
    const auto entry = [&](std::size_t i) {
      if (i + kAhead < level.size()) __builtin_prefetch(&current_.ids[level.context[i + kAhead]]);
      const End& end = current_.ends[level.suffix[i]];
      const NgramId context = current_.ids[level.context[i]];
      __builtin_prefetch(&shorter[context].followers, 1);
      return LongestNgram{context, end.word, level.prob[i], end.state};
    };
    fill(std::span(table), level.size(), entry,
         [&](std::size_t, std::size_t, const LongestNgram& ngram) {
           shorter[ngram.context].followers |= filter_bit(ngram.word);
         });
    if (use_up_) level = {};
  }

  // What was current is now the shorter order.
  void start(std::size_t size) {
    std::swap(shorter_, current_);
    assign(current_.ids, size, kEmptyNgram);
    assign(current_.ends, size, End{});
  }

  Ngrams& ngrams_;
  const bool use_up_;
  const unsigned order_;
  Placed& shorter_;
  Placed& current_;
};

}  // namespace

struct ModelBuilder::Storage {
  Vocab vocab;
  HugeVector<Ngram> ngrams;
  HugeVector<LongestNgram> longest;
  std::vector<std::uint64_t> counts;
};

struct ModelBuilder::Scratch {
  Placed shorter, current;
};

ModelBuilder::ModelBuilder() : scratch_(std::make_unique<Scratch>()) {}
ModelBuilder::~ModelBuilder() = default;

Model ModelBuilder::build(Ngrams& ngrams, bool use_up) {
  if (storage_.use_count() != 1) storage_ = std::make_shared<Storage>();
  storage_->counts.clear();
  for (const auto& level : ngrams.levels) storage_->counts.push_back(level.size());
  Filler(ngrams, use_up, scratch_->shorter, scratch_->current)
      .fill_tables(storage_->ngrams, storage_->longest);
  storage_->vocab = use_up ? std::move(ngrams.vocab) : ngrams.vocab;
  const Model::Arrays arrays{ngrams.order(), storage_->vocab.view(), storage_->ngrams,
                             storage_->longest, storage_->counts};
  return Model(arrays, storage_);
}

}  // namespace demotic
