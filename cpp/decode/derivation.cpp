#include "decode/derivation.hpp"

#include <algorithm>

#include "decode/border_features.hpp"

namespace demotic {

OutputWords::OutputWords(const RuleBook& book) : book_(book), first_(book.translation_rules()) {
  for (std::size_t i = 0; i < book.sentence().size(); ++i) {
    if (const ForcedTranslation* const prescribed = book.forced(i))
      for (const std::string& word : prescribed->words) own_.push_back(id_of(word));
    else
      own_.push_back(id_of(book.sentence()[i]));
    begins_.push_back(own_.size());
  }
}

WordId OutputWords::id_of(std::string_view word) {
  const Vocab& vocab = *book_.grammar().target_vocab;
  if (const auto known = vocab.find(word)) return *known;
  const auto found = std::ranges::find(beyond_, word);
  const auto place = static_cast<std::size_t>(found - beyond_.begin());
  if (found == beyond_.end()) beyond_.push_back(word);
  return static_cast<WordId>(vocab.size() + place);
}

std::string_view OutputWords::text(WordId word) const {
  const Vocab& vocab = *book_.grammar().target_vocab;
  return word < vocab.size() ? vocab.word(word) : beyond_[word - vocab.size()];
}

namespace {

// Writes the words of the derivation whose top edge is at `position`; returns the position behind
// it.
std::size_t write_words(const Forest& forest, const OutputWords& words,
                        std::span<const std::uint32_t> derivation, std::size_t position,
                        std::vector<WordId>& out) {
  const HyperEdge& edge = forest.edges[derivation[position++]];
  const UsedRule& rule = forest.rules[edge.rule];
  if (OutputWords::has_own(rule.kind)) {
    const auto own = words.own(rule.rule);
    out.insert(out.end(), own.begin(), own.end());
    return position;
  }
  const int arity = Forest::arity(edge);
  int seen = 0;
  for (const Symbol symbol : rule.content.target) {
    if (symbol >= 0)
      out.push_back(static_cast<WordId>(symbol));
    else if (seen++ < arity)
      position = write_words(forest, words, derivation, position, out);
  }
  return position;
}

}  // namespace

void append_words(const Forest& forest, const OutputWords& words,
                  std::span<const std::uint32_t> derivation, std::vector<WordId>& out) {
  write_words(forest, words, derivation, 0, out);
}

void append_features(const Forest& forest, std::span<const std::uint32_t> edges,
                     std::vector<double>& dense, std::vector<FeatureValue>& out) {
  const std::size_t width = forest.book->grammar().feature_names->size();
  dense.assign(width + kDecoderFeatures + forest.further_models(), 0.0);
  for (const std::uint32_t id : edges) {
    const HyperEdge& edge = forest.edges[id];
    const RuleBook::Content& content = forest.rules[edge.rule].content;
    for (std::size_t i = 0; i < content.dense.size(); ++i) dense[i] += content.dense[i];
    for (std::size_t f = 0; f < kDecoderFeatures; ++f)
      dense[width + f] += forest.decoder_feature(static_cast<DecoderFeature>(f), edge);
    const auto further = forest.further(id);
    for (std::size_t i = 0; i < further.size(); ++i)
      dense[width + kDecoderFeatures + i] += further[i];
    for (const RuleFeature& feature : content.sparse)
      out.push_back({feature.feature, feature.value});
    if (forest.borders != nullptr) add_borders(*forest.borders, id, 1.0, out);
  }
  for (std::size_t i = 0; i < dense.size(); ++i)
    if (dense[i] != 0) out.push_back({kDenseFeature + static_cast<std::uint32_t>(i), dense[i]});
}

void add_features(const Forest& forest, std::span<const std::uint32_t> edges,
                  std::vector<FeatureValue>& out) {
  const std::size_t first = out.size();
  std::vector<double> dense;
  append_features(forest, edges, dense, out);
  sum_features(out, first);
}

void add_borders(const BorderFeatures& borders, std::size_t edge, double coefficient,
                 std::vector<FeatureValue>& out) {
  const auto templates = static_cast<std::uint32_t>(borders.templates());
  for (const std::uint32_t bigram : borders.bigrams(edge))
    for (std::uint32_t t = 0; t < templates; ++t)
      out.push_back({kBorderFeature + bigram * templates + t, coefficient});
}

void sum_features(std::vector<FeatureValue>& features, std::size_t first) {
  const auto begin = features.begin() + static_cast<std::ptrdiff_t>(first);
  std::stable_sort(begin, features.end(), [](const FeatureValue& a, const FeatureValue& b) {
    return a.feature < b.feature;
  });
  std::size_t size = first;
  for (std::size_t i = first; i < features.size(); ++i) {
    if (size > first && features[size - 1].feature == features[i].feature)
      features[size - 1].value += features[i].value;
    else
      features[size++] = features[i];
  }
  features.resize(size);
}

}  // namespace demotic
