#include "evaluate/references.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::references_test {

using Words = std::vector<std::string>;

BleuStatistics score(const std::vector<Words>& references, const Words& hypothesis) {
  const References prepared(references);
  return prepared.statistics(prepared.ids(hypothesis));
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

TEST("matches are clipped by the reference that has most") {
  const BleuStatistics counts =
      score({{"a", "a", "b"}, {"a", "b", "b"}}, {"a", "a", "a", "b", "b", "b"});
  CHECK(counts.matches[0] == 4);  // a twice, b twice
  CHECK(counts.matches[1] == 3);  // aa, ab, bb
  CHECK(counts.matches[2] == 2);  // aab, abb
  CHECK(counts.matches[3] == 0);
  CHECK(counts.totals == (std::array<std::int32_t, 4>{6, 5, 4, 3}));
  CHECK(counts.hypothesis_length == 6);
  CHECK(counts.reference_length == 3);
}

TEST("a sentence shorter than an order has no such n-gram") {
  const BleuStatistics counts = score({{"a", "b", "c", "d"}}, {"a", "b"});
  CHECK(counts.totals == (std::array<std::int32_t, 4>{2, 1, 0, 0}));
  CHECK(bleu(counts) == 0);
  CHECK(near(liang_bleu(counts), std::exp(-1.0) * (1.0 / 16 + 1.0 / 8)));
}

TEST("empty hypotheses and empty references") {
  const BleuStatistics nothing = score({{"a"}}, {});
  CHECK(liang_bleu(nothing) == 0 && bleu_plus_one(nothing) == 0 && nakov_bleu(nothing) == 0);
  CHECK(score({{}}, {"a"}).matches[0] == 0);
  const References empty({Words{}});
  CHECK(near(empty.wer(empty.ids(Words{"a", "b"})), 2.0));
}

TEST("no references are an error") {
  CHECK(test::thrown<Error>([] { References({}); }).find("has no reference") != std::string::npos);
}

TEST("a document makes up for what the sentence lacks") {
  const BleuStatistics counts = score({{"a", "b", "c", "d"}}, {"a", "b", "x", "d"});
  const BleuSums document{{8, 6, 4, 2}, {10, 9, 8, 7}, 10, 10};
  CHECK(bleu(counts) == 0);
  CHECK(near(pseudo_document_bleu(document, counts),
             std::pow(11.0 / 14 * 7 / 12 * 4 / 10 * 2 / 8, 0.25)));
}

}  // namespace demotic::references_test
