#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/string_section.hpp"
#include "base/utf8.hpp"
#include "corpus/bitext.hpp"
#include "corpus/vocab_section.hpp"
#include "decode/forest_checks.hpp"
#include "decode/hypergraph_file.hpp"
#include "decode/hypergraph_layout.hpp"

namespace demotic {
namespace {

using namespace hypergraph_layout;

// Everything that other code relies on is checked here: a hypergraph that was loaded is as good as
// one that was made.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, kKind, kVersion) {}

  Hypergraph run(FeatureIndex& index) {
    const auto sentence = strings("sentence");
    require(sentence.size() <= kMaxSentenceWords, "the sentence is too long");
    auto grammar = std::make_shared<const Grammar>(read_grammar());
    forest_->book = std::make_shared<const RuleBook>(sentence, grammar, nullptr);
    forest_->options = read_options();
    forest_->labels = strings("labels");
    read_uses();
    read_nodes();
    read_edges();
    const auto scores = file_.section<double>("scores");
    require(scores.size() == forest_->edges.size() && std::ranges::all_of(scores, is_score),
            "the scores of the edges are impossible");
    check_depth(*forest_);
    // Last, since it adds names to the index, which a damaged file should not do.
    forest_->book =
        std::make_shared<const RuleBook>(sentence, grammar, read_sparse_features(grammar, index));
    for (UsedRule& used : forest_->rules) used.content = forest_->book->content(used.rule);
    return {std::move(forest_), {scores.begin(), scores.end()}};
  }

 private:
  void require(bool holds, const char* problem) const {
    if (!holds) file_.damaged(problem);
  }
  void refuse(const char* problem) const {
    if (problem != nullptr) file_.damaged(problem);
  }

  std::vector<std::string> strings(const std::string& name) const {
    const auto views = read_strings(file_, name);
    return {views.begin(), views.end()};
  }

  template <class T>
  std::vector<T> values(const char* name) const {
    const auto section = file_.section<T>(name);
    return {section.begin(), section.end()};
  }

  std::shared_ptr<const DecodeOptions> read_options() const {
    const auto saved = file_.section<SavedOptions>("options");
    const auto names = strings("decoder");
    require(saved.size() == 1 && names.size() >= kDecoderFeatures, "the options are impossible");
    DecodeOptions options;  // features left out have no name
    options.pop_limit = saved[0].pop_limit;
    options.max_span = saved[0].max_span;
    options.pass_through_all = saved[0].pass_through_all != 0;
    const auto further = names.begin() + kDecoderFeatures;
    std::copy(names.begin(), further, options.feature_names.begin());
    options.further_models.assign(further, names.end());
    return std::make_shared<const DecodeOptions>(std::move(options));
  }

  std::shared_ptr<const Vocab> vocab(const std::string& name) const {
    auto words = std::make_shared<const Vocab>(read_vocab(file_, name));
    for (WordId id = 0; id < words->size(); ++id)
      require(is_utf8(words->word(id)), "a word is not UTF-8");
    return words;
  }

  Grammar read_grammar() const {
    Grammar grammar{vocab("source"),
                    vocab("target"),
                    std::make_shared<const std::vector<std::string>>(strings("dense")),
                    {},
                    strings("labels")};
    auto block = std::make_shared<RuleBlock>();
    for (const SavedSide& side : file_.section<SavedSide>("sides"))
      block->sides.push_back({side.symbol_begin, side.rule_begin, side.rule_end, 0, side.length,
                              side.nonterminals, side.label, side.children});
    block->rules = values<Rule>("rules");
    block->symbols = values<Symbol>("symbols");
    block->links = values<RuleLink>("links");
    block->features = values<float>("values");
    require(
        block->features.size() == block->rules.size() * grammar.feature_names->size() &&
            std::ranges::all_of(block->features, [](float value) { return std::isfinite(value); }),
        "the dense features of the rules are impossible");
    std::uint32_t next = 0;
    for (const SourceSide& side : block->sides) {
      require(side.rule_begin == next && side.rule_begin < side.rule_end &&
                  side.rule_end <= block->rules.size(),
              "the source sides do not divide the rules");
      next = side.rule_end;
      refuse(problem_of(grammar, *block, side));
      for (std::uint32_t rule = side.rule_begin; rule < side.rule_end; ++rule)
        refuse(problem_of(grammar, *block, side, block->rules[rule]));
    }
    require(next == block->rules.size(), "the source sides do not divide the rules");
    if (!block->rules.empty()) grammar.blocks.push_back(std::move(block));
    return grammar;
  }

  std::shared_ptr<const RuleFeatures> read_sparse_features(
      const std::shared_ptr<const Grammar>& grammar, FeatureIndex& index) const {
    auto row_begins = values<std::uint32_t>("row.begins");
    auto entries = values<RuleFeature>("row.entries");
    require(row_begins.size() == grammar->rules() + 1 && row_begins.front() == 0 &&
                row_begins.back() == entries.size() && std::ranges::is_sorted(row_begins),
            "the sparse features do not belong to the rules");
    const auto names = read_strings(file_, "sparse");
    require(std::ranges::all_of(entries,
                                [&](const RuleFeature& entry) {
                                  return entry.feature < names.size() && std::isfinite(entry.value);
                                }),
            "a sparse feature is impossible");
    std::vector<FeatureId> ids;
    try {
      for (const std::string_view name : names) ids.push_back(index.intern(name));
    } catch (const Error& error) {
      file_.damaged(error.message());
    }
    for (RuleFeature& entry : entries) entry.feature = ids[entry.feature];
    return std::make_shared<const RuleFeatures>(grammar, index, std::move(row_begins),
                                                std::move(entries));
  }

  void read_uses() {
    for (const SavedUse& use : file_.section<SavedUse>("uses")) {
      require(use.rule < forest_->book->size(), "a rule does not exist");
      forest_->rules.emplace_back(*forest_->book, use.rule, use.oov);
    }
  }

  void read_nodes() {
    std::uint32_t next = 0;
    for (const SavedNode& node : file_.section<SavedNode>("nodes")) {
      require(node.edges_begin == next && node.edges_begin < node.edges_end,
              "the nodes do not divide the edges");
      require(node.begin <= node.end && node.end <= forest_->book->sentence().size() &&
                  node.label < forest_->labels.size(),
              "a node lies outside the sentence");
      next = node.edges_end;
      forest_->nodes.push_back(
          {node.edges_begin, node.edges_end, node.begin, node.end, node.label});
    }
    require(next > 0, "there is no goal");
  }

  void read_edges() {
    forest_->edges = values<HyperEdge>("edges");
    require(forest_->nodes.back().edges_end == forest_->edges.size(),
            "the nodes do not divide the edges");
    for (NodeId node = 0; node < forest_->nodes.size(); ++node)
      for (std::uint32_t edge = forest_->nodes[node].edges_begin;
           edge < forest_->nodes[node].edges_end; ++edge)
        refuse(problem_of(*forest_, node, forest_->edges[edge]));
    if (forest_->further_models() > 0) forest_->further_lm = values<float>("further.lm");
    require(forest_->further_lm.size() == forest_->edges.size() * forest_->further_models() &&
                std::ranges::all_of(forest_->further_lm, is_score),
            "the scores of the language models are impossible");
    std::vector<bool> used(forest_->rules.size(), false);
    for (const HyperEdge& edge : forest_->edges) used[edge.rule] = true;
    require(std::ranges::all_of(used, std::identity{}), "no edge uses a rule");
  }

  const SectionReader file_;
  std::shared_ptr<Forest> forest_ = std::make_shared<Forest>();
};

}  // namespace

Hypergraph load_hypergraph(const std::string& path, FeatureIndex& index) {
  return Reader(path).run(index);
}

}  // namespace demotic
