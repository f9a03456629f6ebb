#include "align/ibm1.hpp"

#include <cmath>
#include <map>

#include "base/test.hpp"
#include "corpus/bitext.hpp"

namespace demotic::ibm1_test {

const std::string kPath = "ibm1_test.bin";

Direction forward_of(const Bitext& text) {
  return {text.target(), text.source(), text.target_vocab().size(), text.source_vocab().size()};
}

void write_small_corpus() {
  BitextBuilder builder;
  builder.add("das haus", "the house", std::nullopt);
  builder.add("das buch", "the book", std::nullopt);
  builder.add("ein buch ein", "a book", std::nullopt);
  builder.add("haus", "house house", std::nullopt);
  builder.write(kPath);
}

using Key = std::pair<int, int>;  // given word (-1: NULL), own word

// Expectation maximisation as in the textbook, sentence by sentence, with tables by word pair.
std::map<Key, double> textbook(const Direction& text, int iterations, double prior) {
  std::map<Key, double> table;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::map<Key, double> counts;
    for (WordId own = 0; own < text.own_vocab; ++own) counts[{-1, own}] += 0;
    for (std::size_t s = 0; s < text.own.size(); ++s) {
      std::vector<int> given{-1};
      for (const WordId word : text.given[s]) given.push_back(static_cast<int>(word));
      for (const WordId own : text.own[s]) {
        double sum = 0;
        for (const int word : given) sum += iteration == 0 ? 1 : table[{word, own}];
        for (const int word : given)
          counts[{word, own}] += (iteration == 0 ? 1 : table[{word, own}]) / sum;
      }
    }
    std::map<int, double> totals;
    for (const auto& [key, count] : counts) totals[key.first] += count + prior;
    for (const auto& [key, count] : counts) table[key] = (count + prior) / totals[key.first];
  }
  return table;
}

TEST("the same probabilities as the textbook's, with any number of threads") {
  write_small_corpus();
  const Bitext bitext(kPath);
  for (const Direction& text : {forward_of(bitext), forward_of(bitext).reversed()}) {
    auto expected = textbook(text, 4, 0.01);
    const Ibm1 model(text, 0, 1), parallel(text, 0, 4);
    std::size_t pairs = 0;
    for (WordId given = 0; given < text.given_vocab; ++given) {
      const auto row = model.row(given), other = parallel.row(given);
      CHECK(row.size() == other.size());
      for (std::size_t k = 0; k < row.size(); ++k) {
        CHECK(row[k].own == other[k].own && row[k].probability == other[k].probability);
        const double truth = expected[{static_cast<int>(given), static_cast<int>(row[k].own)}];
        CHECK(std::abs(row[k].probability - truth) < 1e-5);
      }
      pairs += row.size();
    }
    CHECK(pairs == model.pairs());
    for (WordId own = 0; own < text.own_vocab; ++own)
      CHECK(std::abs(model.null_probability(own) - expected[{-1, static_cast<int>(own)}]) < 1e-5);
  }
}

TEST("pairs stay that are likely somewhere, or the best that a word has") {
  write_small_corpus();
  const Bitext bitext(kPath);
  const Direction text = forward_of(bitext);
  const Ibm1 all(text, 0, 1), likely(text, 0.6, 1);
  CHECK(likely.pairs() < all.pairs() && likely.pairs() > 0);
  std::map<Key, double> table = textbook(text, 4, 0.01);
  std::map<Key, bool> expected;
  for (std::size_t s = 0; s < text.own.size(); ++s)
    for (const WordId own : text.own[s]) {
      const auto own_id = static_cast<int>(own);
      double sum = table[{-1, own_id}], best = 0;
      for (const WordId given : text.given[s]) {
        sum += table[{static_cast<int>(given), own_id}];
        best = std::max(best, table[{static_cast<int>(given), own_id}]);
      }
      for (const WordId given : text.given[s]) {
        const double probability = table[{static_cast<int>(given), own_id}];
        if (probability / sum >= 0.6 || probability > 0.9999 * best)
          expected[{static_cast<int>(given), own_id}] = true;
      }
    }
  std::size_t pairs = 0;
  for (WordId given = 0; given < text.given_vocab; ++given)
    for (const Ibm1::Entry& entry : likely.row(given)) {
      CHECK(expected.contains({static_cast<int>(given), static_cast<int>(entry.own)}));
      ++pairs;
    }
  CHECK(pairs == expected.size());
}

}  // namespace demotic::ibm1_test
