#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/string_section.hpp"
#include "corpus/vocab_section.hpp"
#include "decode/hypergraph_file.hpp"
#include "decode/hypergraph_layout.hpp"
#include "decode/used_rules.hpp"
#include "grammar/grammar_selection.hpp"

namespace demotic {
namespace {

using namespace hypergraph_layout;

class Writer {
 public:
  Writer(const std::string& path, const Hypergraph& graph, const FeatureIndex& index)
      : graph_(graph),
        forest_(graph.forest()),
        book_(*forest_.book),
        index_(index),
        used_(forest_),
        file_(path, kKind, kVersion, kSections + (forest_.further_models() > 0)) {}

  void run() {
    write_names();
    write_grammar();
    write_sparse_features();
    write_graph();
    file_.finish();
  }

 private:
  void write_names() {
    add_strings(file_, "sentence", views(book_.sentence()));
    add_strings(file_, "labels", views(forest_.labels));
    add_strings(file_, "dense", names_in_use(*book_.grammar().feature_names));
    auto decoder = names_in_use(forest_.options->feature_names);
    const auto further = names_in_use(forest_.options->further_models);
    decoder.insert(decoder.end(), further.begin(), further.end());
    add_strings(file_, "decoder", decoder);
    const DecodeOptions& options = *forest_.options;
    file_.add("options", std::vector<SavedOptions>{
                             {options.pop_limit, options.max_span, options.pass_through_all}});
  }

  // A feature that the model leaves out has an empty name, as one that the feature set does not
  // have.
  std::vector<std::string_view> names_in_use(std::span<const std::string> names) const {
    std::vector<std::string_view> result;
    for (const std::string& name : names)
      result.push_back(forest_.options->has(name) ? std::string_view(name) : std::string_view());
    return result;
  }

  // The translation rules in use, with vocabularies of their own words.
  void write_grammar() {
    GrammarSelection selection(book_.grammar());
    for (const RuleId rule : used_.rules()) {
      const RuleBook::Place place = book_.place(rule);
      selection.add(*place.block, *place.side, place.rule);
    }
    const Grammar grammar = selection.finish();
    RuleBlock block = grammar.blocks.empty() ? RuleBlock{} : *grammar.blocks.front();
    Vocab source, target;
    const auto renumber = [&block](std::size_t begin, std::size_t length, const Vocab& from,
                                   Vocab& to) {
      for (Symbol& symbol : std::span(block.symbols).subspan(begin, length))
        if (symbol >= 0)
          symbol = static_cast<Symbol>(to.add(from.word(static_cast<WordId>(symbol))));
    };
    std::vector<SavedSide> sides;
    for (const SourceSide& side : block.sides) {
      sides.push_back({side.symbol_begin,
                       side.rule_begin,
                       side.rule_end,
                       side.length,
                       side.nonterminals,
                       side.label,
                       0,
                       side.children,
                       {0, 0}});
      renumber(side.symbol_begin, side.length, *grammar.source_vocab, source);
    }
    for (const Rule& rule : block.rules)
      renumber(rule.target_begin, rule.target_length, *grammar.target_vocab, target);
    add_vocab(file_, "source", source);
    add_vocab(file_, "target", target);
    file_.add("sides", sides);
    file_.add("rules", block.rules);
    file_.add("symbols", block.symbols);
    file_.add("links", block.links);
    file_.add("values", block.features);
  }

  void write_sparse_features() {
    std::vector<std::string> names;
    std::unordered_map<std::uint32_t, std::uint32_t> places;
    std::vector<std::uint32_t> row_begins = {0};
    std::vector<RuleFeature> entries;
    for (const RuleId rule : used_.rules()) {
      for (const RuleFeature& feature : book_.sparse(rule)) {
        const auto [place, is_new] =
            places.try_emplace(feature.feature, static_cast<std::uint32_t>(names.size()));
        if (is_new)
          names.push_back(feature.is_local() ? book_.features()->local_name(feature.local())
                                             : std::string(index_.name(feature.feature)));
        entries.push_back({place->second, feature.value});
      }
      row_begins.push_back(static_cast<std::uint32_t>(entries.size()));
    }
    add_strings(file_, "sparse", views(names));
    file_.add("row.begins", row_begins);
    file_.add("row.entries", entries);
  }

  void write_graph() {
    std::vector<SavedUse> uses;
    uses.reserve(forest_.rules.size());
    for (const UsedRule& used : forest_.rules)
      uses.push_back({used_.number_of(used.rule), used.oov});
    std::vector<SavedNode> nodes;
    nodes.reserve(forest_.nodes.size());
    for (const HyperNode& node : forest_.nodes)
      nodes.push_back({node.edges_begin, node.edges_end, node.begin, node.end, node.label, 0});
    file_.add("uses", uses);
    file_.add("nodes", nodes);
    file_.add("edges", forest_.edges);
    if (forest_.further_models() > 0) file_.add("further.lm", forest_.further_lm);
    file_.add("scores", graph_.edge_scores());
  }

  template <class Strings>
  static std::vector<std::string_view> views(const Strings& strings) {
    return {strings.begin(), strings.end()};
  }

  const Hypergraph& graph_;
  const Forest& forest_;
  const RuleBook& book_;
  const FeatureIndex& index_;
  const UsedRules used_;
  SectionWriter file_;
};

}  // namespace

void save_hypergraph(const std::string& path, const Hypergraph& graph, const FeatureIndex& index) {
  refuse_forced(graph.forest());
  if (graph.forest().borders != nullptr)
    throw Error("a hypergraph with features of words where rules meet cannot be saved",
                "leave out the template tgt_border, or save its translations");
  if (const RuleFeatures* features = graph.forest().book->features())
    index.check_ids_of(features->index(), "the hypergraph");
  Writer(path, graph, index).run();
}

}  // namespace demotic
