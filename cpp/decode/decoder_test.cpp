#include "decode/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"
#include "lm/score_text.hpp"

namespace demotic::decoder_test {

using test::Words;

// A translation as a grammar without a chart finds it: its words, and the weights . features of its
// rules.
struct Translation {
  Words words;
  double score = 0;
};

// All derivations by recursion over spans, without states, without a chart: the language model
// scores finished sentences.
class BruteForce {
 public:
  BruteForce(const test::Toy& toy, Words sentence) : toy_(toy), sentence_(std::move(sentence)) {}

  std::vector<Translation> run() const {
    std::vector<Translation> result;
    for (Translation& found : glued(sentence_.size())) {
      std::string line;
      for (const std::string& word : found.words) line += word + " ";
      const SentenceScore lm = score_sentence(*toy_.lm, line);
      found.score += weight("LanguageModel") * lm.log10_prob;
      for (const std::string& word : found.words)
        if (Model::is_oov(toy_.lm->word(word))) found.score += weight("LanguageModel_OOV");
      found.score += weight("WordPenalty") * word_penalty(found.words.size());
      result.push_back(std::move(found));
    }
    return result;
  }

 private:
  double weight(const char* name) const { return toy_.weights[*toy_.index->find(name)]; }

  // S -> X, S -> S X over the first `end` words.
  std::vector<Translation> glued(std::size_t end) const {
    std::vector<Translation> result = translations(0, end);
    for (std::size_t middle = 1; middle < end; ++middle)
      for (const Translation& left : glued(middle))
        for (const Translation& right : translations(middle, end)) {
          Translation both = left;
          both.words.insert(both.words.end(), right.words.begin(), right.words.end());
          both.score += right.score + weight("Glue");
          result.push_back(std::move(both));
        }
    return result;
  }

  // X over a span.
  std::vector<Translation> translations(std::size_t begin, std::size_t end) const {
    std::vector<Translation> result;
    if (end - begin == 1) result.push_back({{sentence_[begin]}, weight("PassThrough")});
    for (const auto& block : toy_.grammar->blocks)
      for (const SourceSide& side : block->sides) {
        std::vector<std::pair<std::size_t, std::size_t>> gaps;
        match(block->source(side), begin, end, gaps, [&] {
          for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r)
            apply(*block, r, gaps, result);
        });
      }
    return result;
  }

  // Calls `found` for every way in which the symbols cover the span; `gaps` are the spans of
  // nonterminals.
  void match(std::span<const Symbol> symbols, std::size_t begin, std::size_t end,
             std::vector<std::pair<std::size_t, std::size_t>>& gaps,
             const std::function<void()>& found) const {
    if (symbols.empty()) {
      if (begin == end) found();
      return;
    }
    if (symbols[0] >= 0) {
      const bool same = begin < end && toy_.grammar->source_vocab->word(
                                           static_cast<WordId>(symbols[0])) == sentence_[begin];
      if (same) match(symbols.subspan(1), begin + 1, end, gaps, found);
      return;
    }
    for (std::size_t middle = begin + 1; middle <= end; ++middle) {
      gaps.emplace_back(begin, middle);
      match(symbols.subspan(1), middle, end, gaps, found);
      gaps.pop_back();
    }
  }

  void apply(const RuleBlock& block, std::uint32_t rule,
             const std::vector<std::pair<std::size_t, std::size_t>>& gaps,
             std::vector<Translation>& out) const {
    std::vector<Translation> begun = {
        {{}, weight("P") * static_cast<double>(block.features[rule])}};
    for (const Symbol symbol : block.target(block.rules[rule])) {
      if (symbol >= 0) {
        for (Translation& one : begun)
          one.words.emplace_back(toy_.grammar->target_vocab->word(static_cast<WordId>(symbol)));
        continue;
      }
      const auto [begin, end] = gaps[static_cast<std::size_t>(-1 - symbol)];
      std::vector<Translation> longer;
      for (const Translation& one : begun)
        for (const Translation& part : translations(begin, end)) {
          longer.push_back(one);
          longer.back().words.insert(longer.back().words.end(), part.words.begin(),
                                     part.words.end());
          longer.back().score += part.score;
        }
      begun = std::move(longer);
    }
    out.insert(out.end(), begun.begin(), begun.end());
  }

  const test::Toy& toy_;
  Words sentence_;
};

using Scored = std::pair<Words, double>;

// Words with scores in an order in which two such lists can be compared, scores with a tolerance.
std::vector<Scored> in_order(std::vector<Scored> list) {
  std::ranges::sort(list);
  return list;
}

std::vector<Scored> all_of(const Hypergraph& graph) {
  std::vector<Scored> result;
  for (const Derivation& derivation : test::derivations(graph))
    result.emplace_back(test::words_of(graph, derivation), test::score_of(graph, derivation));
  return in_order(std::move(result));
}

bool near(const Scored& a, const Scored& b) {
  return a.first == b.first && std::abs(a.second - b.second) < 1e-4;
}

double best_of(const std::vector<Scored>& list) {
  return std::ranges::max(list, {}, &Scored::second).second;
}

const std::vector<Words> kSentences = {
    {"p"}, {"q", "p"}, {"p", "q", "r"}, {"r", "q", "x"}, {"p", "p", "q"}};

TEST("exhaustive search finds every derivation of the grammar with its score, and no other") {
  const test::Toy toy;
  for (const Words& sentence : kSentences) {
    std::vector<Scored> expected;
    for (const Translation& one : BruteForce(toy, sentence).run())
      expected.emplace_back(one.words, one.score);
    expected = in_order(std::move(expected));
    const auto found = all_of(toy.decode(sentence, 0));
    CHECK(found.size() > 3 && found.size() == expected.size());
    CHECK(std::ranges::equal(found, expected, near));
  }
}

TEST("cube pruning finds some of these derivations, and all of them with enough pops") {
  const test::Toy toy;
  for (const Words& sentence : kSentences) {
    const auto all = all_of(toy.decode(sentence, 0));
    for (const std::uint32_t pop_limit : {1u, 2u, 5u, 20u, 100u}) {
      const auto some = all_of(toy.decode(sentence, pop_limit));
      CHECK(!some.empty() && some.size() <= all.size());
      CHECK(std::ranges::includes(all, some));
    }
    CHECK(all_of(toy.decode(sentence, 60'000)) == all);
    CHECK(best_of(all_of(toy.decode(sentence, 100))) == best_of(all));
  }
}

TEST(
    "lazy corners find derivations of exhaustive search, and what all corners give if they expect "
    "much") {
  const test::Toy toy;
  for (const Words& sentence : kSentences) {
    const auto all = all_of(toy.decode(sentence, 0));
    for (const double gain : {0.01, 0.7, 1000.0}) {
      for (const std::uint32_t pop_limit : {1u, 5u, 20u, 100u}) {
        DecodeOptions options;
        options.pop_limit = pop_limit;
        options.lazy_corners = gain;
        const auto some =
            all_of(Decoder(toy.lm, options).decode(toy.book(sentence), *toy.index, {toy.weights}));
        CHECK(!some.empty() && std::ranges::includes(all, some));
        if (gain == 1000.0) CHECK(some == all_of(toy.decode(sentence, pop_limit)));
      }
    }
  }
  DecodeOptions negative;
  negative.lazy_corners = -1;
  CHECK(test::thrown<Error>([&] { Decoder(toy.lm, negative); }).find("lazy_corners") == 0);
}

TEST("an empty sentence has one derivation, and a sentence that is too long is refused") {
  const test::Toy toy;
  const auto empty = all_of(toy.decode({}, 10));
  CHECK(empty.size() == 1 && empty[0].first.empty());
  const auto refused = [&] { toy.decode(Words(kMaxDecodeWords + 1, "p"), 10); };
  CHECK(test::thrown<Error>(refused).find("10001 words") != std::string::npos);
}

TEST("four threads with one decoder find what one thread finds") {
  const test::Toy toy;
  DecodeOptions options;
  options.pop_limit = 30;
  const Decoder decoder(toy.lm, options);
  std::mt19937 random(5);
  std::vector<Words> sentences(24);
  for (Words& sentence : sentences)
    for (auto length = 1 + random() % 8; length > 0; --length)
      sentence.emplace_back(1, "pqrx"[random() % 4]);
  const auto decode_all = [&](unsigned threads) {
    std::vector<std::string> texts(sentences.size());
    parallel_for(sentences.size(), threads, [&](std::size_t i) {
      texts[i] = test::kbest_text(decoder.decode(toy.book(sentences[i]), *toy.index, {toy.weights}),
                                  50, toy.index);
    });
    return texts;
  };
  const auto expected = decode_all(1);
  CHECK(std::ranges::none_of(expected, &std::string::empty));
  for (int repeat = 0; repeat < 3; ++repeat) CHECK(decode_all(4) == expected);
}

TEST("threads may read one hypergraph together") {
  const test::Toy toy;
  const Hypergraph graph = toy.decode({"p", "q", "r", "q", "p"}, 50);
  const std::string expected = test::kbest_text(graph, 100, toy.index);
  std::vector<std::string> texts(8);
  parallel_for(texts.size(), 4,
               [&](std::size_t i) { texts[i] = test::kbest_text(graph, 100, toy.index); });
  CHECK(std::ranges::count(texts, expected) == 8);
}

}  // namespace demotic::decoder_test
