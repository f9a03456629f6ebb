#include "lm/model_builder.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr double kSlotsPerNgram = 1.4;  // fuller tables are smaller but take longer to search
constexpr Ngram kFreePlace{kNoContext, 0, 0, 0, kEmptyNgram, 0, 0, 0, 0};
constexpr LongestNgram kFreeLongest{kNoContext, 0, 0, kEmptyNgram};

struct Storage {
  Vocab vocab;
  HugeVector<Ngram> ngrams;
  HugeVector<LongestNgram> longest;
  std::vector<std::uint64_t> counts;
};

std::size_t slots_for(std::uint64_t ngrams) {
  const auto slots = static_cast<std::uint64_t>(static_cast<double>(ngrams) * kSlotsPerNgram) + 1;
  if (slots >= kMaxNgrams / 2) throw Error("more n-grams than a model can hold: " + std::to_string(ngrams), "choose a lower order, or prune rare n-grams");
  return ngrams == 0 ? 0 : static_cast<std::size_t>(slots);
}

// Puts entries into a table in the order they come. Places are looked up some entries ahead, so that memory has time to answer.
// entry(i) makes the i-th entry, placed(i, slot) hears where it went.
template <class Slot, class MakeEntry, class Placed>
void fill(std::span<Slot> table, std::size_t entries, MakeEntry entry, Placed placed) {
  constexpr std::size_t kAhead = 16;
  std::array<Slot, kAhead> waiting;
  std::array<std::size_t, kAhead> homes;
  for (std::size_t i = 0; i < entries + kAhead; ++i) {
    const std::size_t place = i % kAhead;
    if (i >= kAhead) {
      std::size_t slot = homes[place];
      while (table[slot].context != kNoContext) slot = slot + 1 == table.size() ? 0 : slot + 1;
      table[slot] = waiting[place];
      placed(i - kAhead, slot);
    }
    if (i < entries) {
      waiting[place] = entry(i);
      homes[place] = home_slot(waiting[place].context, waiting[place].word, table.size());
      __builtin_prefetch(&table[homes[place]], 1);
    }
  }
}

class Builder {
 public:
  explicit Builder(Ngrams ngrams) : ngrams_(std::move(ngrams)), order_(ngrams_.order()) {}

  Model build() {
    auto storage = std::make_shared<Storage>();
    std::uint64_t middle = 0;
    for (unsigned order = 1; order <= order_; ++order) {
      storage->counts.push_back(ngrams_.levels[order - 1].size());
      if (order > 1 && order < order_) middle += storage->counts.back();
    }
    storage->ngrams.assign(1 + storage->counts[0] + slots_for(middle), kFreePlace);
    storage->ngrams[kEmptyNgram].context = kEmptyNgram;
    add_unigrams(storage->ngrams);
    for (unsigned order = 2; order < order_; ++order) add_middle(storage->ngrams, order);
    if (order_ > 1) add_longest(storage->longest);
    storage->vocab = std::move(ngrams_.vocab);
    const Model::Arrays arrays{order_, storage->vocab.view(), storage->ngrams, storage->longest, storage->counts};
    return Model(arrays, std::move(storage));
  }

 private:
  // Which n-grams of an order are the suffix, and which the context, of a longer one.
  struct Extensions {
    std::vector<std::uint8_t> left, right;
  };
  Extensions extensions(unsigned order) const {
    const Ngrams::Level& level = ngrams_.levels[order - 1];
    Extensions result{std::vector<std::uint8_t>(level.size()), std::vector<std::uint8_t>(level.size())};
    if (order == order_) return result;
    for (std::size_t i = 0; i < level.size(); ++i) result.right[i] = level.backoff[i] != 0;
    for (const std::uint32_t suffix : ngrams_.levels[order].suffix) result.left[suffix] = 1;
    for (const std::uint32_t context : ngrams_.levels[order].context) result.right[context] = 1;
    return result;
  }

  void add_unigrams(HugeVector<Ngram>& table) {
    const Ngrams::Level& level = ngrams_.levels[0];
    const Extensions extends = extensions(1);
    for (WordId word = 0; word < level.size(); ++word) {
      const NgramId id = 1 + word;
      const float backoff = level.backoff.empty() ? 0 : level.backoff[word];
      table[id] = {kEmptyNgram, word, level.prob[word], backoff, kEmptyNgram, 1, extends.left[word], extends.right[word], 0};
      shorter_.push_back({id, extends.right[word] ? id : kEmptyNgram, word});
    }
  }

  void add_middle(HugeVector<Ngram>& table, unsigned order) {
    const Extensions extends = extensions(order);
    const Ngrams::Level level = std::move(ngrams_.levels[order - 1]);  // freed at the end
    const std::size_t hashed = 1 + ngrams_.levels[0].size();
    HugeVector<Placed> placed(level.size());
    const auto entry = [&](std::size_t i) {
      const Placed& suffix = shorter_[level.suffix[i]];
      placed[i] = {0, suffix.state, suffix.last};
      return Ngram{shorter_[level.context[i]].id, suffix.last, level.prob[i], level.backoff[i], suffix.state, static_cast<std::uint8_t>(order), extends.left[i], extends.right[i], 0};
    };
    fill(std::span(table).subspan(hashed), level.size(), entry, [&](std::size_t i, std::size_t slot) {
      placed[i].id = static_cast<NgramId>(hashed + slot);
      if (extends.right[i]) placed[i].state = placed[i].id;
    });
    shorter_ = std::move(placed);
  }

  void add_longest(HugeVector<LongestNgram>& table) {
    const Ngrams::Level level = std::move(ngrams_.levels[order_ - 1]);
    table.assign(slots_for(level.size()), kFreeLongest);
    const auto entry = [&](std::size_t i) {
      const Placed& suffix = shorter_[level.suffix[i]];
      return LongestNgram{shorter_[level.context[i]].id, suffix.last, level.prob[i], suffix.state};
    };
    fill(std::span(table), level.size(), entry, [](std::size_t, std::size_t) {});
  }

  struct Placed {
    NgramId id, state;  // state: the right state after this n-gram
    WordId last;
  };
  Ngrams ngrams_;
  const unsigned order_;
  HugeVector<Placed> shorter_;  // the n-grams of the order before the one that is being added
};

}  // namespace

Model build_model(Ngrams ngrams) { return Builder(std::move(ngrams)).build(); }

}  // namespace demotic
