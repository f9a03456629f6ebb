#include "lm/model_lister.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"

namespace demotic {
namespace {

class Lister {
 public:
  explicit Lister(const Model& model)
      : model_(model),
        tables_(model.arrays()),
        order_(model.order()),
        words_(static_cast<NgramId>(model.vocab().size())),
        suffix_(tables_.ngrams.size()),
        place_(tables_.ngrams.size()),
        first_(tables_.ngrams.size()) {}

  Ngrams list() {
    for (WordId word = 0; word < words_; ++word) result_.vocab.add(model_.vocab().word(word));
    result_.levels.resize(order_);
    for (NgramId id = 1; id <= words_; ++id) {
      first_[id] = id - 1;
      items_.push_back({0, first_[id], 0, id, model_.ngram(id).prob, model_.ngram(id).backoff});
    }
    append_level(1);
    for (unsigned order = 2; order < order_; ++order) {
      for (NgramId id = 1 + words_; id < tables_.ngrams.size(); ++id) {
        const Ngram& ngram = tables_.ngrams[id];
        if (ngram.context != kNoContext && ngram.length == order)
          add(order, id, ngram.context, ngram.word, ngram.prob, ngram.backoff);
      }
      append_level(order);
    }
    if (order_ == 1) return std::move(result_);
    for (const LongestNgram& ngram : tables_.longest)
      if (ngram.context != kNoContext)
        add(order_, kEmptyNgram, ngram.context, ngram.word, ngram.prob, 0);
    append_level(order_);
    return std::move(result_);
  }

 private:
  struct Item {
    std::uint32_t suffix;  // place in the level below
    WordId first;
    std::uint32_t context;
    NgramId id;
    float prob, backoff;
    bool operator<(const Item& other) const {
      return std::tie(suffix, first) < std::tie(other.suffix, other.first);
    }
  };

  // The suffix of "c w" is "suffix(c) w".
  void add(unsigned order, NgramId id, NgramId context, WordId word, float prob, float backoff) {
    const bool known = context < tables_.ngrams.size() &&
                       model_.ngram(context).length + 1u == order && word < words_;
    const NgramId suffix = known ? model_.find(suffix_[context], word) : kEmptyNgram;
    if (model_.ngram(suffix).length + 1u != order)
      throw Error("the n-grams of the model contradict each other",
                  "the file is damaged: build it again");
    items_.push_back({place_[suffix], first_[context], place_[context], id, prob, backoff});
    if (order == order_) return;
    suffix_[id] = suffix;
    first_[id] = first_[context];
  }

  // Sorted by the place of the suffix, then by the first word: that is suffix order.
  void append_level(unsigned order) {
    std::sort(items_.begin(), items_.end());
    Ngrams::Level& level = result_.levels[order - 1];
    for (const Item& item : items_) {
      if (order < order_) {
        place_[item.id] = static_cast<std::uint32_t>(level.size());
        level.backoff.push_back(item.backoff);
      }
      if (order > 1) {
        level.suffix.push_back(item.suffix);
        level.context.push_back(item.context);
      }
      level.first.push_back(item.first);
      level.prob.push_back(item.prob);
    }
    items_.clear();
  }

  const Model& model_;
  const Model::Arrays& tables_;
  const unsigned order_;
  const NgramId words_;
  std::vector<NgramId> suffix_;  // by id
  std::vector<std::uint32_t> place_;
  std::vector<WordId> first_;
  std::vector<Item> items_;  // of the level that is being listed
  Ngrams result_;
};

}  // namespace

Ngrams list_ngrams(const Model& model) { return Lister(model).list(); }

}  // namespace demotic
