#include "decode/kbest_list.hpp"

#include <algorithm>
#include <unordered_map>

#include "decode/kbest.hpp"

namespace demotic {
namespace {

class ListBuilder {
 public:
  explicit ListBuilder(const Hypergraph& graph) : graph_(graph), words_(*graph.forest().book) {
    list_.word_begins = list_.row_begins = list_.edge_begins = {0};
  }

  void add(double score, std::span<const std::uint32_t> edges) {
    const Forest& forest = graph_.forest();
    list_.scores.push_back(score);
    list_.edges.insert(list_.edges.end(), edges.begin(), edges.end());
    list_.edge_begins.push_back(list_.edges.size());
    sentence_.clear();
    append_words(forest, words_, edges, sentence_);
    for (const WordId word : sentence_) list_.words.push_back(local(word));
    list_.word_begins.push_back(list_.words.size());
    row_.clear();
    add_features(forest, edges, row_);
    for (const FeatureValue& feature : row_) {
      list_.features.push_back(feature.feature);
      list_.values.push_back(feature.value);
    }
    list_.row_begins.push_back(list_.features.size());
  }

  KBestList take() { return std::move(list_); }

 private:
  std::uint32_t local(WordId word) {
    const auto [place, is_new] = places_.try_emplace(word, static_cast<std::uint32_t>(list_.vocabulary.size()));
    if (is_new) list_.vocabulary.emplace_back(words_.text(word));
    return place->second;
  }

  const Hypergraph& graph_;
  OutputWords words_;
  KBestList list_;
  std::unordered_map<WordId, std::uint32_t> places_;
  std::vector<WordId> sentence_;
  std::vector<FeatureValue> row_;
};

// Ids of a forest's features in the index; looked up, or added, once each.
class Numbering {
 public:
  Numbering(const Forest& forest, FeatureIndex& index) : forest_(forest), index_(index) {}

  std::uint32_t operator()(std::uint32_t feature) {
    if (feature < RuleFeature::kLocal) return feature;
    const auto [place, is_new] = ids_.try_emplace(feature, 0u);
    if (is_new) place->second = id_of(feature);
    return place->second;
  }

 private:
  std::uint32_t id_of(std::uint32_t feature) {
    if (feature >= kDenseFeature) return index_.intern(dense_name(feature - kDenseFeature));
    const RuleFeature local{feature, 0};
    const RuleFeatures& features = *forest_.book->features();
    const Fingerprint& print = features.local_fingerprint(local.local());
    if (const auto known = index_.find(print)) return *known;
    return index_.intern(print, features.local_name(local.local()));
  }

  const std::string& dense_name(std::size_t number) const {
    const auto& names = *forest_.book->grammar().feature_names;
    return number < names.size() ? names[number] : forest_.options->feature_names[number - names.size()];
  }

  const Forest& forest_;
  FeatureIndex& index_;
  std::unordered_map<std::uint32_t, std::uint32_t> ids_;
};

// A decoder feature without a name is not part of the feature set.
bool is_named(const Forest& forest, std::uint32_t feature) {
  const std::size_t width = forest.book->grammar().feature_names->size();
  return feature < kDenseFeature + width || !forest.options->feature_names[feature - kDenseFeature - width].empty();
}

}  // namespace

KBestList list_kbest(const Hypergraph& graph, std::size_t k, bool unique) {
  LazyKBest search(graph, unique);
  ListBuilder builder(graph);
  LazyKBest::Found found;
  for (std::size_t i = 0; i < k && search.next(found); ++i) builder.add(found.score, found.edges);
  return builder.take();
}

KBestList list_derivations(const Hypergraph& graph, const std::vector<Derivation>& derivations) {
  ListBuilder builder(graph);
  for (const Derivation& derivation : derivations) {
    double score = 0;
    for (const std::uint32_t edge : derivation) score += graph.edge_score(edge);
    builder.add(score, derivation);
  }
  return builder.take();
}

void number_features(std::vector<FeatureValue>& features, const Forest& forest, FeatureIndex& index) {
  std::erase_if(features, [&](const FeatureValue& feature) { return !is_named(forest, feature.feature); });
  Numbering numbering(forest, index);
  for (FeatureValue& feature : features) feature.feature = numbering(feature.feature);
  sum_features(features, 0);
}

void number_features(KBestList& list, const Forest& forest, FeatureIndex& index) {
  Numbering numbering(forest, index);
  std::vector<FeatureValue> row;
  std::size_t end = 0, begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    row.clear();
    for (std::size_t j = begin; j < list.row_begins[i + 1]; ++j)
      if (is_named(forest, list.features[j])) row.push_back({numbering(list.features[j]), list.values[j]});
    begin = list.row_begins[i + 1];
    sum_features(row, 0);
    for (const FeatureValue& feature : row) {  // rows never grow, so writing stays behind reading
      list.features[end] = feature.feature;
      list.values[end++] = feature.value;
    }
    list.row_begins[i + 1] = end;
  }
  list.features.resize(end);
  list.values.resize(end);
}

}  // namespace demotic
