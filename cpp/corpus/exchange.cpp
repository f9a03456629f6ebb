#include "corpus/exchange.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "corpus/class_bigrams.hpp"

namespace demotic {
namespace {

// Words whose best classes are looked for side by side: so many at least, and an eighth of those
// before them, since rare words hardly touch each other. It is part of the algorithm: with other
// numbers other words move first.
constexpr std::size_t kWordsAtATime = 256;
constexpr std::size_t kShareAtATime = 8;
constexpr std::size_t kWordsPerTask = 32;
// Smaller gains may be rounding errors, and words could move in circles.
constexpr double kLeastGain = 1e-6;

std::vector<WordId> by_frequency(const WordBigrams& words, const Vocab& vocab) {
  std::vector<WordId> order(vocab.size());
  std::iota(order.begin(), order.end(), WordId{0});
  std::ranges::sort(order, [&](WordId a, WordId b) {
    const auto counts = std::pair(words.count(a + 1), words.count(b + 1));
    return counts.first != counts.second ? counts.first > counts.second
                                         : vocab.word(a) < vocab.word(b);
  });
  return order;
}

struct Proposal {
  std::uint16_t to;
  double gain;
};

// One pass over all words; returns how many moved. The best moves of some words are found side by
// side, as if each were the only one, and then made one after the other; whatever others have
// changed meanwhile, no move is made that does not gain.
std::size_t pass(ClassBigrams& classes, std::span<const WordId> order, std::size_t size,
                 unsigned threads) {
  std::size_t moved = 0;
  std::vector<Proposal> proposals;
  Neighbourhood around(size);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    end = std::min(begin + std::max(kWordsAtATime, begin / kShareAtATime), order.size());
    const auto batch = order.subspan(begin, end - begin);
    proposals.resize(batch.size());
    parallel_ranges(batch.size(), kWordsPerTask, threads, [&](std::size_t first, std::size_t last) {
      Neighbourhood near(size);
      std::vector<double> room;
      for (std::size_t i = first; i < last; ++i) {
        classes.look_around(batch[i] + 1, near);
        const auto [to, gain] = classes.best(batch[i] + 1, near, room);
        proposals[i] = {to, gain};
      }
    });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (proposals[i].gain <= kLeastGain) continue;
      const std::uint32_t word = batch[i] + 1;
      classes.look_around(word, around);
      if (classes.gain(word, proposals[i].to, around) <= kLeastGain) continue;
      classes.move(word, proposals[i].to, around);
      ++moved;
    }
  }
  return moved;
}

void check_exchange(const Vocab& vocab, const ExchangeOptions& options) {
  if (options.classes < 2 || options.classes > kMostClasses)
    throw range_error("the number of word classes", "from 2 to " + std::to_string(kMostClasses),
                      options.classes, "50 and 200 are usual");
  if (options.classes > vocab.size())
    throw Error("cannot make " + std::to_string(options.classes) + " word classes of " +
                    std::to_string(vocab.size()) + " different words",
                "ask for fewer classes");
}

}  // namespace

Exchanged exchange(std::span<const std::uint32_t> tokens, const Vocab& vocab,
                   const ExchangeOptions& options) {
  check_exchange(vocab, options);
  const WordBigrams words(tokens, vocab.size() + 1);
  Exchanged result;
  result.order = by_frequency(words, vocab);
  std::vector<std::uint16_t> start(vocab.size() + 1);
  for (std::size_t i = 0; i < result.order.size(); ++i)
    start[result.order[i] + 1] = static_cast<std::uint16_t>(i % options.classes + 1);
  ClassBigrams classes(words, std::move(start), options.classes);

  double constant = 0;  // sum of N(w) log N(w)
  const NLogN value;
  for (const WordId word : result.order) constant += value(words.count(word + 1));
  constant += value(words.count(0));
  result.log_likelihood = {classes.criterion() + constant};
  for (unsigned i = 0; i < options.iterations; ++i) {
    const std::size_t moved = pass(classes, result.order, options.classes + 1, options.threads);
    if (moved == 0) break;
    result.log_likelihood.push_back(classes.criterion() + constant);
  }

  std::vector<std::uint16_t> numbers(options.classes + 1);
  std::uint16_t used = 0;
  result.class_of.resize(vocab.size());
  for (const WordId word : result.order) {
    std::uint16_t& number = numbers[classes.class_of()[word + 1]];
    if (number == 0) number = ++used;
    result.class_of[word] = number;
  }
  return result;
}

}  // namespace demotic
