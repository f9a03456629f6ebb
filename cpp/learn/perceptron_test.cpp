#include "learn/perceptron.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"
#include "learn/learn_test.hpp"

namespace demotic::perceptron_test {

// Feature 0 is dense, 1 and 2 are sparse.
FeatureIndex three_features() {
  FeatureIndex index;
  for (const char* name : {"Dense", "shape:a", "shape:b"}) index.intern(name);
  return index;
}

const KBestList kList = test::list_of(
    {{{0, 1.0}, {1, 2.0}}, {{0, 3.0}, {2, 1.0}}, {{0, 1.0}, {1, 2.0}}}, {0.5, 0.25, 0.5});

using Weights = std::vector<double>;

TEST("a pair in the wrong order moves the weights by the rate times the difference") {
  const FeatureIndex index = three_features();
  Weights weights = {1, 0.5, 0.25};
  // x = (1, 2, 0) - (3, 0, 1) = (-2, 2, -1);  <w, x> = -2 + 1 - 0.25 < 0.
  const UpdateCounts counts =
      Perceptron({.learning_rate = 0.5}).update(kList, {{Pair{0, 1}}}, {}, index, weights, {});
  CHECK(counts.pairs == 1 && counts.errors == 1 && counts.updates == 1);
  CHECK((weights == Weights{0, 1.5, -0.25}));
}

TEST("each pair is compared with the weights that the one before left") {
  const FeatureIndex index = three_features();
  Weights weights = {1, 0.5, 0.25};
  // After the first update <w, x> = 0 + 3 + 0.25 > 0: the same pair has nothing more to teach.
  Perceptron perceptron({.learning_rate = 0.5});
  const std::vector<Pair> twice = {{0, 1}, {0, 1}};
  const UpdateCounts counts = perceptron.update(kList, twice, {}, index, weights, {});
  CHECK(counts.pairs == 2 && counts.errors == 1 && counts.updates == 1);
  CHECK((weights == Weights{0, 1.5, -0.25}));
}

TEST("frozen scores of decoding decide, whatever was learnt") {
  const FeatureIndex index = three_features();
  Weights weights = {0, 0, 0};
  const std::vector<Pair> pairs = {{0, 1}, {1, 0}, {1, 0}};
  const UpdateCounts counts = Perceptron({.learning_rate = 0.5, .frozen = true})
                                  .update(kList, pairs, {}, index, weights, {});
  CHECK(counts.errors == 2 && counts.updates == 2);  // 0.5 - 0.25 > 0: the first pair is in order
  CHECK((weights == Weights{2, -2, 1}));
}

TEST("a margin makes right pairs teach, and equal hypotheses change nothing") {
  const FeatureIndex index = three_features();
  Weights weights = {0, 0.5, 0};
  const std::vector<Pair> pairs = {{0, 1}, {0, 2}};  // <w, x> = 1 and 0
  const UpdateCounts counts =
      Perceptron({.learning_rate = 0.25, .margin = 1}).update(kList, pairs, {}, index, weights, {});
  CHECK(counts.errors == 1 && counts.updates == 2);
  CHECK((weights == Weights{-0.5, 1, -0.25}));
}

TEST("updates may be scaled by the metric, and limited to dense or sparse features") {
  const FeatureIndex index = three_features();
  const std::vector<double> metric = {0.75, 0.5, 0.75};
  for (const Learnable learn : {Learnable::kAll, Learnable::kDense, Learnable::kSparse}) {
    Weights weights = {0, 0, 0};
    Perceptron({.learning_rate = 1, .scale = true, .learn = learn})
        .update(kList, {{Pair{0, 1}}}, metric, index, weights, {});
    const bool dense = learn != Learnable::kSparse, sparse = learn != Learnable::kDense;
    CHECK((weights == Weights{dense ? -0.5 : 0, sparse ? 0.5 : 0, sparse ? -0.25 : 0}));
  }
}

TEST("features without a weight gain in the gradient alone") {
  const FeatureIndex index = three_features();
  Weights weights = {0, 0}, gradient = {0, 0, 0};
  Perceptron({.learning_rate = 0.5}).update(kList, {{Pair{0, 1}}}, {}, index, weights, gradient);
  CHECK((weights == Weights{-1, 1} && gradient == Weights{0, 0, -0.5}));
}

TEST("the average is over the weights after each list that has pairs") {
  const FeatureIndex index = three_features();
  Weights weights = {1, 0, 0};
  Perceptron perceptron({.learning_rate = 0.5, .margin = 99, .average = true});
  perceptron.update(kList, {}, {}, index, weights, {});
  perceptron.finish(weights);
  CHECK((weights == Weights{1, 0, 0}));
  for (int i = 0; i < 2; ++i) perceptron.update(kList, {{Pair{0, 1}}}, {}, index, weights, {});
  CHECK((weights == Weights{-1, 2, -1}));  // before: (0, 1, -0.5)
  perceptron.finish(weights);
  CHECK((weights == Weights{-0.5, 1.5, -0.75}));
}

TEST("impossible options and pairs are refused") {
  CHECK(test::thrown<Error>([] { Perceptron({.learning_rate = 0}); }) != "");
  CHECK(test::thrown<Error>([] { Perceptron({.margin = NAN}); }) != "");
  const FeatureIndex index = three_features();
  Weights weights(3);
  CHECK(test::thrown<Error>([&] {
          Perceptron({}).update(kList, {{Pair{0, 3}}}, {}, index, weights, {});
        }) == "a pair refers to a hypothesis that is not in the list");
}

}  // namespace demotic::perceptron_test
