#include "decode/packed_forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "decode/border_features.hpp"
#include "decode/forest_checks.hpp"
#include "decode/labels.hpp"
#include "decode/packed_bytes.hpp"
#include "decode/used_rules.hpp"

namespace demotic {
namespace {

// Nonterminals are negative: -1 and -2.
std::uint64_t packed_symbol(Symbol symbol) { return static_cast<std::uint64_t>(symbol + 2); }

// What the numbers of a packed hypergraph mean nothing without: the sentence, the vocabularies (of
// which this sees their size and their ends) and the dense features.
std::uint32_t owner_of(const RuleBook& book) {
  std::uint64_t hash = 0;
  const auto add = [&hash](std::string_view text) { hash = mix(hash ^ hash_bytes(text)); };
  for (const std::string& word : book.sentence()) add(word);
  for (const Vocab* vocab :
       {book.grammar().source_vocab.get(), book.grammar().target_vocab.get()}) {
    hash = mix(hash ^ vocab->size());
    if (vocab->size() == 0) continue;
    add(vocab->word(0));
    add(vocab->word(static_cast<WordId>(vocab->size() - 1)));
  }
  for (const std::string& name : *book.grammar().feature_names) add(name);
  return static_cast<std::uint32_t>(hash);
}

class ForestPacker {
 public:
  explicit ForestPacker(const Forest& forest)
      : forest_(forest), book_(*forest.book), used_(forest) {}

  std::string run() {
    pack_rules();
    const std::string rules = bytes_.take();
    bytes_ = {};
    bytes_.part(rules);
    pack_graph();
    return bytes_.take();
  }

 private:
  void pack_rules() {
    std::vector<RuleBook::Place> places;
    for (const RuleId rule : used_.rules()) places.push_back(book_.place(rule));
    const auto same_block = [](const auto& a, const auto& b) { return a.block == b.block; };
    const auto same_side = [](const auto& a, const auto& b) { return a.side == b.side; };
    for_each_run(std::span(places), same_block, [&](auto of_block) {
      const RuleBlock& block = *of_block.front().block;
      bytes_.number(block.samples);
      bytes_.count(block.occurrences_f);
      bytes_.number(!block.statistics.empty());
      for_each_run(of_block, same_side, [&](auto of_side) {
        pack_side(block, *of_side.front().side);
        bytes_.number(of_side.size());
        for (const RuleBook::Place& at : of_side) pack_rule(block, *at.side, at.rule);
      });
    });
  }

  // Calls visit(run) for each run of equal elements, with their number before the first.
  template <class T, class Same, class Visit>
  void for_each_run(std::span<T> all, Same same, Visit visit) {
    std::vector<std::span<T>> runs;
    while (!all.empty()) {
      const auto end =
          std::ranges::find_if_not(all, [&](const T& one) { return same(one, all.front()); });
      runs.push_back(all.first(static_cast<std::size_t>(end - all.begin())));
      all = all.subspan(runs.back().size());
    }
    bytes_.number(runs.size());
    for (const auto run : runs) visit(run);
  }

  void pack_side(const RuleBlock& block, const SourceSide& side) {
    bytes_.number(side.count_f);
    bytes_.number(side.length);
    for (const Symbol symbol : block.source(side)) bytes_.number(packed_symbol(symbol));
    if (book_.grammar().labels.size() > 1)
      for (const std::uint8_t label : {side.label, side.children[0], side.children[1]})
        bytes_.number(label);
  }

  void pack_rule(const RuleBlock& block, const SourceSide& side, std::uint32_t number) {
    const Rule& rule = block.rules[number];
    bytes_.number(rule.target_length);
    for (const Symbol symbol : block.target(rule)) bytes_.number(packed_symbol(symbol));
    bytes_.number(rule.link_count);
    for (const RuleLink link : block.alignment(rule))
      bytes_.number(std::uint64_t{link.target} * side.length + link.source);
    if (block.statistics.empty()) {
      const std::size_t width = book_.grammar().feature_names->size();
      for (const float value : std::span(block.features).subspan(number * width, width))
        bytes_.real(value);
      return;
    }
    const RuleStatistics& statistics = block.statistics[number];
    bytes_.count(statistics.count_fe);
    bytes_.real(statistics.lexical_fe);
    bytes_.real(statistics.lexical_ef);
    bytes_.count(statistics.occurrences_e);
    if (has_addition(book_.grammar())) bytes_.count(statistics.count_added);
  }

  void pack_graph() {
    bytes_.number(owner_of(book_));
    std::vector<bool> seen(forest_.rules.size(), false);
    bytes_.number(forest_.nodes.size());
    for (NodeId node = 0; node < forest_.nodes.size(); ++node) {
      const HyperNode& at = forest_.nodes[node];
      bytes_.number(at.begin);
      bytes_.number(at.end);
      bytes_.number(at.label);
      bytes_.number(at.edges_end - at.edges_begin);
      for (std::uint32_t e = at.edges_begin; e < at.edges_end; ++e) {
        const HyperEdge& edge = forest_.edges[e];
        bytes_.number(used_.number_of(forest_.rules[edge.rule].rule));
        if (!seen[edge.rule]) bytes_.number(forest_.rules[edge.rule].oov);
        seen[edge.rule] = true;
        for (const NodeId tail : edge.tails)
          if (tail != kNone) bytes_.number(node - tail);
        bytes_.real(edge.lm);
        for (const float lm : forest_.further(e)) bytes_.real(lm);
      }
    }
  }

  const Forest& forest_;
  const RuleBook& book_;
  const UsedRules used_;
  PackedBytes bytes_;
};

void refuse_if(const char* problem) { PackedReader::require(problem == nullptr, problem); }

class RuleUnpacker {
 public:
  RuleUnpacker(std::string_view packed, const Grammar& like, const FeatureSet& features)
      : in_(packed),
        features_(features),
        grammar_{like.source_vocab, like.target_vocab, like.feature_names, {}, like.labels} {}

  Grammar run() {
    for (std::size_t blocks = in_.size(); blocks > 0; --blocks) unpack_block();
    in_.finish();
    return std::move(grammar_);
  }

 private:
  void unpack_block() {
    auto block = std::make_shared<RuleBlock>();
    block->samples = in_.below(1ull << 32, "a count is impossible");
    block->occurrences_f = in_.count();
    const bool counted = in_.below(2, "a block is impossible") == 1;
    const std::size_t sides = in_.size();
    in_.require(sides > 0, "a block has no rules");
    for (std::size_t i = 0; i < sides; ++i) unpack_side(*block, counted);
    if (counted) features_.compute(*block, has_addition(grammar_));
    in_.require(std::ranges::all_of(block->features, [](float v) { return std::isfinite(v); }),
                "the dense features of a rule are impossible");
    grammar_.blocks.push_back(std::move(block));
  }

  void unpack_side(RuleBlock& block, bool counted) {
    SourceSide side{};
    side.count_f = in_.below(1ull << 32, "a count is impossible");
    side.length = in_.below<std::uint8_t>(256, "a source side is too long");
    side.symbol_begin = unpack_symbols(block, side.length);
    side.nonterminals = static_cast<std::uint8_t>(
        std::ranges::count_if(block.source(side), [](Symbol symbol) { return symbol < 0; }));
    if (grammar_.labels.size() > 1)
      for (std::uint8_t* label : {&side.label, &side.children[0], &side.children[1]})
        *label = in_.below<std::uint8_t>(256, "a label is impossible");
    refuse_if(problem_of(grammar_, block, side));
    const std::size_t rules = in_.size();
    in_.require(rules > 0, "a source side has no rules");
    side.rule_begin = static_cast<std::uint32_t>(block.rules.size());
    for (std::size_t i = 0; i < rules; ++i) unpack_rule(block, side, counted);
    side.rule_end = static_cast<std::uint32_t>(block.rules.size());
    block.sides.push_back(side);
  }

  void unpack_rule(RuleBlock& block, const SourceSide& side, bool counted) {
    Rule rule{};
    rule.target_length = in_.below<std::uint16_t>(1u << 16, "a target side is too long");
    rule.target_begin = unpack_symbols(block, rule.target_length);
    rule.link_begin = static_cast<std::uint32_t>(block.links.size());
    rule.link_count = in_.below<std::uint16_t>(1u << 16, "a rule has too many links");
    for (int i = 0; i < rule.link_count; ++i) {
      const auto link = in_.below(256u * side.length, "a link is impossible");
      block.links.push_back({static_cast<std::uint8_t>(link % side.length),
                             static_cast<std::uint8_t>(link / side.length)});
    }
    block.rules.push_back(rule);
    refuse_if(problem_of(grammar_, block, side, rule));
    if (counted) {
      const float count = in_.count(), fe = in_.real(), ef = in_.real();
      block.statistics.push_back({count, fe, ef, in_.count()});
      if (has_addition(grammar_)) block.statistics.back().count_added = in_.count();
    } else {
      for (std::size_t i = 0; i < grammar_.feature_names->size(); ++i)
        block.features.push_back(in_.real());
    }
  }

  // Where they begin.
  std::uint32_t unpack_symbols(RuleBlock& block, std::size_t count) {
    const auto begin = static_cast<std::uint32_t>(block.symbols.size());
    for (std::size_t i = 0; i < count; ++i)
      block.symbols.push_back(in_.below<Symbol>(1u << 31, "a word is impossible") - 2);
    return begin;
  }

  PackedReader in_;
  const FeatureSet& features_;
  Grammar grammar_;
};

class GraphUnpacker {
 public:
  GraphUnpacker(PackedReader in, std::shared_ptr<const RuleBook> book,
                std::shared_ptr<const DecodeOptions> options)
      : in_(in), forest_(std::make_shared<Forest>()), rule_of_(book->size(), kNone) {
    forest_->labels = LabelOrder(book->grammar()).names();
    forest_->book = std::move(book);
    forest_->options = std::move(options);
  }

  std::shared_ptr<const Forest> run() {
    in_.require(in_.below(1ull << 32, "a number is impossible") == owner_of(*forest_->book),
                "it belongs to another sentence or to another model");
    const std::size_t nodes = in_.size();
    in_.require(nodes > 0, "there is no goal");
    forest_->nodes.reserve(nodes);
    for (NodeId node = 0; node < nodes; ++node) unpack_node(node);
    in_.finish();
    check_depth(*forest_);
    forest_->borders = BorderFeatures::of(*forest_);
    return std::move(forest_);
  }

 private:
  void unpack_node(NodeId node) {
    const std::size_t words = forest_->book->sentence().size();
    HyperNode& at = forest_->nodes.emplace_back();
    at.begin = in_.below<std::uint16_t>(words + 1, "a node lies outside the sentence");
    at.end = in_.below<std::uint16_t>(words + 1, "a node lies outside the sentence");
    in_.require(at.begin <= at.end, "a node lies outside the sentence");
    at.label = in_.below<std::uint16_t>(forest_->labels.size(), "a label is impossible");
    at.edges_begin = static_cast<std::uint32_t>(forest_->edges.size());
    const std::size_t edges = in_.size();
    in_.require(edges > 0, "a node has no edges");
    for (std::size_t i = 0; i < edges; ++i) unpack_edge(node);
    at.edges_end = static_cast<std::uint32_t>(forest_->edges.size());
  }

  void unpack_edge(NodeId node) {
    HyperEdge edge{unpack_use(), node, {kNone, kNone}, 0};
    const auto arity = std::ranges::count_if(forest_->rules[edge.rule].content.target,
                                             [](Symbol symbol) { return symbol < 0; });
    const bool is_empty = forest_->book->sentence().empty();
    for (std::ptrdiff_t i = 0; i < arity && !is_empty; ++i) {
      const auto distance = in_.below(std::uint64_t{node} + 1, "a tail does not exist");
      edge.tails[i] = node - distance;
    }
    edge.lm = in_.real();
    refuse_if(problem_of(*forest_, node, edge));
    forest_->edges.push_back(edge);
    for (std::size_t i = 0; i < forest_->further_models(); ++i) {
      forest_->further_lm.push_back(in_.real());
      in_.require(is_score(forest_->further_lm.back()), "an edge is impossible");
    }
  }

  // The place of an edge's rule in Forest::rules: in order of first use, as search has them.
  std::uint32_t unpack_use() {
    const auto rule = in_.below(rule_of_.size(), "a rule does not exist");
    if (rule_of_[rule] == kNone) {
      rule_of_[rule] = static_cast<std::uint32_t>(forest_->rules.size());
      forest_->rules.emplace_back(*forest_->book, rule,
                                  in_.below(1u << 16, "a rule has too many unknown words"));
    }
    return rule_of_[rule];
  }

  PackedReader in_;
  std::shared_ptr<Forest> forest_;
  std::vector<std::uint32_t> rule_of_;  // by number in the book; kNone: not used yet
};

}  // namespace

std::string pack_forest(const Hypergraph& graph) {
  refuse_forced(graph.forest());
  return ForestPacker(graph.forest()).run();
}

Grammar unpack_rules(std::string_view packed, const Grammar& like, const FeatureSet& features) {
  return RuleUnpacker(PackedReader(packed).part(), like, features).run();
}

Hypergraph unpack_forest(std::string_view packed, std::shared_ptr<const RuleBook> book,
                         std::shared_ptr<const DecodeOptions> options, const FeatureIndex& index,
                         WeightView weights) {
  PackedReader in(packed);
  in.part();  // the rules
  const auto forest = GraphUnpacker(in, std::move(book), std::move(options)).run();
  return {forest, score_edges(*forest, index, weights)};
}

}  // namespace demotic
