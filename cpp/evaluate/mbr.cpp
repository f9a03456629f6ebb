#include "evaluate/mbr.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/softmax.hpp"
#include "decode/pruning.hpp"
#include "evaluate/linear_bleu.hpp"
#include "evaluate/ngram_trie.hpp"

namespace demotic {
namespace {

// The n-grams of the hypotheses of a list, each with its count, by hypothesis and order.
class ListNgrams {
 public:
  struct Entry {
    NgramTrie::Node ngram;
    std::int32_t count;
  };

  explicit ListNgrams(const KBestList& list)
      : sentences_(sentences_of(list)), trie_(sentences_), begins_{0} {
    for (const auto& sentence : sentences_) add(sentence);
  }

  std::size_t ngrams() const { return trie_.size(); }
  std::size_t length(std::size_t hypothesis) const { return sentences_[hypothesis].size(); }
  std::span<const Entry> of(std::size_t hypothesis, std::size_t order_below) const {
    const std::size_t place = hypothesis * kBleuOrder + order_below;
    return std::span(entries_).subspan(begins_[place], begins_[place + 1] - begins_[place]);
  }

  // Statistics of a hypothesis beside a reference with these counts by n-gram.
  template <class Count>
  BleuCounts<Count> statistics(std::size_t hypothesis, const std::vector<Count>& reference,
                               Count reference_length) const {
    BleuCounts<Count> result;
    const std::size_t words = length(hypothesis);
    result.hypothesis_length = static_cast<Count>(words);
    result.reference_length = reference_length;
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
      if (words > n) result.totals[n] = static_cast<Count>(words - n);
      for (const Entry& entry : of(hypothesis, n))
        result.matches[n] += std::min(static_cast<Count>(entry.count), reference[entry.ngram]);
    }
    return result;
  }

 private:
  static std::vector<std::vector<std::uint32_t>> sentences_of(const KBestList& list) {
    std::vector<std::vector<std::uint32_t>> sentences(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = list.word_begins[i]; j < list.word_begins[i + 1]; ++j)
        sentences[i].push_back(list.words[j] + 1);  // those of a trie are numbers from 1 on
    return sentences;
  }

  void add(std::span<const std::uint32_t> words) {
    std::array<std::vector<NgramTrie::Node>, kBleuOrder> found;
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
      NgramTrie::Node node = NgramTrie::kRoot;
      for (std::size_t n = 0; n < std::min(kBleuOrder, words.size() - begin); ++n)
        found[n].push_back(node = trie_.find(node, words[begin + n]));
    }
    for (auto& ngrams : found) {
      std::ranges::sort(ngrams);
      for (std::size_t i = 0, j = 0; i < ngrams.size(); i = j) {
        while (j < ngrams.size() && ngrams[j] == ngrams[i]) ++j;
        entries_.push_back({ngrams[i], static_cast<std::int32_t>(j - i)});
      }
      begins_.push_back(entries_.size());
    }
  }

  std::vector<std::vector<std::uint32_t>> sentences_;
  NgramTrie trie_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> begins_;  // by hypothesis and order
};

void check_scale(double scale) {
  if (!(scale > 0) || !std::isfinite(scale)) throw Error("the scale must be a positive number");
}

KBestList forest_risk(const Hypergraph& graph, const KBestList& list, const MbrOptions& options,
                      std::size_t count) {
  check_scale(options.scale);
  std::vector<std::vector<std::string>> sentences;
  for (std::size_t i = 0; i < list.size(); ++i) sentences.push_back(list.sentence(i));
  return linear_consensus(prune_to(graph, kMbrEdges, options.size),
                          References(std::move(sentences)), 1 / options.scale, count);
}

void check_posteriors(const KBestList& list, std::span<const double> posteriors) {
  if (posteriors.size() != list.size())
    throw Error("minimum Bayes risk needs a probability for each of " +
                std::to_string(list.size()) + " hypotheses");
}

}  // namespace

std::vector<double> list_posteriors(const KBestList& list, double scale) {
  check_scale(scale);
  std::vector<double> posteriors;
  posteriors.reserve(list.size());
  for (const double score : list.scores) posteriors.push_back(scale * score);
  if (!posteriors.empty()) softmax(posteriors);
  return posteriors;
}

std::vector<double> expected_gains(const KBestList& list, std::span<const double> posteriors,
                                   const SentenceBleu& metric) {
  check_posteriors(list, posteriors);
  const ListNgrams ngrams(list);
  std::vector<double> gains(list.size(), 0.0);
  std::vector<std::int32_t> reference(ngrams.ngrams(), 0);
  for (std::size_t j = 0; j < list.size(); ++j) {
    for (std::size_t n = 0; n < kBleuOrder; ++n)
      for (const auto& entry : ngrams.of(j, n)) reference[entry.ngram] = entry.count;
    const auto length = static_cast<std::int32_t>(ngrams.length(j));
    for (std::size_t i = 0; i < list.size(); ++i)
      gains[i] += posteriors[j] * metric(ngrams.statistics(i, reference, length));
    for (std::size_t n = 0; n < kBleuOrder; ++n)
      for (const auto& entry : ngrams.of(j, n)) reference[entry.ngram] = 0;
  }
  return gains;
}

std::vector<double> consensus_gains(const KBestList& list, std::span<const double> posteriors,
                                    const SentenceBleu& metric) {
  check_posteriors(list, posteriors);
  const ListNgrams ngrams(list);
  std::vector<double> expected(ngrams.ngrams(), 0.0);
  double length = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    length += posteriors[i] * static_cast<double>(ngrams.length(i));
    for (std::size_t n = 0; n < kBleuOrder; ++n)
      for (const auto& entry : ngrams.of(i, n))
        expected[entry.ngram] += posteriors[i] * entry.count;
  }
  std::vector<double> gains;
  gains.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    gains.push_back(metric(ngrams.statistics(i, expected, length)));
  return gains;
}

MbrKind mbr_kind(std::string_view name) {
  if (name == "list") return MbrKind::kList;
  if (name == "consensus") return MbrKind::kConsensus;
  if (name == "forest") return MbrKind::kForest;
  throw Error("no kind of minimum Bayes risk is called '" + std::string(name) + "'",
              "choose list, consensus or forest");
}

KBestList minimum_bayes_risk(const Hypergraph& graph, const MbrOptions& options,
                             std::size_t count) {
  const KBestList list = list_kbest(graph, options.size, true);
  if (options.kind == MbrKind::kForest) return forest_risk(graph, list, options, count);
  const std::vector<double> posteriors = list_posteriors(list, options.scale);
  const std::vector<double> gains = options.kind == MbrKind::kList
                                        ? expected_gains(list, posteriors, options.metric)
                                        : consensus_gains(list, posteriors, options.metric);
  std::vector<std::size_t> order(list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
  order.resize(std::min(order.size(), count));
  std::vector<Derivation> chosen;
  for (const std::size_t i : order)
    chosen.emplace_back(list.edges.begin() + static_cast<std::ptrdiff_t>(list.edge_begins[i]),
                        list.edges.begin() + static_cast<std::ptrdiff_t>(list.edge_begins[i + 1]));
  return list_derivations(graph, chosen);
}

}  // namespace demotic
