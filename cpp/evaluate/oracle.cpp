#include "evaluate/oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "base/hash.hpp"
#include "evaluate/match_counter.hpp"

namespace demotic {
namespace {

// What the future of a partial translation depends on, as 128 bits: two different states of one
// sentence that share them will not be met.
struct State {
  std::uint64_t first, second;
  bool operator==(const State&) const = default;
};

struct StateHash {
  std::size_t operator()(const State& state) const { return state.first; }
};

std::uint64_t hash_state(std::span<const std::uint32_t> words,
                         std::span<const NgramTrie::Node> ngrams, std::uint64_t salt) {
  constexpr std::size_t kEdge = kBleuOrder - 1;
  std::uint64_t hash = mix(words.size() ^ salt);
  for (const std::uint32_t word : words.first(std::min(words.size(), kEdge)))
    hash = mix(hash ^ word);
  for (const std::uint32_t word : words.last(std::min(words.size(), kEdge)))
    hash = mix(hash ^ word);
  for (const NgramTrie::Node ngram : ngrams)
    hash += mix(ngram ^ salt);  // a sum: they come in any order
  return hash;
}

// A rule applied to partial translations of its tails.
struct Partial {
  double metric;  // of the words so far, as if the references were as much shorter as the span is
  double model;   // weights . features
  std::uint32_t edge;
  std::array<std::uint32_t, 2> ranks;  // in the lists of the tails, in the order of the target side
  State state;

  // Worse first, for heaps; the order is total, so that it does not depend on the way a heap works.
  bool operator<(const Partial& other) const {
    if (metric != other.metric) return metric < other.metric;
    if (model != other.model) return model < other.model;
    return std::tie(other.edge, other.ranks) < std::tie(edge, ranks);
  }
};

class OracleSearch {
 public:
  OracleSearch(const Hypergraph& graph, const References& references, const SentenceBleu& metric,
               std::size_t beam)
      : graph_(graph),
        forest_(graph.forest()),
        references_(references),
        metric_(metric),
        beam_(beam == 0 ? std::numeric_limits<std::size_t>::max() : beam),
        counter_(references),
        lists_(forest_.nodes.size()),
        targets_(number_targets()) {}

  Derivation run() {
    for (NodeId node = 0; node < forest_.nodes.size(); ++node) fill(node);
    Derivation derivation;
    read_out(forest_.goal(), 0, derivation);
    return derivation;
  }

 private:
  static constexpr std::uint32_t kTail =
      0xFFFFFFFFu;  // in targets_: the words of the next tail stand here

  struct List {
    std::vector<Partial> partials;
    std::vector<std::uint32_t> words, ends;  // of the partials, one after the other
    std::span<const std::uint32_t> words_of(std::size_t rank) const {
      const std::size_t begin = rank == 0 ? 0 : ends[rank - 1];
      return std::span(words).subspan(begin, ends[rank] - begin);
    }
  };

  // Target sides of all rules in numbers of the references.
  std::vector<std::vector<std::uint32_t>> number_targets() const {
    const OutputWords words(*forest_.book);
    std::vector<std::vector<std::uint32_t>> targets;
    for (const UsedRule& rule : forest_.rules) {
      auto& target = targets.emplace_back();
      if (OutputWords::has_own(rule.kind))
        for (const WordId word : words.own(rule.rule))
          target.push_back(references_.id(words.text(word)));
      for (const Symbol symbol : rule.target)
        target.push_back(symbol < 0 ? kTail
                                    : references_.id(words.text(static_cast<WordId>(symbol))));
    }
    return targets;
  }

  void fill(NodeId node) {
    const HyperNode& place = forest_.nodes[node];
    std::vector<Partial> heap, kept;
    for (std::uint32_t edge = place.edges_begin; edge < place.edges_end; ++edge)
      heap.push_back(combine(edge, {0, 0}));
    std::make_heap(heap.begin(), heap.end());
    std::unordered_map<State, std::size_t, StateHash> known;
    while (!heap.empty() && kept.size() < beam_) {
      std::pop_heap(heap.begin(), heap.end());
      const Partial best = heap.back();
      heap.pop_back();
      const auto [entry, is_new] = known.try_emplace(best.state, kept.size());
      if (is_new)
        kept.push_back(best);
      else if (kept[entry->second].model < best.model)
        kept[entry->second] = best;
      push_neighbours(best, heap);
    }
    std::ranges::sort(kept, [](const Partial& a, const Partial& b) { return b < a; });
    store(std::move(kept), lists_[node]);
  }

  // Every combination is reached once: the first rank rises only while the second is 0.
  void push_neighbours(const Partial& partial, std::vector<Partial>& heap) {
    const auto tails = forest_.target_tails(forest_.edges[partial.edge]);
    const auto push = [&](std::array<std::uint32_t, 2> ranks, int risen) {
      if (tails[risen] == kNone || ranks[risen] >= lists_[tails[risen]].partials.size()) return;
      heap.push_back(combine(partial.edge, ranks));
      std::push_heap(heap.begin(), heap.end());
    };
    push({partial.ranks[0], partial.ranks[1] + 1}, 1);
    if (partial.ranks[1] == 0) push({partial.ranks[0] + 1, 0}, 0);
  }

  Partial combine(std::uint32_t edge, std::array<std::uint32_t, 2> ranks) {
    scratch_.clear();
    write_words(edge, ranks, scratch_);
    const BleuStatistics counts = counter_(scratch_);
    const auto ngrams = counter_.counted();
    const State state{hash_state(scratch_, ngrams, 0), hash_state(scratch_, ngrams, 0xdecade)};
    double model = graph_.edge_score(edge);
    const auto tails = forest_.target_tails(forest_.edges[edge]);
    for (int i = 0; i < 2; ++i)
      if (tails[i] != kNone) model += lists_[tails[i]].partials[ranks[i]].model;
    return {metric_(in_proportion(counts, forest_.nodes[forest_.edges[edge].head])), model, edge,
            ranks, state};
  }

  void write_words(std::uint32_t edge, std::array<std::uint32_t, 2> ranks,
                   std::vector<std::uint32_t>& out) const {
    const HyperEdge& hyperedge = forest_.edges[edge];
    const auto tails = forest_.target_tails(hyperedge);
    const int arity = Forest::arity(hyperedge);
    int seen = 0;
    for (const std::uint32_t word : targets_[hyperedge.rule]) {
      if (word != kTail) {
        out.push_back(word);
      } else if (seen < arity) {
        const auto words = lists_[tails[seen]].words_of(ranks[seen]);
        out.insert(out.end(), words.begin(), words.end());
        ++seen;
      }
    }
  }

  // A part of the sentence is to be as long as the same part of the reference that a whole sentence
  // of such words comes closest to.
  BleuSums in_proportion(const BleuStatistics& counts, const HyperNode& node) const {
    BleuSums sums;
    sums += counts;
    const double whole = static_cast<double>(forest_.book->sentence().size()),
                 part = node.end - node.begin;
    if (part > 0 && part < whole)
      sums.reference_length = references_.closest_length(static_cast<std::size_t>(
                                  std::lround(counts.hypothesis_length * whole / part))) *
                              part / whole;
    return sums;
  }

  void store(std::vector<Partial> kept, List& list) const {
    for (const Partial& partial : kept) {
      write_words(partial.edge, partial.ranks, list.words);
      list.ends.push_back(static_cast<std::uint32_t>(list.words.size()));
    }
    list.partials = std::move(kept);
  }

  void read_out(NodeId node, std::uint32_t rank, Derivation& out) const {
    const Partial& partial = lists_[node].partials[rank];
    out.push_back(partial.edge);
    const auto tails = forest_.target_tails(forest_.edges[partial.edge]);
    for (int i = 0; i < 2; ++i)
      if (tails[i] != kNone) read_out(tails[i], partial.ranks[i], out);
  }

  const Hypergraph& graph_;
  const Forest& forest_;
  const References& references_;
  const SentenceBleu& metric_;
  const std::size_t beam_;
  MatchCounter counter_;
  std::vector<List> lists_;
  std::vector<std::vector<std::uint32_t>> targets_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace

Derivation oracle(const Hypergraph& graph, const References& references, const SentenceBleu& metric,
                  std::size_t beam) {
  return OracleSearch(graph, references, metric, beam).run();
}

}  // namespace demotic
