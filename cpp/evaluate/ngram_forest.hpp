// A hypergraph whose nodes also tell apart the outer words of their translations, as far as these
// can be part of n-grams of some sentences. There an edge completes the same of these n-grams in
// every derivation, so that their counts add up over edges: sums over all derivations and the best
// of them are exact, which they are not on nodes that know the language model's state only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "decode/hypergraph.hpp"
#include "evaluate/references.hpp"

namespace demotic {

class NgramForest {
 public:
  // The n-grams are those of the references. Throws Error if more than `max_edges` edges are
  // needed.
  NgramForest(const Hypergraph& graph, const References& references,
              std::size_t max_edges = kMaxEdges);
  static constexpr std::size_t kMaxEdges = 5'000'000;

  // The derivations of the hypergraph, with the same rules and scores.
  const Hypergraph& graph() const { return graph_; }
  // The edge of the original that each edge stands for.
  std::span<const std::uint32_t> sources() const { return sources_; }

  // Calls visit(n-gram) for each that an edge completes, as often as it does.
  void visit(std::uint32_t edge, const std::function<void(NgramTrie::Node)>& visit) const;
  // For every edge: the sum of `values`, by n-gram, over those that it completes, and `per_word`
  // for each word of its rule.
  std::vector<double> sums(std::span<const double> values, double per_word) const;
  // How many words an n-gram has.
  std::size_t order(NgramTrie::Node ngram) const { return lengths_[ngram]; }

 private:
  // The outer words of a translation that can be part of an n-gram: the longest prefix and suffix
  // of up to three words that the references have.
  struct State {
    NgramTrie::Node left = NgramTrie::kRoot, right = NgramTrie::kRoot;
    bool whole = true;  // there are no words but those of `left`
    std::uint64_t key() const { return std::uint64_t{left} << 32 | right << 1 | whole; }
  };
  class Joiner;
  class Refiner;

  // The state of an edge whose tails are nodes of this graph; `forest` has the same rules.
  template <class Visit>
  State join(const Forest& forest, const HyperEdge& edge, Visit visit) const;
  void name_ngrams();
  std::span<const std::uint32_t> words(NgramTrie::Node ngram) const {
    return std::span(words_).subspan(ngram * kBleuOrder, lengths_[ngram]);
  }

  const References& references_;
  std::vector<std::vector<std::uint32_t>> targets_;  // by rule
  std::vector<std::uint32_t> words_;                 // of each n-gram, kBleuOrder places
  std::vector<std::uint8_t> lengths_;                // of each n-gram
  std::vector<State> states_;                        // by node
  std::vector<std::uint32_t> sources_;
  Hypergraph graph_;
};

}  // namespace demotic
