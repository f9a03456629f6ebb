#include "decode/decoder.hpp"

#include <algorithm>
#include <utility>

#include "decode/cube_pruning.hpp"
#include "decode/forest_builder.hpp"
#include "decode/labels.hpp"
#include "decode/parser.hpp"
#include "decode/reference_cells.hpp"

namespace demotic {

class Decoder::Search {
 public:
  Search(const TargetModels& models, std::shared_ptr<const DecodeOptions> options)
      : models_(models),
        options_(std::move(options)),
        cubes_(models, further_, chart_),
        parts_(further_, chart_) {}

  // With a reference: all derivations that yield it; null if there is none.
  std::shared_ptr<Forest> run(std::shared_ptr<const RuleBook> book, const DenseWeights& dense,
                              const FeatureIndex& index, WeightView weights,
                              const TargetWords& words, ReferenceText* reference);

 private:
  void prepare();
  void visit_span(std::uint32_t begin, std::uint32_t end);
  void fill(CellId cell, std::uint32_t label);
  bool yields_reference() const;
  void add_glue(std::uint32_t end);
  void add_match(std::uint32_t side, const CellId* children);
  std::span<const ScoredRule> rules_of(std::uint32_t side);

  // A source side of the grammar, with its rules once they are needed.
  struct Side {
    std::uint32_t block;
    const SourceSide* side;
    std::vector<ScoredRule> rules;
    bool scored = false;
  };

  const TargetModels& models_;
  const std::shared_ptr<const DecodeOptions> options_;
  Chart chart_;
  Parser parser_;
  SourceTrie trie_;
  FurtherRules further_;
  CubePruning cubes_;
  ReferenceCells parts_;  // in its place when there is a reference

  // The current sentence.
  std::shared_ptr<const RuleBook> book_;
  const RuleScorer* scorer_ = nullptr;
  const DenseWeights* dense_ = nullptr;
  ReferenceText* reference_ = nullptr;
  LabelOrder labels_;
  std::vector<WordId> words_;
  std::vector<Side> sides_;
  std::size_t side_count_ = 0;
  std::vector<ScoredRule> pass_through_;
  std::array<ScoredRule, 2> glue_;
  std::vector<std::vector<Match>> matches_;  // per label, of the current span
};

std::shared_ptr<Forest> Decoder::Search::run(std::shared_ptr<const RuleBook> book,
                                             const DenseWeights& dense, const FeatureIndex& index,
                                             WeightView weights, const TargetWords& words,
                                             ReferenceText* reference) {
  book_ = std::move(book);
  reference_ = reference;
  if (reference_ != nullptr) parts_.reset(*reference_, *book_, dense);
  further_.reset(models_.size() - 1, book_->size());
  const RuleScorer scorer(models_, dense, weights, words, further_);
  scorer_ = &scorer;
  dense_ = &dense;
  prepare();
  std::optional<BorderScorer> borders;
  if (book_->has_borders()) borders.emplace(*book_, index, weights);
  cubes_.use_borders(borders ? &*borders : nullptr);
  for (std::uint32_t end = 1; end <= chart_.words(); ++end)
    for (std::uint32_t begin = end; begin-- > 0;)
      if (begin == 0 || end - begin <= chart_.max_span()) visit_span(begin, end);
  if (reference_ != nullptr && !yields_reference()) return nullptr;
  return ForestBuilder(chart_, labels_, *book_, words, models_).build(book_, options_);
}

void Decoder::Search::prepare() {
  const Grammar& grammar = book_->grammar();
  labels_ = LabelOrder(grammar);
  chart_.reset(static_cast<std::uint32_t>(book_->sentence().size()), options_->max_span,
               labels_.size(), labels_.goal());
  matches_.resize(labels_.size());
  words_.clear();
  for (std::size_t i = 0; i < book_->sentence().size(); ++i) {
    const auto known = grammar.source_vocab->find(book_->sentence()[i]);
    // No rule of the grammar may read a word with a prescribed translation; gaps may cover it.
    words_.push_back(known && !book_->forced(i) ? *known : kNoWord);
  }

  trie_.clear();
  side_count_ = 0;
  std::vector<bool> translated(words_.size(), false);
  for (std::uint32_t block = 0; block < grammar.blocks.size(); ++block)
    for (const SourceSide& side : grammar.blocks[block]->sides) {
      if (sides_.size() == side_count_) sides_.emplace_back();
      Side& entry = sides_[side_count_];
      entry.block = block;
      entry.side = &side;
      entry.scored = false;
      trie_.add(*grammar.blocks[block], side, static_cast<std::uint32_t>(side_count_++));
      const auto symbols = grammar.blocks[block]->source(side);
      if (symbols.size() == 1 && symbols[0] >= 0)
        for (std::size_t i = 0; i < words_.size(); ++i)
          translated[i] = translated[i] || words_[i] == static_cast<WordId>(symbols[0]);
    }
  pass_through_.clear();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    pass_through_.push_back(scorer_->pass_through(*book_, i));
    if (translated[i] && !options_->pass_through_all) pass_through_.back().rule = kNone;
  }
  glue_ = {scorer_->glue(*book_, true), scorer_->glue(*book_, false)};
  parser_.reset(trie_, words_, chart_);
}

void Decoder::Search::visit_span(std::uint32_t begin, std::uint32_t end) {
  const bool is_long = end - begin > chart_.max_span();
  for (auto& matches : matches_) matches.clear();
  const auto add = [this](std::uint32_t side, const CellId* children) {
    add_match(side, children);
  };
  if (!is_long) parser_.match(begin, end, add);
  if (end - begin == 1 && pass_through_[begin].rule != kNone)
    matches_[LabelOrder::kDefault].push_back({std::span(&pass_through_[begin], 1), {kNone, kNone}});
  for (const std::uint32_t label : labels_.order()) {
    if (is_long && label != labels_.goal()) continue;
    if (begin == 0 && label == labels_.goal()) add_glue(end);
    if (matches_[label].empty()) continue;
    const CellId cell = chart_.cell_id(begin, end, label);
    fill(cell, label);
    if (!is_long && chart_.cell(cell).count > 0) parser_.complete(begin, end, label, add);
  }
}

void Decoder::Search::fill(CellId cell, std::uint32_t label) {
  if (reference_ == nullptr) return cubes_.fill(cell, matches_[label], *options_, *dense_);
  const bool is_top = cell == chart_.cell_id(0, chart_.words(), labels_.goal());
  parts_.fill(cell, matches_[label], is_top);
}

bool Decoder::Search::yields_reference() const {
  if (chart_.words() == 0) return reference_->size() == 0;
  return chart_.cell(chart_.cell_id(0, chart_.words(), labels_.goal())).count > 0;
}

// Hiero's glue: S -> X over a beginning of the sentence, S -> S X.
void Decoder::Search::add_glue(std::uint32_t end) {
  auto& matches = matches_[labels_.goal()];
  if (end <= chart_.max_span() &&
      chart_.cell(chart_.cell_id(0, end, LabelOrder::kDefault)).count > 0)
    matches.push_back(
        {std::span(&glue_[0], 1), {chart_.cell_id(0, end, LabelOrder::kDefault), kNone}});
  for (std::uint32_t middle = end > chart_.max_span() ? end - chart_.max_span() : 1; middle < end;
       ++middle) {
    const CellId left = chart_.cell_id(0, middle, labels_.goal()),
                 right = chart_.cell_id(middle, end, LabelOrder::kDefault);
    if (chart_.cell(left).count > 0 && chart_.cell(right).count > 0)
      matches.push_back({std::span(&glue_[1], 1), {left, right}});
  }
}

void Decoder::Search::add_match(std::uint32_t side, const CellId* children) {
  matches_[sides_[side].side->label].push_back({rules_of(side), {children[0], children[1]}});
}

std::span<const ScoredRule> Decoder::Search::rules_of(std::uint32_t number) {
  Side& side = sides_[number];
  if (!side.scored) {
    side.scored = true;
    side.rules.clear();
    const RuleBlock& block = *book_->grammar().blocks[side.block];
    for (std::uint32_t rule = side.side->rule_begin; rule < side.side->rule_end; ++rule)
      if (reference_ == nullptr || reference_->admits(block.target(block.rules[rule])))
        side.rules.push_back(
            scorer_->translation(*book_, block, rule, book_->block_begin(side.block) + rule));
  }
  return side.rules;
}

Decoder::Decoder(std::shared_ptr<const Model> lm, DecodeOptions options,
                 const TargetModels& further, std::shared_ptr<const Model> whole)
    : models_{{std::move(lm), nullptr}}, whole_(std::move(whole)) {
  options.check();
  if (options.further_models.size() != further.size())
    throw Error("every further language model needs the name of a feature");
  models_.insert(models_.end(), further.begin(), further.end());
  options_ = std::make_shared<const DecodeOptions>(std::move(options));
}

Decoder::~Decoder() = default;

Hypergraph Decoder::decode(std::shared_ptr<const RuleBook> book, const FeatureIndex& index,
                           WeightView weights) const {
  const auto forest = search(std::move(book), index, weights, nullptr);
  return {forest, score_edges(*forest, index, weights)};
}

std::optional<Hypergraph> Decoder::decode_reference(std::shared_ptr<const RuleBook> book,
                                                    const std::vector<std::string>& reference,
                                                    const FeatureIndex& index,
                                                    WeightView weights) const {
  // Their words are not those that the language models read.
  if (book->has_forced())
    throw Error("a sentence with constraints on spans cannot be decoded towards a reference",
                "decode it without constraints");
  const auto forest = search(std::move(book), index, weights, &reference);
  if (forest == nullptr) return std::nullopt;
  return Hypergraph(forest, score_edges(*forest, index, weights));
}

std::shared_ptr<Forest> Decoder::search(std::shared_ptr<const RuleBook> book,
                                        const FeatureIndex& index, WeightView weights,
                                        const std::vector<std::string>* reference) const {
  if (book->sentence().size() > kMaxDecodeWords)
    throw Error("the sentence has " + std::to_string(book->sentence().size()) +
                    " words; the limit is " + std::to_string(kMaxDecodeWords),
                "split it");
  for (const TargetModel& model : models_) model.lm->check_unchanged();
  if (whole_) whole_->check_unchanged();
  const DenseWeights dense = [&] {
    const FeatureIndex::Reading reading(index);
    return DenseWeights(*options_, *book->grammar().feature_names, index, weights);
  }();
  const auto words = target_words(book->grammar().target_vocab);
  std::optional<ReferenceText> text;
  if (reference != nullptr) text.emplace(*reference, *book->grammar().target_vocab, models_);
  auto searching = borrow();
  auto forest =
      searching->run(std::move(book), dense, index, weights, *words, text ? &*text : nullptr);
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(searching));
  return forest;
}

std::unique_ptr<Decoder::Search> Decoder::borrow() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto search = std::move(idle_.back());
      idle_.pop_back();
      return search;
    }
  }
  return std::make_unique<Search>(models_, options_);
}

std::shared_ptr<const TargetWords> Decoder::target_words(
    const std::shared_ptr<const Vocab>& vocab) const {
  {
    const std::lock_guard lock(mutex_);
    if (words_ && words_->vocab() == vocab.get()) return words_;
  }
  auto words = std::make_shared<const TargetWords>(vocab, models_, whole_.get());
  const std::lock_guard lock(mutex_);
  words_ = words;
  return words;
}

}  // namespace demotic
