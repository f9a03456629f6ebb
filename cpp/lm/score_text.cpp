#include "lm/score_text.hpp"

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace demotic {

SentenceScore score_sentence(const Model& model, std::string_view line) {
  model.check_unchanged();
  SentenceScore sentence;
  NgramId state = model.begin_state();
  for_each_word(line, [&](std::string_view text) {
    const WordId word = model.word(text);
    const WordScore scored = model.score(state, word);
    sentence.log10_prob += scored.prob;
    if (Model::is_oov(word)) {
      sentence.oov_log10_prob += scored.prob;
      ++sentence.oov;
    }
    ++sentence.words;
    state = scored.state;
  });
  sentence.log10_prob += model.score(state, kEnd).prob;
  return sentence;
}

std::vector<WordDetail> score_words(const Model& model, std::string_view line) {
  model.check_unchanged();
  std::vector<WordDetail> details;
  NgramId state = model.begin_state();
  const auto add = [&](WordId word) {
    const WordScore scored = model.score(state, word);
    details.push_back({scored.prob, scored.matched, Model::is_oov(word)});
    state = scored.state;
  };
  for_each_word(line, [&](std::string_view text) { add(model.word(text)); });
  add(kEnd);
  return details;
}

std::vector<SentenceScore> score_lines(const Model& model, std::string_view lines,
                                       unsigned threads) {
  std::vector<std::string_view> sentences;
  while (!lines.empty()) sentences.push_back(next_line(lines));
  std::vector<SentenceScore> scores(sentences.size());
  parallel_ranges(sentences.size(), 1024, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scores[i] = score_sentence(model, sentences[i]);
  });
  return scores;
}

}  // namespace demotic
