#include "lm/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

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
  return static_cast<float>(p > 0 ? std::clamp(std::log(p) * kLog10OfE, kSmallest, 0.0)
                                  : kSmallest);
}

// Contexts lie all over memory: asked for some n-grams ahead, they are there when their turn comes.
template <class Values, class Indexes>
void prefetch(const Values& values, const Indexes& indexes, std::size_t i) {
  constexpr std::size_t kAhead = 24;
  if (i + kAhead < indexes.size()) __builtin_prefetch(&values[indexes[i + kAhead]]);
}

}  // namespace

Estimator::Estimator(const SuffixTrie& trie, const Vocab& vocab, EstimateOptions options)
    : trie_(trie),
      vocab_(vocab),
      options_(std::move(options)),
      order_(trie.order()),
      counts_(order_),
      contexts_(order_),
      sizes_(order_) {
  const auto& prune = options_.prune;
  const char* hint = "thresholds must begin with 0 and never fall, such as 0 0 1";
  if (prune.size() > order_)
    throw Error("expected at most " + std::to_string(order_) + " pruning thresholds (got " +
                    std::to_string(prune.size()) + ")",
                hint);
  if (threshold(1) != 0)
    throw Error("single words cannot be pruned",
                "limit the vocabulary instead: words outside become <unk>");
  if (!std::is_sorted(prune.begin(), prune.end()))
    throw Error("a pruning threshold is lower than the one before it", hint);
  if (!prune.empty() && prune.back() > 0) occurrences_.resize(order_);
}

void Estimator::run(std::optional<Fold> without, Estimate& result) {
  adjust_counts(without);
  if (counts_[0][kEnd] == 0)
    throw Error("no sentence is left", "every sentence belongs to the fold that is left out");
  auto& levels = result.ngrams.levels;
  levels.resize(order_);
  result.discounts.resize(order_);
  const auto largest_first = [this](std::size_t task) {
    return order_ - static_cast<unsigned>(task);
  };
  parallel_for(order_, options_.threads,
               [&](std::size_t task) { discount_and_number(largest_first(task), result); });
  parallel_for(order_ - 1, options_.threads, [&](std::size_t task) {
    share(largest_first(task), result.discounts[largest_first(task) - 1]);
  });
  interpolate_unigrams(result.discounts[0], levels[0]);
  for (unsigned order = 2; order <= order_; ++order) {
    interpolate(order, result.discounts[order - 1], levels);
    take_logarithms(order - 1, levels[order - 2]);
  }
  take_logarithms(order_, levels[order_ - 1]);
  name_words(result.ngrams.vocab);
}

std::uint32_t Estimator::threshold(unsigned order) const {
  return options_.prune.empty()
             ? 0
             : options_.prune[std::min<std::size_t>(order, options_.prune.size()) - 1];
}

// How often n-grams that cannot be longer occur in the sentences that count.
void Estimator::occurrences(unsigned order, std::optional<Fold> without, Counts& result) const {
  const SuffixTrie::Level& level = trie_.levels[order - 1];
  result.assign(level.occurrences.begin(), level.occurrences.end());
  if (!without) return;
  for (const auto& leaf : level.folds)
    if (leaf.fold == *without)
      result[leaf.ngram] -= std::min<std::uint32_t>(result[leaf.ngram], leaf.count);
}

// Adjusted counts of all orders and, where pruning asks for them, occurrences; from the highest
// order down.
void Estimator::adjust_counts(std::optional<Fold> without) {
  for (unsigned order = order_; order >= 1; --order) {
    occurrences(order, without, counts_[order - 1]);
    if (!occurrences_.empty()) occurrences_[order - 1] = counts_[order - 1];
    if (order == order_) continue;
    const auto& children = trie_.levels[order - 1].children;
    parallel_ranges(
        counts_[order - 1].size(), options_.threads, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            for (std::uint32_t child = children[i]; child < children[i + 1]; ++child) {
              counts_[order - 1][i] += counts_[order][child] > 0;
              if (!occurrences_.empty())
                occurrences_[order - 1][i] =
                    saturating_add(occurrences_[order - 1][i], occurrences_[order][child]);
            }
        });
  }
}

bool Estimator::stays(unsigned order, std::size_t i) const {
  if (order == 1 && i <= kEnd) return true;
  return counts_[order - 1][i] > 0 &&
         (occurrences_.empty() || occurrences_[order - 1][i] > threshold(order));
}

// Discounts come from all n-grams, also from those that are pruned.
void Estimator::discount_and_number(unsigned order, Estimate& result) {
  CountsOfCounts n{};
  const Counts& counts = counts_[order - 1];
  HugeVector<Context>& contexts = contexts_[order - 1];
  (order == order_ ? longest_numbers_.resize(counts.size()) : contexts.resize(counts.size()));
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ++n[counts[i] < 5 ? counts[i] : 0];
    const std::uint32_t number = stays(order, i) ? next++ : kGone;
    if (order == order_)
      longest_numbers_[i] = number;
    else
      contexts[i] = {0, 0, number};
  }
  sizes_[order - 1] = next;
  result.discounts[order - 1] = closed_form_discounts(n);
}

// Adds up what the n-grams of an order take from their contexts. One thread per order: sums come in
// a fixed sequence.
void Estimator::share(unsigned order, const Discounts& discounts) {
  const auto context_of = trie_.contexts(order);
  for (std::size_t i = 0; i < context_of.size(); ++i) {
    prefetch(contexts_[order - 2], context_of, i);
    const std::uint32_t count = counts_[order - 1][i];
    if (count == 0) continue;
    Context& context = contexts_[order - 2][context_of[i]];
    context.total = saturating_add(context.total, count);
    context.left_over += number(order, i) != kGone ? discounts(count) : count;
  }
}

// Room for the n-grams of an order that stay; as much as any model of these counts needs, so that
// the next one finds it there.
void Estimator::resize(Ngrams::Level& level, unsigned order) const {
  const auto set = [&](auto& values) {
    values.reserve(counts_[order - 1].size());
    values.resize(sizes_[order - 1]);
  };
  if (options_.first_words || order == 1) set(level.first);
  set(level.prob);
  if (order < order_) set(level.backoff);
  if (order == 1) return;
  set(level.suffix);
  set(level.context);
}

void Estimator::interpolate_unigrams(const Discounts& discounts, Ngrams::Level& level) const {
  double total = 0, left_over = 0;
  for (const std::uint32_t count : counts_[0]) {
    total += count;
    left_over += discounts(count);
  }
  const double uniform = left_over / static_cast<double>(sizes_[0] - 1);  // <s> cannot be predicted
  resize(level, 1);
  for (WordId word = 0; word < counts_[0].size(); ++word) {
    const std::uint32_t place = number(1, word);
    if (place == kGone) continue;
    level.first[place] = place;
    level.prob[place] =
        static_cast<float>((counts_[0][word] - discounts(counts_[0][word]) + uniform) / total);
  }
  level.prob[kBegin] = 1;
}

// Lists the n-grams of an order that stay, with their probabilities (not yet logarithms).
void Estimator::interpolate(unsigned order, const Discounts& discounts,
                            std::vector<Ngrams::Level>& levels) const {
  Ngrams::Level& level = levels[order - 1];
  const auto& lower_prob = levels[order - 2].prob;
  const auto context_of = trie_.contexts(order);
  const auto& children = trie_.levels[order - 2].children;
  const auto& first = trie_.levels[order - 1].first;
  resize(level, order);
  parallel_ranges(children.size() - 1, options_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t parent = begin; parent < end; ++parent) {
      const std::uint32_t suffix = contexts_[order - 2][parent].number;
      for (std::uint32_t i = children[parent]; i < children[parent + 1]; ++i) {
        prefetch(contexts_[order - 2], context_of, i);
        const std::uint32_t place = number(order, i), count = counts_[order - 1][i];
        if (place == kGone) continue;
        const Context& context = contexts_[order - 2][context_of[i]];
        if (options_.first_words) level.first[place] = number(1, first[i]);
        level.suffix[place] = suffix;
        level.context[place] = context.number;
        level.prob[place] = static_cast<float>(
            (count - discounts(count) + context.left_over * lower_prob[suffix]) / context.total);
      }
    }
  });
}

void Estimator::take_logarithms(unsigned order, Ngrams::Level& level) const {
  parallel_ranges(level.size(), options_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) level.prob[i] = log10_of(level.prob[i]);
  });
  if (order == order_) return;
  const HugeVector<Context>& contexts = contexts_[order - 1];
  parallel_ranges(contexts.size(), options_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (contexts[i].number != kGone)
        level.backoff[contexts[i].number] =
            contexts[i].total > 0 ? log10_of(contexts[i].left_over / contexts[i].total) : 0;
  });
}

void Estimator::name_words(Vocab& names) const {
  if (sizes_[0] == vocab_.size()) {
    names = vocab_;
    return;
  }
  names = Vocab();
  for (WordId word = 0; word < vocab_.size(); ++word)
    if (number(1, word) != kGone) names.add(vocab_.word(word));
}

}  // namespace demotic
