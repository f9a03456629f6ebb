#include "lm/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "lm/words.hpp"

namespace demotic {
namespace {

constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();
constexpr double kSmallest = -99;  // log10 of what must not be zero

// Probabilities are floats, so log10(p) may come out a little above 0.
float log10_of(double p) {
  constexpr double kLog10OfE = 0.43429448190325182765;
  return static_cast<float>(p > 0 ? std::clamp(std::log(p) * kLog10OfE, kSmallest, 0.0) : kSmallest);
}

// Old index -> index among the n-grams that stay, for one order; nothing is stored while all stay.
class Renumbering {
 public:
  template <class Stays>
  Renumbering(std::size_t size, Stays stays) : size_(0) {
    index_.resize(size);
    for (std::size_t i = 0; i < size; ++i) index_[i] = stays(i) ? static_cast<std::uint32_t>(size_++) : kGone;
    if (size_ == size) index_ = {};
  }
  std::uint32_t operator[](std::size_t i) const { return index_.empty() ? static_cast<std::uint32_t>(i) : index_[i]; }
  std::size_t size() const { return size_; }

 private:
  HugeVector<std::uint32_t> index_;
  std::size_t size_;
};

class Estimator {
 public:
  Estimator(const SuffixTrie& trie, const Vocab& vocab, const EstimateOptions& options) : trie_(trie), vocab_(vocab), options_(options), order_(trie.order()) {}

  Estimate run() {
    check_options();
    adjust_counts();
    if (counts_[0][kEnd] == 0) throw Error("no sentence is left", "every sentence belongs to the fold that is left out");
    discount_and_renumber();
    result_.ngrams.levels.resize(order_);
    totals_.resize(order_);
    parallel_for(order_, options_.threads, [this](std::size_t task) { normalise(order_ - static_cast<unsigned>(task)); });  // the largest first
    interpolate();
    name_words();
    return std::move(result_);
  }

 private:
  std::uint32_t threshold(unsigned order) const {
    return options_.prune.empty() ? 0 : options_.prune[std::min<std::size_t>(order, options_.prune.size()) - 1];
  }

  void check_options() const {
    const char* hint = "thresholds must begin with 0 and never fall, such as 0 0 1";
    if (options_.prune.size() > order_) throw Error(std::to_string(options_.prune.size()) + " pruning thresholds for a model of order " + std::to_string(order_), hint);
    if (threshold(1) != 0) throw Error("single words cannot be pruned", "limit the vocabulary instead: words outside become <unk>");
    if (!std::is_sorted(options_.prune.begin(), options_.prune.end())) throw Error("pruning thresholds fall", hint);
  }

  // How often n-grams that cannot be longer occur in the sentences that count.
  HugeVector<std::uint32_t> occurrences(unsigned order) const {
    const SuffixTrie::Level& level = trie_.levels[order - 1];
    HugeVector<std::uint32_t> result = level.occurrences;
    if (options_.without)
      for (const auto& leaf : level.folds)
        if (leaf.in_fold.fold == *options_.without) result[leaf.ngram] -= std::min(result[leaf.ngram], leaf.in_fold.count);
    return result;
  }

  // Adjusted counts of all orders and, where pruning asks for them, occurrences; from the highest order down.
  void adjust_counts() {
    counts_.resize(order_);
    if (std::any_of(options_.prune.begin(), options_.prune.end(), [](std::uint32_t value) { return value > 0; })) occurrences_.resize(order_);
    for (unsigned order = order_; order >= 1; --order) {
      counts_[order - 1] = occurrences(order);
      if (!occurrences_.empty()) occurrences_[order - 1] = counts_[order - 1];
      if (order == order_) continue;
      const auto& children = trie_.levels[order - 1].children;
      parallel_ranges(counts_[order - 1].size(), options_.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          for (std::uint32_t child = children[i]; child < children[i + 1]; ++child) {
            counts_[order - 1][i] += counts_[order][child] > 0;
            if (!occurrences_.empty()) occurrences_[order - 1][i] = saturating_add(occurrences_[order - 1][i], occurrences_[order][child]);
          }
      });
    }
  }

  bool stays(unsigned order, std::size_t i) const {
    if (order == 1 && i <= kEnd) return true;
    return counts_[order - 1][i] > 0 && (occurrences_.empty() || occurrences_[order - 1][i] > threshold(order));
  }

  // Discounts come from all n-grams, also from those that are pruned.
  void discount_and_renumber() {
    result_.discounts.resize(order_);
    std::vector<std::optional<Renumbering>> numbers(order_);
    parallel_for(order_, options_.threads, [&](std::size_t index) {
      CountsOfCounts n{};
      for (const std::uint32_t count : counts_[index]) ++n[count < 5 ? count : 0];
      result_.discounts[index] = closed_form_discounts(n);
      numbers[index].emplace(counts_[index].size(), [&](std::size_t i) { return stays(static_cast<unsigned>(index) + 1, i); });
    });
    for (auto& number : numbers) numbers_.push_back(std::move(*number));
  }

  // Lists the n-grams of an order that stay, each with its discounted count in place of the probability, and sums up what
  // their contexts have to share: the total count, and the part of it that goes to the backoff.
  void normalise(unsigned order) {
    const std::size_t contexts = order == 1 ? 1 : numbers_[order - 2].size();
    HugeVector<double> totals(contexts), left_over(contexts);
    const Discounts& discounts = result_.discounts[order - 1];
    Ngrams::Level& level = result_.ngrams.levels[order - 1];
    reserve(level, order);
    const auto add = [&](std::size_t i, std::uint32_t suffix, std::uint32_t context) {
      const std::uint32_t count = counts_[order - 1][i];
      const bool kept = numbers_[order - 1][i] != kGone;
      const double discount = kept ? discounts(count) : count;
      if (context != kGone) {
        totals[context] += count;
        left_over[context] += discount;
      }
      if (!kept) return;
      level.first.push_back(numbers_[0][trie_.levels[order - 1].first[i]]);
      level.prob.push_back(static_cast<float>(count - discount));
      if (order == 1) return;
      level.suffix.push_back(suffix);
      level.context.push_back(context);
    };
    if (order == 1) {
      for (std::size_t word = 0; word < counts_[0].size(); ++word)
        if (counts_[0][word] > 0 || word <= kEnd) add(word, 0, 0);
    } else {
      const auto context_of = trie_.contexts(order);
      const auto& children = trie_.levels[order - 2].children;
      for (std::size_t parent = 0; parent + 1 < children.size(); ++parent)
        for (std::uint32_t i = children[parent]; i < children[parent + 1]; ++i)
          if (counts_[order - 1][i] > 0) add(i, numbers_[order - 2][parent], numbers_[order - 2][context_of[i]]);
    }
    for (std::size_t i = 0; i < contexts; ++i) left_over[i] = totals[i] > 0 ? left_over[i] / totals[i] : 1;
    totals_[order - 1].assign(totals.begin(), totals.end());
    (order == 1 ? root_backoff_ : result_.ngrams.levels[order - 2].backoff).assign(left_over.begin(), left_over.end());
  }

  void reserve(Ngrams::Level& level, unsigned order) const {
    const std::size_t size = numbers_[order - 1].size();
    level.first.reserve(size);
    level.prob.reserve(size);
    if (order == 1) return;
    level.suffix.reserve(size);
    level.context.reserve(size);
  }

  // From discounted counts to interpolated probabilities, from the lowest order up; logarithms when nothing else is needed.
  void interpolate() {
    auto& levels = result_.ngrams.levels;
    const float uniform = root_backoff_[0] / static_cast<float>(levels[0].size() - 1);  // <s> cannot be predicted
    for (float& prob : levels[0].prob) prob = prob / std::max(totals_[0][0], 1.0f) + uniform;
    levels[0].prob[kBegin] = 1;
    for (unsigned order = 2; order <= order_; ++order) {
      Ngrams::Level& level = levels[order - 1];
      const Ngrams::Level& lower = levels[order - 2];
      parallel_ranges(level.size(), options_.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::uint32_t context = level.context[i];
          level.prob[i] = level.prob[i] / totals_[order - 1][context] + lower.backoff[context] * lower.prob[level.suffix[i]];
        }
      });
      totals_[order - 1] = {};
      take_logarithms(levels[order - 2]);
    }
    take_logarithms(levels[order_ - 1]);
  }

  void take_logarithms(Ngrams::Level& level) const {
    parallel_ranges(level.size(), options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) level.prob[i] = log10_of(level.prob[i]);
      if (!level.backoff.empty())
        for (std::size_t i = begin; i < end; ++i) level.backoff[i] = log10_of(level.backoff[i]);
    });
  }

  void name_words() {
    if (numbers_[0].size() == vocab_.size()) {
      result_.ngrams.vocab = vocab_;
      return;
    }
    for (WordId word = 0; word < vocab_.size(); ++word)
      if (numbers_[0][word] != kGone) result_.ngrams.vocab.add(vocab_.word(word));
  }

  const SuffixTrie& trie_;
  const Vocab& vocab_;
  const EstimateOptions& options_;
  const unsigned order_;
  std::vector<HugeVector<std::uint32_t>> counts_, occurrences_;  // by order, then n-gram of the trie
  std::vector<Renumbering> numbers_;
  std::vector<HugeVector<float>> totals_;  // by order, then context that stays
  HugeVector<float> root_backoff_;
  Estimate result_;
};

}  // namespace

Estimate estimate(const SuffixTrie& trie, const Vocab& vocab, const EstimateOptions& options) { return Estimator(trie, vocab, options).run(); }

}  // namespace demotic
