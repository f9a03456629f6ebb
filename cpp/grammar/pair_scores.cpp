#include "grammar/pair_scores.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace demotic {
namespace {

class PairScorer {
 public:
  explicit PairScorer(const GrammarIndex& index)
      : index_(index),
        source_totals_(index.source_null() + 1, 0.0),
        target_totals_(index.target_null() + 1, 0.0) {
    for (const IndexPart& part : index.parts()) {
      const Lexicon& lexicon = part.lexicon;
      for (WordId f = 0; f <= lexicon.source_null(); ++f) {
        double& total = source_totals_[f == lexicon.source_null() ? index.source_null() : f];
        for (const LexicalEntry& entry : lexicon.row(f)) total += entry.count;
      }
      for (WordId e = 0; e <= lexicon.target_null(); ++e)
        target_totals_[e == lexicon.target_null() ? index.target_null() : e] +=
            lexicon.target_totals[e];
    }
  }

  PairScore operator()(std::size_t number) const {
    const auto [in, sentence] = index_.place_of(number);
    const IndexPart& part = index_.parts()[in];
    if (!part.has_record(sentence)) return {};
    const SentenceRecord record = part.record(sentence);
    const auto tokens = part.source.sentence(sentence);
    std::vector<WordId> source, target;
    for (const Token token : tokens) source.push_back(token - 1);
    for (int j = 0; j < record.target_length(); ++j) target.push_back(record.target_word(j));
    source.push_back(index_.source_null());
    target.push_back(index_.target_null());
    std::vector<WordPair> own;  // links of the pair itself
    for_each_lexical_link(
        source.size() - 1, target.size() - 1, record.links(), [&](std::size_t i, std::size_t j) {
          own.push_back(
              {source[std::min(i, source.size() - 1)], target[std::min(j, target.size() - 1)]});
        });
    std::ranges::sort(own);
    return score(source, target, own);
  }

 private:
  struct WordPair {
    WordId source, target;
    auto operator<=>(const WordPair&) const = default;
  };

  PairScore score(const std::vector<WordId>& source, const std::vector<WordId>& target,
                  const std::vector<WordPair>& own) const {
    // A word may stand in the pair more than once: all of its links are its own.
    std::vector<double> source_totals, target_totals;
    for (const WordId f : source)
      source_totals.push_back(source_totals_[f] -
                              static_cast<double>(std::ranges::count(own, f, &WordPair::source)));
    for (const WordId e : target)
      target_totals.push_back(target_totals_[e] -
                              static_cast<double>(std::ranges::count(own, e, &WordPair::target)));
    std::vector<double> given_source(target.size(), 0.0), given_target(source.size(), 0.0);
    for (std::size_t i = 0; i < source.size(); ++i)
      for (std::size_t j = 0; j < target.size(); ++j) {
        const auto counted = count(source[i], target[j]);
        if (counted == 0) continue;
        const auto removed = std::ranges::equal_range(own, WordPair{source[i], target[j]}).size();
        const double together = counted - static_cast<double>(removed);
        if (together <= 0) continue;
        given_source[j] += together / source_totals[i];
        given_target[i] += together / target_totals[j];
      }
    return {mean_log(given_source, source.size(), target_totals),
            mean_log(given_target, target.size(), source_totals)};
  }

  // Over the words that the rest of the corpus has; NULL, the last, is none of them.
  static float mean_log(const std::vector<double>& sums, std::size_t others,
                        const std::vector<double>& totals) {
    double total = 0;
    int known = 0;
    for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
      if (totals[i] <= 0) continue;
      ++known;
      total += std::log10(std::max(kUnexplained, sums[i] / static_cast<double>(others)));
    }
    return static_cast<float>(known > 0 ? total / known : std::log10(kUnexplained));
  }

  double count(WordId source, WordId target) const {
    double sum = 0;
    for (const IndexPart& part : index_.parts()) {
      const Lexicon& lexicon = part.lexicon;
      const WordId f = source == index_.source_null() ? lexicon.source_null() : source;
      const WordId e = target == index_.target_null() ? lexicon.target_null() : target;
      if (f > lexicon.source_null() || e > lexicon.target_null() ||
          (f == lexicon.source_null()) != (source == index_.source_null()) ||
          (e == lexicon.target_null()) != (target == index_.target_null()))
        continue;  // a word that this part does not have
      const auto row = lexicon.row(f);
      const auto found = std::ranges::lower_bound(row, e, {}, &LexicalEntry::target);
      if (found != row.end() && found->target == e) sum += found->count;
    }
    return sum;
  }

  const GrammarIndex& index_;
  std::vector<double> source_totals_, target_totals_;  // c(f) and c(e), NULL last
};

}  // namespace

std::vector<PairScore> score_pairs(const GrammarIndex& index, unsigned threads) {
  const PairScorer scorer(index);
  std::vector<PairScore> scores(index.size());
  parallel_for(index.size(), threads, [&](std::size_t i) { scores[i] = scorer(i); });
  return scores;
}

}  // namespace demotic
