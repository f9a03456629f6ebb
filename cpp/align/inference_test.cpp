#include "align/inference.hpp"

#include <cmath>

#include "base/random.hpp"
#include "base/test.hpp"

namespace demotic::inference_test {

// Three own words, three given ones (two of the same kind), every link possible.
struct Example {
  DirectedSentence sentence;
  std::vector<float> jumps, fertility;
  DirectionView view;

  Example() : jumps(kJumps), fertility(2 * kFertilities) {
    Random random(7);
    const auto draw = [&] { return static_cast<float>(0.05 + random.uniform()); };
    sentence.given = {0, 1, 0};
    for (int own = 0; own < 3; ++own) {
      sentence.null.push_back(draw());
      for (std::uint16_t i = 0; i < 3; ++i) {
        sentence.positions.push_back(i);
        sentence.words.push_back(draw());
      }
      sentence.starts.push_back(static_cast<std::uint32_t>(sentence.positions.size()));
    }
    for (float& value : jumps) value = draw();
    for (float& value : fertility) value = draw();
    view.jumps = jumps;
    view.fertility = fertility;
  }

  // Weight of an alignment: 0 to 2, or 3 for NULL.
  double weight(const int* links) const {
    double product = 1;
    int previous = -1, count[3] = {0, 0, 0};
    for (int j = 0; j < 3; ++j) {
      if (links[j] == 3) {
        product *= sentence.null[j];
        continue;
      }
      product *= sentence.words[3 * j + links[j]] * jumps[jump_slot(previous, links[j])];
      previous = links[j];
      product *= fertility[sentence.given[previous] * kFertilities + count[previous]++];
    }
    return product * jumps[jump_slot(previous, 3)];
  }
};

TEST("sampled posteriors tend to those of all alignments") {
  const Example example;
  std::vector<double> exact(9);
  double total = 0;
  for (int code = 0; code < 64; ++code) {
    const int links[3] = {code % 4, code / 4 % 4, code / 16};
    const double weight = example.weight(links);
    total += weight;
    for (int j = 0; j < 3; ++j)
      if (links[j] < 3) exact[3 * j + links[j]] += weight;
  }
  const DirectedPosteriors found = infer(example.sentence, example.view, 100000);
  for (int k = 0; k < 9; ++k) CHECK(std::abs(found.values[k] - exact[k] / total) < 0.01);
}

TEST("the same sentence has the same posteriors") {
  const Example example;
  CHECK(infer(example.sentence, example.view).values ==
        infer(example.sentence, example.view).values);
}

}  // namespace demotic::inference_test
