#include "learn/adagrad.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"
#include "learn/learn_test.hpp"

namespace demotic::adagrad_test {

FeatureIndex three_features() {
  FeatureIndex index;
  for (const char* name : {"Dense", "shape:a", "shape:b"}) index.intern(name);
  return index;
}

const KBestList kList =
    test::list_of({{{0, 1.0}, {1, 2.0}}, {{0, 3.0}, {2, 1.0}}, {{0, 1.0}, {1, 2.0}}});
const std::vector<Pair> kPair = {{0, 1}};  // x = (-2, 2, -1)

using Weights = std::vector<double>;

TEST("the first step is the rate, whatever the gradient, and the second smaller") {
  const FeatureIndex index = three_features();
  Weights weights(3);
  AdaGrad adagrad({.loss = PairLoss::kHinge, .learning_rate = 0.5, .dense_rate = 0.25});
  const UpdateCounts counts = adagrad.update(kList, kPair, {}, index, weights);
  CHECK(counts.pairs == 1 && counts.errors == 1 && counts.updates == 1 && counts.loss == 1);
  CHECK((weights == Weights{-0.25, 0.5, -0.5}));
  AdaGrad again({.loss = PairLoss::kHinge, .margin = 9, .learn = Learnable::kSparse});
  weights = {1, 0, 0};
  for (int i = 0; i < 2; ++i) again.update(kList, kPair, {}, index, weights);
  CHECK(weights[0] == 1 && std::abs(weights[1] - 0.02 * (1 + std::sqrt(0.5))) < 1e-15);
}

TEST("what rounding leaves of a sum is no gradient") {
  FeatureIndex index;
  for (const char* name : {"shape:a", "shape:b"}) index.intern(name);
  // Feature 0 is the same in all three rows; feature 1 tells them apart.
  const KBestList list =
      test::list_of({{{0, 0.1}, {1, 3}}, {{0, 0.1}, {1, 2}}, {{0, 0.1}, {1, 1}}});
  Weights weights = {0, 0.3};
  AdaGrad adagrad({});
  adagrad.update(list, std::vector<Pair>{{0, 1}, {0, 2}, {1, 2}}, {}, index, weights);
  CHECK(weights[0] == 0 && weights[1] > 0.3);
}

TEST("a gradient whose square is no number above 0 teaches nothing") {
  const FeatureIndex index = three_features();
  Weights weights = {-200, 0, 0};  // <w, x> = 400, and e^-800 is 0
  AdaGrad adagrad({.regularizer = {0.01, 0.1}, .average = true});
  adagrad.update(kList, kPair, {}, index, weights);
  adagrad.finish(weights);
  CHECK((weights == Weights{-200, 0, 0}));
  CHECK((adagrad.squares() == Weights{0, 0, 0}));
  adagrad.descend(std::vector<FeatureId>{0, 1}, std::vector<double>{1e-170, 2}, index, weights);
  CHECK(weights[0] == -200 && weights[1] < 0 && weights[1] > -0.02);
}

TEST("features are learnt from the n-th list on that moves them") {
  const FeatureIndex index = three_features();
  Weights weights(3);
  AdaGrad adagrad({.loss = PairLoss::kHinge, .margin = 9, .min_lists = 3});
  for (int i = 0; i < 3; ++i) {
    CHECK(weights[1] == 0 && (weights[0] != 0) == (i > 0));
    adagrad.update(kList, kPair, {}, index, weights);
  }
  CHECK(weights[1] == 0.02);
}

TEST("sums of squares are handed on") {
  const FeatureIndex index = three_features();
  const AdaGradOptions options = {.learning_rate = 0.1, .regularizer = {0.01, 0.1}};
  AdaGrad whole(options), first(options), second(options);
  Weights weights(3), parts(3);
  for (int i = 0; i < 2; ++i) whole.update(kList, kPair, {}, index, weights);
  first.update(kList, kPair, {}, index, parts);
  first.finish(parts);
  second.set_squares(first.squares());
  second.update(kList, kPair, {}, index, parts);
  whole.finish(weights);
  second.finish(parts);
  CHECK(weights == parts && whole.squares() == second.squares() && weights[1] > 0);
}

TEST("lists without pairs are no step") {
  const FeatureIndex index = three_features();
  Weights weights = {1, 1, 1};
  AdaGrad adagrad({.regularizer = {0.5, 0}});
  adagrad.set_squares(std::vector<double>{1, 1, 1});
  CHECK(adagrad.update(kList, {}, {}, index, weights).pairs == 0);
  adagrad.finish(weights);
  CHECK((weights == Weights{1, 1, 1}));
}

TEST("impossible options, pairs and states are refused") {
  for (const double bad : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    CHECK(test::thrown<Error>([&] { AdaGrad({.learning_rate = bad}); }) != "");
    CHECK(test::thrown<Error>([&] { AdaGrad({.dense_rate = bad}); }) != "");
  }
  CHECK(test::thrown<Error>([] { AdaGrad({.margin = NAN}); }) != "");
  CHECK(test::thrown<Error>([] { AdaGrad({.regularizer = {-1, 0}}); }) != "");
  CHECK(test::thrown<Error>([] { AdaGrad({.min_lists = 0}); }) != "");
  CHECK(test::thrown<Error>([] { pair_loss("squared"); }) != "");
  const FeatureIndex index = three_features();
  Weights weights(3), few(2);
  AdaGrad adagrad({});
  CHECK(test::thrown<Error>([&] { adagrad.update(kList, {{Pair{0, 3}}}, {}, index, weights); }) ==
        "a pair refers to a hypothesis that is not in the list");
  CHECK(test::thrown<Error>([&] { adagrad.update(kList, kPair, {}, index, few); }) != "");
  CHECK(test::thrown<Error>([&] { adagrad.set_squares(std::vector<double>{-1}); }) != "");
}

}  // namespace demotic::adagrad_test
