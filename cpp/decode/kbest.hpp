// The k best derivations of a hypergraph, found lazily: algorithm 3 of Huang and Chiang (2005).
//
// A node enumerates its derivations from the best on, and only as far as nodes above ask for. With
// `unique`, a node skips derivations whose words it has listed before: everything above it would
// score them worse and read the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/probe_table.hpp"
#include "decode/derivation.hpp"
#include "decode/hypergraph.hpp"

namespace demotic {

class LazyKBest {
 public:
  LazyKBest(const Hypergraph& graph, bool unique);

  struct Found {
    double score;
    Derivation edges;  // from the top down
  };
  // The next best derivation of the goal; false when there is none.
  bool next(Found& found);

  const OutputWords& words() const { return words_; }

 private:
  // A polynomial hash of a string of words modulo 2^61 - 1. Two strings of one list that share hash
  // and length will not be met: lists of a million sentences have a chance of about one in ten
  // thousand.
  struct StringHash {
    std::uint64_t hash = 0;
    std::uint32_t length = 0;
    bool operator==(const StringHash&) const = default;
  };
  struct Candidate {
    double score;
    std::uint32_t edge;
    std::uint32_t ranks[2];
  };
  struct Listed {
    Candidate candidate;
    StringHash string;
  };
  struct NodeState {
    bool started = false;
    std::vector<Candidate> heap;
    bool taken = false;  // the best of the heap is listed; its neighbours are still to come
    std::vector<Listed> listed;
  };

  bool expand(NodeId node,
              std::uint32_t rank);  // lists derivations up to `rank`, if there are as many
  void start(NodeId node);
  void replace_by_neighbours(NodeId node);
  // The score of a candidate; nothing if a tail has fewer derivations.
  std::optional<double> score(std::uint32_t edge, std::uint32_t a, std::uint32_t b);
  StringHash string_of(const Candidate& candidate);
  std::uint64_t power(std::uint32_t length);  // of the base of StringHash
  bool is_repeated(NodeId node, const StringHash& string);
  void read_out(NodeId node, std::uint32_t rank, Derivation& out) const;
  void read_out(const Candidate& candidate, Derivation& out) const;

  const Hypergraph& graph_;
  const Forest& forest_;
  const bool unique_;
  OutputWords words_;
  std::vector<NodeState> nodes_;
  std::vector<double> best_;  // score of the best derivation of each node
  struct SeenString {
    StringHash string;
    NodeId node;
    std::uint32_t stamp = 0;
  };
  ProbeTable<SeenString> seen_{13};  // strings that nodes have listed: mostly some thousands
  std::vector<std::uint64_t> powers_ = {1};
  std::uint32_t next_rank_ = 0;
};

}  // namespace demotic
