#include "decode/kbest_list.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/probe_table.hpp"
#include "decode/border_features.hpp"
#include "decode/feature_rows.hpp"
#include "decode/kbest.hpp"

namespace demotic {
namespace {

const std::string& dense_name(const Forest& forest, std::size_t number) {
  const auto& names = *forest.book->grammar().feature_names;
  if (number < names.size()) return names[number];
  number -= names.size();
  return number < kDecoderFeatures ? forest.options->feature_names[number]
                                   : forest.options->further_models[number - kDecoderFeatures];
}

// The name of a feature of a forest that has no id; empty if the feature set leaves it out.
UnnumberedFeature name_of(const Forest& forest, std::uint32_t feature) {
  if (feature >= kBorderFeature && feature < kDenseFeature) {
    const std::size_t number = feature - kBorderFeature;
    return {forest.borders->print(number), forest.borders->name(number)};
  }
  if (feature < kDenseFeature) {
    const RuleFeatures& features = *forest.book->features();
    const std::uint32_t number = RuleFeature{feature, 0}.local();
    return {features.local_fingerprint(number), features.local_name(number)};
  }
  const std::string& name = dense_name(forest, feature - kDenseFeature);
  if (!forest.options->has(name)) return {};
  return {fingerprint(name), name};
}

class ListBuilder {
 public:
  explicit ListBuilder(const Hypergraph& graph) : graph_(graph), words_(*graph.forest().book) {
    const RuleBook& book = *graph.forest().book;
    list_.forest = graph.forest().identity;
    list_.source_words = book.sentence().size();
    if (book.features() != nullptr) {
      list_.index = book.features()->index();
      local_numbers_.assign(book.features()->locals(), kUnseen);
    }
    if (const auto& borders = graph.forest().borders; borders != nullptr)
      border_numbers_.assign(borders->size(), kUnseen);
    list_.word_begins = list_.row_begins = list_.edge_begins = {0};
  }

  void add(double score, std::span<const std::uint32_t> edges) {
    const Forest& forest = graph_.forest();
    list_.scores.push_back(score);
    list_.edges.insert(list_.edges.end(), edges.begin(), edges.end());
    list_.edge_begins.push_back(list_.edges.size());
    sentence_.clear();
    append_words(forest, words_, edges, sentence_);
    for (const WordId word : sentence_) list_.words.push_back(place_of(word));
    list_.word_begins.push_back(list_.words.size());
    row_.clear();
    append_features(forest, edges, dense_, row_);
    for (const FeatureValue& feature : row_) {
      list_.features.push_back(feature.feature);
      list_.values.push_back(feature.value);
    }
    list_.row_begins.push_back(list_.features.size());
  }

  KBestList take() {
    sum_rows(list_.row_begins, list_.features, list_.values);
    dense_numbers_.assign(dense_.size(), kUnseen);
    std::size_t end = 0, begin = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      for (std::size_t j = begin; j < list_.row_begins[i + 1]; ++j) {
        const std::uint32_t number = number_of(list_.features[j]);
        if (number == kLeftOut) continue;
        list_.features[end] = number;
        list_.values[end++] = list_.values[j];
      }
      begin = std::exchange(list_.row_begins[i + 1], end);
    }
    list_.features.resize(end);
    list_.values.resize(end);
    return std::move(list_);
  }

 private:
  static constexpr std::uint32_t kLeftOut = ~0u, kUnseen = kLeftOut - 1;

  std::uint32_t place_of(WordId word) {
    const auto [place, is_new] =
        word_places_.insert(word, static_cast<std::uint32_t>(list_.vocabulary.size()));
    if (is_new) list_.vocabulary.emplace_back(words_.text(word));
    return *place;
  }

  // The number of a feature in the list; those without an id get one when they come up first.
  std::uint32_t number_of(std::uint32_t feature) {
    if (feature < RuleFeature::kLocal) return feature;
    std::uint32_t& number = feature < kBorderFeature
                                ? local_numbers_[RuleFeature{feature, 0}.local()]
                            : feature < kDenseFeature ? border_numbers_[feature - kBorderFeature]
                                                      : dense_numbers_[feature - kDenseFeature];
    if (number != kUnseen) return number;
    UnnumberedFeature unnumbered = name_of(graph_.forest(), feature);
    if (unnumbered.name.empty()) return number = kLeftOut;
    number = RuleFeature::kLocal + static_cast<std::uint32_t>(list_.unnumbered.size());
    list_.unnumbered.push_back(std::move(unnumbered));
    return number;
  }

  const Hypergraph& graph_;
  OutputWords words_;
  KBestList list_;
  KeyTable<std::uint32_t> word_places_;
  // In the list, of features without id.
  std::vector<std::uint32_t> local_numbers_, border_numbers_, dense_numbers_;
  std::vector<WordId> sentence_;
  std::vector<FeatureValue> row_;
  std::vector<double> dense_;
};

// Ids in the order of the features, in which new ones are added to the index.
std::vector<FeatureId> ids_of(std::span<const UnnumberedFeature> features, FeatureIndex& index) {
  std::vector<std::optional<FeatureId>> known(features.size());
  {
    const FeatureIndex::Reading reading(index);
    for (std::size_t i = 0; i < features.size(); ++i) known[i] = index.find(features[i].print);
  }
  std::vector<FeatureId> ids(features.size());
  for (std::size_t i = 0; i < features.size(); ++i)
    ids[i] = known[i] ? *known[i] : index.intern(features[i].print, features[i].name);
  return ids;
}

// Six significant digits, as printf's %.6g in any locale.
void append_number(std::string& text, double value) {
  char digits[32];
  text.append(
      digits,
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 6).ptr);
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

void KBestList::number_features(FeatureIndex& numbers) {
  if (index != 0) numbers.check_ids_of(index, "the k-best list");
  index = numbers.identity();
  const std::vector<FeatureId> ids = ids_of(unnumbered, numbers);
  unnumbered.clear();
  for (std::uint32_t& feature : features)
    if (const RuleFeature numbered{feature, 0}; numbered.is_local())
      feature = ids[numbered.local()];
  sum_rows(row_begins, features, values);
}

std::vector<std::string> KBestList::sentence(std::size_t i) const {
  std::vector<std::string> result;
  for (std::size_t j = word_begins[i]; j < word_begins[i + 1]; ++j)
    result.push_back(vocabulary[words[j]]);
  return result;
}

std::string to_text(const KBestList& list, std::size_t number, const FeatureIndex& index) {
  index.check_ids_of(list.index, "the k-best list");
  const FeatureIndex::Reading reading(index);
  std::string text;
  const std::string begin = std::to_string(number) + " ||| ";
  for (std::size_t i = 0; i < list.size(); ++i) {
    text += begin;
    for (std::size_t j = list.word_begins[i]; j < list.word_begins[i + 1]; ++j)
      text.append(list.vocabulary[list.words[j]]).append(1, ' ');
    text += "||| ";
    for (std::size_t j = list.row_begins[i]; j < list.row_begins[i + 1]; ++j) {
      text.append(index.name(list.features[j])).append(1, '=');
      append_number(text, list.values[j]);
      text += ' ';
    }
    text += "||| ";
    append_number(text, list.scores[i]);
    text += '\n';
  }
  return text;
}

std::vector<FeatureValue> numbered(std::span<const FeatureValue> features, const Forest& forest,
                                   FeatureIndex& index) {
  if (forest.book->features() != nullptr)
    index.check_ids_of(forest.book->features()->index(), "the hypergraph");
  std::vector<FeatureValue> result;
  std::vector<UnnumberedFeature> unnumbered;
  std::vector<std::size_t> places;  // of these in the result
  for (const FeatureValue& feature : features) {
    if (feature.feature >= RuleFeature::kLocal) {
      UnnumberedFeature named = name_of(forest, feature.feature);
      if (named.name.empty()) continue;
      unnumbered.push_back(std::move(named));
      places.push_back(result.size());
    }
    result.push_back(feature);
  }
  const std::vector<FeatureId> ids = ids_of(unnumbered, index);
  for (std::size_t i = 0; i < ids.size(); ++i) result[places[i]].feature = ids[i];
  sum_features(result, 0);
  return result;
}

}  // namespace demotic
