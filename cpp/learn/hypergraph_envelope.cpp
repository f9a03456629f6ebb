#include "learn/hypergraph_envelope.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace demotic {
namespace {

// A line of a node's envelope: one edge, and a line of the envelope of each tail.
struct Sum {
  double slope, intercept;
  std::uint32_t edge;
  std::uint32_t parts[2];
};
struct NodeEnvelope {
  std::vector<Sum> lines;    // rising slopes
  std::vector<double> from;  // where each begins to be best
};

class Envelopes {
 public:
  Envelopes(const Hypergraph& graph, std::span<const double> slopes)
      : graph_(graph), slopes_(slopes), nodes_(graph.forest().nodes.size()) {
    for (NodeId node = 0; node < nodes_.size(); ++node) nodes_[node] = best_of(node);
  }

  const NodeEnvelope& goal() const { return nodes_.back(); }

  void read_out(const Sum& line, Derivation& out) const {
    out.push_back(line.edge);
    const HyperEdge& edge = graph_.forest().edges[line.edge];
    const auto tails = graph_.forest().target_tails(edge);
    const bool swapped =
        graph_.forest().rules[edge.rule].swapped;  // parts are in the order of the source side
    for (int i = 0; i < 2; ++i)
      if (tails[i] != kNone) read_out(nodes_[tails[i]].lines[line.parts[swapped ? 1 - i : i]], out);
  }

 private:
  // The maximum over edges of the sums of their tails' envelopes.
  NodeEnvelope best_of(NodeId node) {
    const Forest& forest = graph_.forest();
    sums_.clear();
    for (std::uint32_t edge = forest.nodes[node].edges_begin; edge < forest.nodes[node].edges_end;
         ++edge)
      add_edge(edge);
    lines_.clear();
    for (std::uint32_t i = 0; i < sums_.size(); ++i)
      lines_.push_back({sums_[i].slope, sums_[i].intercept, i});
    drop_hidden(lines_);
    NodeEnvelope best;
    for (const Segment& segment : upper_envelope(lines_)) {
      best.from.push_back(segment.from);
      best.lines.push_back(sums_[segment.hypothesis]);
    }
    return best;
  }

  // The envelope of a sum is the sum of the envelopes: both tails' lines change one after the other
  // as gamma grows.
  void add_edge(std::uint32_t number) {
    static const NodeEnvelope kNothing{{{0, 0, 0, {0, 0}}},
                                       {-std::numeric_limits<double>::infinity()}};
    const HyperEdge& edge = graph_.forest().edges[number];
    const NodeEnvelope& a = edge.tails[0] == kNone ? kNothing : nodes_[edge.tails[0]];
    const NodeEnvelope& b = edge.tails[1] == kNone ? kNothing : nodes_[edge.tails[1]];
    for (std::uint32_t i = 0, j = 0;;) {
      sums_.push_back({slopes_[number] + a.lines[i].slope + b.lines[j].slope,
                       graph_.edge_score(number) + a.lines[i].intercept + b.lines[j].intercept,
                       number,
                       {i, j}});
      const double next_a =
          i + 1 < a.lines.size() ? a.from[i + 1] : std::numeric_limits<double>::infinity();
      const double next_b =
          j + 1 < b.lines.size() ? b.from[j + 1] : std::numeric_limits<double>::infinity();
      if (i + 1 == a.lines.size() && j + 1 == b.lines.size()) break;
      const bool a_changes = next_a <= next_b && i + 1 < a.lines.size(),
                 b_changes = next_b <= next_a && j + 1 < b.lines.size();
      i += a_changes;
      j += b_changes;
    }
  }

  const Hypergraph& graph_;
  std::span<const double> slopes_;
  std::vector<NodeEnvelope> nodes_;
  std::vector<Sum> sums_;  // of the node at hand
  std::vector<Line> lines_;
};

// What the words of derivations count, as a row of numbers each.
class DerivationStatistics {
 public:
  DerivationStatistics(const References& references, const Metric& metric)
      : references_(references), counter_(metric.counter(references)) {}

  void append(const Hypergraph& graph, const Derivation& derivation,
              std::vector<std::int32_t>& out) {
    const OutputWords words(*graph.forest().book);
    sentence_.clear();
    ids_.clear();
    texts_.clear();
    append_words(graph.forest(), words, derivation, sentence_);
    for (const WordId word : sentence_) {
      texts_.push_back(words.text(word));
      ids_.push_back(references_.id(texts_.back()));
    }
    counter_->append({ids_, texts_}, out);
  }

 private:
  const References& references_;
  std::unique_ptr<StatisticsCounter> counter_;
  std::vector<WordId> sentence_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::string_view> texts_;
};

}  // namespace

std::vector<EnvelopePart> hypergraph_envelope(const Hypergraph& graph,
                                              std::span<const double> slopes) {
  if (slopes.size() != graph.forest().edges.size()) throw Error("expected one slope per edge");
  const Envelopes envelopes(graph, slopes);
  std::vector<EnvelopePart> parts;
  for (std::size_t i = 0; i < envelopes.goal().lines.size(); ++i) {
    const Sum& line = envelopes.goal().lines[i];
    parts.push_back({envelopes.goal().from[i], line.slope, line.intercept, {}});
    envelopes.read_out(line, parts.back().derivation);
  }
  return parts;
}

SentenceCurve hypergraph_curve(std::span<const Hypergraph* const> graphs,
                               std::span<const std::span<const double>> slopes,
                               const References& references, const Metric& metric) {
  if (graphs.size() != slopes.size()) throw Error("expected one array of slopes per hypergraph");
  std::vector<EnvelopePart> parts;
  std::vector<const Hypergraph*> graph_of;
  std::vector<Line> lines;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (EnvelopePart& part : hypergraph_envelope(*graphs[g], slopes[g])) {
      lines.push_back({part.slope, part.intercept, static_cast<std::uint32_t>(parts.size())});
      graph_of.push_back(graphs[g]);
      parts.push_back(std::move(part));
    }
  SentenceCurve curve;
  DerivationStatistics statistics(references, metric);
  for (const Segment& segment : upper_envelope(lines)) {
    curve.from.push_back(segment.from);
    statistics.append(*graph_of[segment.hypothesis], parts[segment.hypothesis].derivation,
                      curve.statistics);
  }
  return curve;
}

}  // namespace demotic
