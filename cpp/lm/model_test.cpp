#include "lm/model.hpp"

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/section_test.hpp"
#include "base/test.hpp"
#include "lm/arpa_reader.hpp"
#include "lm/arpa_writer.hpp"
#include "lm/lm_test.hpp"
#include "lm/model_file.hpp"
#include "lm/model_lister.hpp"
#include "lm/score_text.hpp"

namespace demotic::model_test {

struct Piece {
  double total;
  ChartState state;
};

// A piece made by cutting at random places and merging, all the way down.
Piece parse(const Model& model, std::span<const WordId> words, std::mt19937& random) {
  Piece piece{0, {}};
  if (words.size() < 2 || random() % 4 == 0) {
    for (const WordId word : words) piece.total += model.append(piece.state, word);
    return piece;
  }
  const std::size_t cut = random() % (words.size() + 1);
  if (cut == 0 || cut == words.size()) return parse(model, words, random);
  const Piece first = parse(model, words.first(cut), random),
              second = parse(model, words.subspan(cut), random);
  const Merged merged = model.merge(first.state, second.state);
  return {first.total + second.total + merged.change, merged.state};
}

std::string arpa_of(const Ngrams& ngrams) {
  std::string text;
  write_arpa(ngrams, 2, [&](std::string_view part) { text += part; });
  return text;
}

TEST("a sentence has one score and one state, however it is put together") {
  std::mt19937 random(1);
  for (const unsigned order : {1u, 2u, 3u, 4u, 7u}) {
    const Model model = test::model_of(test::random_text(order, 300, 5), order);
    for (int repeat = 0; repeat < 500; ++repeat) {
      std::vector<WordId> words(random() % 12);
      for (WordId& word : words)
        word = static_cast<WordId>(random() % (model.vocab().size() - 2) + 2) %
               static_cast<WordId>(model.vocab().size());
      std::erase(words, kEnd);
      NgramId state = model.begin_state();
      double expected = 0;
      for (const WordId word : words) {
        const WordScore scored = model.score(state, word);
        expected += scored.prob;
        state = scored.state;
      }
      const Piece piece = parse(model, words, random);
      const Merged whole = model.merge(model.begin_piece(), piece.state);
      CHECK(std::abs(piece.total + whole.change - expected) < 1e-4);
      CHECK(whole.state.right == state);
      CHECK(whole.state.left == LeftState(kEmptyNgram, true));
    }
  }
}

TEST("a junction depends on the right state of the first and the left state of the second alone") {
  const Model model = test::model_of(test::random_text(9, 300, 4), 3);
  std::mt19937 random(2);
  std::map<std::pair<NgramId, std::uint32_t>, float> seen;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    ChartState pieces[2];
    for (ChartState& piece : pieces)
      for (auto length = random() % 5; length > 0; --length)
        model.append(piece, static_cast<WordId>(3 + random() % 4));
    const auto [place, is_new] = seen.try_emplace({pieces[0].right, pieces[1].left.bits()},
                                                  model.merge(pieces[0], pieces[1]).change);
    CHECK(is_new || place->second == model.merge(pieces[0], pieces[1]).change);
  }
}

TEST("states are small, plain and hashable") {
  static_assert(sizeof(ChartState) == 8 && std::is_trivially_copyable_v<ChartState>);
  CHECK(ChartState{} == ChartState{});
  CHECK(std::hash<ChartState>()({LeftState(3, true), 4}) !=
        std::hash<ChartState>()({LeftState(3, false), 4}));
}

TEST("the filter of an n-gram has all words that follow it, and spares most look-ups that fail") {
  const Model model = test::model_of(test::random_text(4, 400, 40), 4);
  const auto& [order, vocab, ngrams, longest, counts] = model.arrays();
  std::uint64_t seen = 0, refused = 0;
  const auto follows = [&](NgramId context, WordId word) {
    ++seen;
    CHECK(model.ngram(context).may_precede(word));
  };
  for (std::size_t id = 1; id < ngrams.size(); ++id)
    if (ngrams[id].context != kNoContext) follows(ngrams[id].context, ngrams[id].word);
  for (const LongestNgram& ngram : longest)
    if (ngram.context != kNoContext) follows(ngram.context, ngram.word);
  CHECK(seen == counts[0] + counts[1] + counts[2] + counts[3]);
  for (std::size_t id = 1 + vocab.size(); id < ngrams.size(); ++id)
    refused += ngrams[id].context != kNoContext && !ngrams[id].may_precede(kUnknown);
  CHECK(2 * refused > counts[1] + counts[2]);
}

TEST("file, list and ARPA give the same model back") {
  const std::string path = "model_test.bin";
  for (const unsigned order : {1u, 2u, 5u}) {
    const Model model = test::model_of(test::random_text(order, 200, 6), order);
    write_model(model, path);
    const Model mapped = map_model(path);
    const std::string arpa = arpa_of(list_ngrams(mapped));
    ArpaReader reader("memory");
    for (std::size_t i = 0; i < arpa.size(); i += 7)
      reader.add(std::string_view(arpa).substr(i, 7));  // cut anywhere
    Ngrams read = reader.finish();
    CHECK(arpa_of(read) == arpa);
    const Model again = ModelBuilder().build(read, true);
    for (const char* line : {"a b c a", "", "x y", "f e d c b a a a"}) {
      CHECK(score_sentence(mapped, line).log10_prob == score_sentence(model, line).log10_prob);
      CHECK(score_sentence(again, line).log10_prob == score_sentence(model, line).log10_prob);
    }
  }
}

TEST("a damaged file is refused or gives wrong numbers, and does no harm") {
  const std::string path = "model_test_damaged.bin";
  write_model(test::model_of(test::random_text(3, 100, 5), 4), path);
  std::ifstream in(path, std::ios::binary);
  const std::string whole = test::without_checksums({std::istreambuf_iterator<char>(in), {}});
  std::mt19937 random(4);
  int opened = 0;
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::string bytes = whole;
    for (auto changes = 1 + random() % (repeat % 2 == 0 ? 3 : 300); changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << bytes;
    test::thrown<Error>([&] {
      const Model model = map_model(path);
      ++opened;
      for (const char* line : {"a b c d e a b", "e x d c b a"}) score_sentence(model, line);
      for (int i = 0; i < 20; ++i) {
        std::vector<WordId> words(random() % 8);
        for (WordId& word : words) word = static_cast<WordId>(random() % 9);
        parse(model, words, random);
        model.merge({LeftState(static_cast<NgramId>(random() & 0x7fffffff), i % 2 == 0),
                     static_cast<NgramId>(random())},
                    {});
      }
      list_ngrams(model);
    });
  }
  CHECK(opened > 100);
}

TEST("a builder uses the memory of a model only when that model is gone") {
  Estimate first = test::estimated(test::random_text(1, 50, 3), {.order = 3}),
           second = test::estimated(test::random_text(2, 50, 6), {.order = 3});
  ModelBuilder builder;
  const Model one = builder.build(first.ngrams, false);
  const double score = score_sentence(one, "a b c").log10_prob;
  const Model two = builder.build(second.ngrams, false);
  CHECK(score_sentence(one, "a b c").log10_prob == score);
  CHECK(score_sentence(two, "a b c").log10_prob != score);
}

}  // namespace demotic::model_test
