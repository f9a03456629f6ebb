#include "evaluate/ngram_forest.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/error.hpp"
#include "decode/border_features.hpp"
#include "evaluate/target_words.hpp"

namespace demotic {
namespace {

constexpr std::size_t kOuterWords = kBleuOrder - 1;

}  // namespace

// Puts the words of a translation together from left to right.
class NgramForest::Joiner {
 public:
  explicit Joiner(const NgramForest& forest)
      : forest_(forest), trie_(forest.references_.ngrams()) {}

  template <class Visit>
  void add_word(std::uint32_t word, Visit visit) {
    const auto context = forest_.words(state_.right);
    NgramTrie::Node longest = NgramTrie::kRoot;
    for (std::size_t first = 0; first <= context.size(); ++first) {
      const NgramTrie::Node ngram = find(context.subspan(first), word);
      if (ngram == NgramTrie::kAbsent) continue;
      visit(ngram);
      if (longest == NgramTrie::kRoot && context.size() - first < kOuterWords) longest = ngram;
    }
    state_.right = longest;
    extend_left(word);
  }

  template <class Visit>
  void add_tail(const State& tail, Visit visit) {
    const auto context = forest_.words(state_.right), words = forest_.words(tail.left);
    for (std::size_t first = 0; first < context.size(); ++first) {
      NgramTrie::Node ngram = find(context.subspan(first));
      const std::size_t room = kBleuOrder - (context.size() - first);
      for (std::size_t i = 0; i < std::min(room, words.size()); ++i) {
        ngram = trie_.find(ngram, words[i]);
        if (ngram == NgramTrie::kAbsent) break;
        visit(ngram);
      }
    }
    state_.right = tail.whole ? longest_suffix(context, words) : tail.right;
    for (const std::uint32_t word : words) extend_left(word);
    if (!tail.whole) close_left();
  }

  const State& state() const { return state_; }

 private:
  NgramTrie::Node find(std::span<const std::uint32_t> words) const {
    NgramTrie::Node node = NgramTrie::kRoot;
    for (const std::uint32_t word : words)
      if (node != NgramTrie::kAbsent) node = trie_.find(node, word);
    return node;
  }
  NgramTrie::Node find(std::span<const std::uint32_t> words, std::uint32_t last) const {
    const NgramTrie::Node node = find(words);
    return node == NgramTrie::kAbsent ? node : trie_.find(node, last);
  }

  // Of all words of both, up to three.
  NgramTrie::Node longest_suffix(std::span<const std::uint32_t> context,
                                 std::span<const std::uint32_t> words) const {
    std::vector<std::uint32_t> both(context.begin(), context.end());
    both.insert(both.end(), words.begin(), words.end());
    std::size_t first = both.size() > kOuterWords ? both.size() - kOuterWords : 0;
    for (; first < both.size(); ++first)
      if (const NgramTrie::Node ngram = find(std::span(both).subspan(first));
          ngram != NgramTrie::kAbsent)
        return ngram;
    return NgramTrie::kRoot;
  }

  void extend_left(std::uint32_t word) {
    const NgramTrie::Node longer = is_open_ && forest_.lengths_[state_.left] < kOuterWords
                                       ? trie_.find(state_.left, word)
                                       : NgramTrie::kAbsent;
    if (longer == NgramTrie::kAbsent)
      close_left();
    else
      state_.left = longer;
  }

  // There are words behind those of the left side.
  void close_left() { is_open_ = state_.whole = false; }

  const NgramForest& forest_;
  const NgramTrie& trie_;
  State state_;
  bool is_open_ = true;
};

template <class Visit>
NgramForest::State NgramForest::join(const Forest& forest, const HyperEdge& edge,
                                     Visit visit) const {
  Joiner joiner(*this);
  const auto tails = forest.target_tails(edge);
  const int arity = Forest::arity(edge);
  int seen = 0;
  for (const std::uint32_t word : targets_[edge.rule]) {
    if (word != kTailWords)
      joiner.add_word(word, visit);
    else if (seen < arity)
      joiner.add_tail(states_[tails[seen++]], visit);
  }
  return joiner.state();
}

// Makes the nodes and edges, one node of the original after the other.
class NgramForest::Refiner {
 public:
  Refiner(NgramForest& result, const Hypergraph& graph, std::size_t max_edges)
      : result_(result), graph_(graph), old_(graph.forest()), max_edges_(max_edges) {
    forest_->book = old_.book;
    forest_->options = old_.options;
    forest_->labels = old_.labels;
    forest_->rules = old_.rules;
  }

  Hypergraph run() {
    for (NodeId node = 0; node < old_.nodes.size(); ++node) {
      first_.push_back(static_cast<NodeId>(forest_->nodes.size()));
      known_.clear();
      found_.clear();
      for (std::uint32_t e = old_.nodes[node].edges_begin; e < old_.nodes[node].edges_end; ++e)
        refine(e, node == old_.goal());
      store(old_.nodes[node]);
    }
    forest_->borders = BorderFeatures::of(*forest_);
    return {std::move(forest_), std::move(scores_)};
  }

 private:
  struct Found {
    HyperEdge edge;
    std::uint32_t source;
  };

  // An edge for all new nodes of its tails.
  void refine(std::uint32_t source, bool is_goal) {
    const HyperEdge& edge = old_.edges[source];
    const auto tails = old_.target_tails(edge);
    const bool swapped = old_.rules[edge.rule].swapped;
    const auto begin = [&](NodeId tail) { return tail == kNone ? kNone - 1 : first_[tail]; };
    const auto end = [&](NodeId tail) { return tail == kNone ? kNone : first_[tail + 1]; };
    for (NodeId a = begin(tails[0]); a < end(tails[0]); ++a)
      for (NodeId b = begin(tails[1]); b < end(tails[1]); ++b) {
        HyperEdge refined = edge;
        if (tails[0] != kNone) refined.tails[swapped] = a;
        if (tails[1] != kNone) refined.tails[!swapped] = b;
        // Nothing stands beside the goal.
        const State state = is_goal ? State{} : result_.join(old_, refined, [](auto) {});
        const auto [place, is_new] =
            known_.try_emplace(state.key(), first_.back() + static_cast<NodeId>(known_.size()));
        if (is_new) result_.states_.push_back(state);
        refined.head = place->second;
        found_.push_back({refined, source});
      }
    if (scores_.size() + found_.size() > max_edges_)
      throw Error("the n-grams of a sentence need more than " + std::to_string(max_edges_) +
                      " edges in its hypergraph",
                  "prune the hypergraph first");
  }

  // The edges of a node stand together, in the order of the original.
  void store(const HyperNode& node) {
    std::ranges::stable_sort(found_, {}, [](const Found& found) { return found.edge.head; });
    const auto size = [&] { return static_cast<std::uint32_t>(forest_->edges.size()); };
    for (const auto& [edge, source] : found_) {
      if (edge.head == forest_->nodes.size()) {
        forest_->nodes.push_back(node);
        forest_->nodes.back().edges_begin = size();
      }
      forest_->edges.push_back(edge);
      const auto further = old_.further(source);
      forest_->further_lm.insert(forest_->further_lm.end(), further.begin(), further.end());
      forest_->nodes.back().edges_end = size();
      scores_.push_back(graph_.edge_score(source));
      result_.sources_.push_back(source);
    }
  }

  NgramForest& result_;
  const Hypergraph& graph_;
  const Forest& old_;
  const std::size_t max_edges_;
  std::shared_ptr<Forest> forest_ = std::make_shared<Forest>();
  std::vector<double> scores_;
  std::vector<NodeId> first_;                        // by node of the original, its first new one
  std::vector<Found> found_;                         // edges of the node at hand
  std::unordered_map<std::uint64_t, NodeId> known_;  // its new nodes by state
};

NgramForest::NgramForest(const Hypergraph& graph, const References& references,
                         std::size_t max_edges)
    : references_(references), targets_(number_targets(graph.forest(), references)), graph_(graph) {
  name_ngrams();
  graph_ = Refiner(*this, graph, max_edges).run();
}

void NgramForest::name_ngrams() {
  const NgramTrie& trie = references_.ngrams();
  words_.assign(trie.size() * kBleuOrder, 0);
  lengths_.assign(trie.size(), 0);
  for (const auto& sentence : references_.sentences())
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
      NgramTrie::Node node = NgramTrie::kRoot;
      for (std::size_t n = 0; n < std::min(kBleuOrder, sentence.size() - begin); ++n) {
        node = trie.find(node, sentence[begin + n]);
        lengths_[node] = static_cast<std::uint8_t>(n + 1);
        std::copy_n(sentence.begin() + static_cast<std::ptrdiff_t>(begin), n + 1,
                    words_.begin() + static_cast<std::ptrdiff_t>(node * kBleuOrder));
      }
    }
}

void NgramForest::visit(std::uint32_t edge,
                        const std::function<void(NgramTrie::Node)>& visit) const {
  join(graph_.forest(), graph_.forest().edges[edge], visit);
}

std::vector<double> NgramForest::sums(std::span<const double> values, double per_word) const {
  const Forest& forest = graph_.forest();
  std::vector<double> sums;
  sums.reserve(forest.edges.size());
  for (std::uint32_t e = 0; e < forest.edges.size(); ++e) {
    double sum = per_word * forest.rules[forest.edges[e].rule].words;
    visit(e, [&](NgramTrie::Node ngram) { sum += values[ngram]; });
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace demotic
