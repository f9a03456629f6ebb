#include "decode/kbest_list.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "decode/border_features.hpp"
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
    if (book.features() != nullptr) list_.index = book.features()->index();
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
    add_features(forest, edges, row_);
    for (const FeatureValue& feature : row_) add(feature);
    list_.row_begins.push_back(list_.features.size());
  }

  KBestList take() { return std::move(list_); }

 private:
  static constexpr std::uint32_t kLeftOut = ~0u;

  std::uint32_t place_of(WordId word) {
    const auto [place, is_new] =
        word_places_.try_emplace(word, static_cast<std::uint32_t>(list_.vocabulary.size()));
    if (is_new) list_.vocabulary.emplace_back(words_.text(word));
    return place->second;
  }

  void add(const FeatureValue& feature) {
    const std::uint32_t number =
        feature.feature < RuleFeature::kLocal ? feature.feature : number_of(feature.feature);
    if (number == kLeftOut) return;
    list_.features.push_back(number);
    list_.values.push_back(feature.value);
  }

  std::uint32_t number_of(std::uint32_t feature) {
    const auto [place, is_new] = numbers_.try_emplace(feature, kLeftOut);
    if (is_new) {
      UnnumberedFeature unnumbered = name_of(graph_.forest(), feature);
      if (!unnumbered.name.empty()) {
        place->second = RuleFeature::kLocal + static_cast<std::uint32_t>(list_.unnumbered.size());
        list_.unnumbered.push_back(std::move(unnumbered));
      }
    }
    return place->second;
  }

  const Hypergraph& graph_;
  OutputWords words_;
  KBestList list_;
  std::unordered_map<WordId, std::uint32_t> word_places_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<WordId> sentence_;
  std::vector<FeatureValue> row_;
};

FeatureId id_of(const UnnumberedFeature& feature, FeatureIndex& index) {
  const auto known = index.find(feature.print);
  return known ? *known : index.intern(feature.print, feature.name);
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
  std::vector<FeatureId> ids;
  ids.reserve(unnumbered.size());
  for (const UnnumberedFeature& feature : unnumbered) ids.push_back(id_of(feature, numbers));
  unnumbered.clear();
  std::vector<FeatureValue> row;
  std::size_t end = 0, begin = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    row.clear();
    for (std::size_t j = begin; j < row_begins[i + 1]; ++j) {
      const RuleFeature feature{features[j], 0};
      row.push_back({feature.is_local() ? ids[feature.local()] : feature.feature, values[j]});
    }
    begin = row_begins[i + 1];
    sum_features(row, 0);
    for (const FeatureValue& feature : row) {  // rows never grow, so writing stays behind reading
      features[end] = feature.feature;
      values[end++] = feature.value;
    }
    row_begins[i + 1] = end;
  }
  features.resize(end);
  values.resize(end);
}

std::vector<std::string> KBestList::sentence(std::size_t i) const {
  std::vector<std::string> result;
  for (std::size_t j = word_begins[i]; j < word_begins[i + 1]; ++j)
    result.push_back(vocabulary[words[j]]);
  return result;
}

std::string to_text(const KBestList& list, std::size_t number, const FeatureIndex& index) {
  index.check_ids_of(list.index, "the k-best list");
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
  for (const FeatureValue& feature : features) {
    if (feature.feature < RuleFeature::kLocal) {
      result.push_back(feature);
    } else if (const UnnumberedFeature unnumbered = name_of(forest, feature.feature);
               !unnumbered.name.empty()) {
      result.push_back({id_of(unnumbered, index), feature.value});
    }
  }
  sum_features(result, 0);
  return result;
}

}  // namespace demotic
