#include "corpus/exchange.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/test.hpp"
#include "corpus/class_bigrams.hpp"

namespace demotic::exchange_test {

constexpr unsigned kWords = 40, kClasses = 5;

// A random text in which words follow themselves, too.
std::vector<std::uint32_t> text() {
  Random random(7);
  std::vector<std::uint32_t> tokens;
  for (int i = 0; i < 600; ++i) {
    const auto word = static_cast<std::uint32_t>(random.uniform() * random.uniform() * kWords) + 1;
    tokens.push_back(random.below(8) == 0 ? 0 : word);
    if (random.below(6) == 0) tokens.push_back(tokens.back());
  }
  tokens.push_back(0);
  return tokens;
}

std::vector<std::uint16_t> some_classes() {
  std::vector<std::uint16_t> class_of(kWords + 1);
  for (std::size_t word = 1; word < class_of.size(); ++word)
    class_of[word] = static_cast<std::uint16_t>(word % kClasses + 1);
  return class_of;
}

TEST("a gain is the difference of criteria, and the best move has the largest") {
  const auto tokens = text();
  const WordBigrams words(tokens, kWords + 1);
  const ClassBigrams before(words, some_classes(), kClasses);
  Neighbourhood around(kClasses + 1);
  std::vector<double> room;
  for (std::uint32_t word = 1; word <= kWords; ++word) {
    before.look_around(word, around);
    const auto [best, most] = before.best(word, around, room);
    double largest = 0;
    for (std::uint16_t to = 1; to <= kClasses; ++to) {
      auto changed = some_classes();
      changed[word] = to;
      const ClassBigrams fresh(words, changed, kClasses);
      const double difference = fresh.criterion() - before.criterion();
      CHECK(std::abs(before.gain(word, to, around) - difference) < 1e-8);
      largest = std::max(largest, difference);
      ClassBigrams moved = before;
      moved.move(word, to, around);
      CHECK(std::abs(moved.criterion() - fresh.criterion()) < 1e-8);
    }
    CHECK(std::abs(most - largest) < 1e-8);
    CHECK(std::abs(before.gain(word, best, around) - most) < 1e-8);
  }
}

TEST("the result is the same on any number of threads") {
  Vocab vocab;
  for (unsigned i = 0; i < kWords; ++i) vocab.add("w" + std::to_string(i));
  const auto tokens = text();
  const auto one = exchange(tokens, vocab, {kClasses, 20, 1}),
             four = exchange(tokens, vocab, {kClasses, 20, 4});
  CHECK(one.class_of == four.class_of && one.log_likelihood == four.log_likelihood);
  CHECK(one.log_likelihood.back() > one.log_likelihood.front());
}

TEST("texts and numbers that cannot be") {
  Vocab vocab;
  vocab.add("a");
  vocab.add("b");
  const std::vector<std::uint32_t> good = {1, 2, 0}, open = {1, 2}, foreign = {1, 7, 0};
  for (const unsigned classes : {0u, 1u, 3u, kMostClasses + 1})
    CHECK(!test::thrown<Error>([&] { exchange(good, vocab, {classes, 1, 1}); }).empty());
  for (const auto& tokens : {open, foreign})
    CHECK(!test::thrown<Error>([&] { exchange(tokens, vocab, {2, 1, 1}); }).empty());
  CHECK(exchange(good, vocab, {2, 1, 1}).class_of == std::vector<std::uint16_t>({1, 2}));
}

}  // namespace demotic::exchange_test
