#include "grammar/extractor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "grammar/lexical_scorer.hpp"
#include "grammar/occurrences.hpp"
#include "grammar/pattern.hpp"
#include "grammar/rule_counter.hpp"
#include "grammar/rules_of_occurrence.hpp"
#include "grammar/target_counts.hpp"

namespace demotic {

struct Extractor::Scratch {
  struct Task {  // a pattern of the input
    PatternKey key;
    std::shared_ptr<const RuleBlock> block;  // finished, from the cache or just now
    std::shared_ptr<RuleBlock> fresh;        // under construction
  };

  Scratch(const GrammarIndex& index, const ExtractOptions& options)
      : trie(index.source().vocab_size()),
        scan(index.source(), options),
        scorer(index.lexicon()),
        target_counts(index.target(), options) {}

  InputTrie trie;
  InputPatterns patterns;
  std::vector<Task> tasks;             // as many as patterns
  std::vector<std::uint32_t> missing;  // patterns not in the cache, one chunk first, then by anchor
  std::vector<Pattern> group;          // those with the same anchor
  std::vector<Sample> samples;
  AnchorScan scan;
  RuleCounter counter;
  std::vector<RuleBlock*> fresh;
  LexicalScorer scorer;
  TargetCounts target_counts;
};

namespace {

PatternKey key_of(const InputTrie& trie, const Pattern& pattern, std::uint64_t mask) {
  PatternKey key{mask};
  for (std::size_t c = 0; c < pattern.size; ++c) {
    if (c > 0) key.symbols[key.length++] = nonterminal(0);
    const std::uint32_t depth = trie[pattern.chunks[c]].depth;
    NodeId node = pattern.chunks[c];
    for (std::uint32_t i = depth; i-- > 0; node = trie[node].parent)
      key.symbols[key.length + i] = static_cast<Symbol>(trie[node].word);
    key.length = static_cast<std::uint8_t>(key.length + depth);
  }
  return key;
}

PatternShape shape_of(const InputTrie& trie, const Pattern& pattern) {
  PatternShape shape{pattern.size, {}};
  for (std::size_t c = 0; c < pattern.size; ++c)
    shape.lengths[c] = static_cast<int>(trie[pattern.chunks[c]].depth);
  return shape;
}

NodeId anchor_of(const Pattern& pattern) { return pattern.chunks[pattern.anchor]; }

}  // namespace

Extractor::Extractor(std::shared_ptr<const GrammarIndex> index, const ExtractOptions& options,
                     const FeatureSet& features)
    : index_(std::move(index)),
      options_(options),
      features_(features),
      source_vocab_(index_, &index_->source_vocab()),
      target_vocab_(index_, &index_->target_vocab()),
      feature_names_(std::make_shared<const std::vector<std::string>>(features.names())),
      cache_(options.cache_bytes) {
  options_.check();
}

Extractor::~Extractor() = default;

std::unique_ptr<Extractor::Scratch> Extractor::borrow() const {
  {
    const std::lock_guard lock(scratch_mutex_);
    if (!idle_.empty()) {
      auto scratch = std::move(idle_.back());
      idle_.pop_back();
      return scratch;
    }
  }
  return std::make_unique<Scratch>(*index_, options_);
}

void Extractor::give_back(std::unique_ptr<Scratch> scratch) const {
  const std::lock_guard lock(scratch_mutex_);
  idle_.push_back(std::move(scratch));
}

Grammar Extractor::extract(std::span<const std::string_view> words, const Mask* mask) const {
  if (mask != nullptr && !mask->belongs_to(*index_))
    throw Error("the mask belongs to another index",
                "make it with mask() of the index that it is used with");
  Grammar grammar{source_vocab_, target_vocab_, feature_names_, {}};
  std::vector<WordId> input;
  for (const auto word : words)
    input.push_back(index_->source_vocab().find(word).value_or(kOutsideVocab));
  if (mask != nullptr && mask->size() == 0) mask = nullptr;
  auto scratch = borrow();
  extract(*scratch, input, mask, grammar);
  give_back(std::move(scratch));  // not after an exception: it is then in no known state
  return grammar;
}

void Extractor::extract(Scratch& scratch, std::span<const WordId> input, const Mask* mask,
                        Grammar& grammar) const {
  scratch.trie.build(index_->source(), input, options_.max_symbols);
  scratch.patterns.build(scratch.trie, input.size(), options_);
  const auto patterns = scratch.patterns.all();
  const bool cached = options_.cache_bytes > 0 && (mask == nullptr || mask->id() != 0);

  scratch.tasks.assign(patterns.size(), {});
  scratch.missing.clear();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    auto& task = scratch.tasks[p];
    task.key = key_of(scratch.trie, patterns[p], mask != nullptr ? mask->id() : 0);
    if (cached) task.block = cache_.find(task.key);
    if (task.block == nullptr) scratch.missing.push_back(static_cast<std::uint32_t>(p));
  }
  std::ranges::stable_sort(scratch.missing, [&](auto a, auto b) {
    const bool gappy_a = patterns[a].size > 1, gappy_b = patterns[b].size > 1;
    return gappy_a != gappy_b ? gappy_b
                              : gappy_a && anchor_of(patterns[a]) < anchor_of(patterns[b]);
  });
  extract_chunks(scratch, mask);
  extract_gappy(scratch, mask);
  score(scratch, mask);
  for (const auto p : scratch.missing) {
    auto& task = scratch.tasks[p];
    if (task.block == nullptr) task.block = std::move(task.fresh);
    if (cached) cache_.insert(task.key, task.block);
  }
  for (auto& task : scratch.tasks)
    if (!task.block->rules.empty()) grammar.blocks.push_back(std::move(task.block));
  scratch.tasks.clear();
}

void Extractor::extract_chunks(Scratch& scratch, const Mask* mask) const {
  if (scratch.samples.empty()) scratch.samples.resize(1);
  Sample& sample = scratch.samples[0];
  for (const auto p : scratch.missing) {
    const Pattern& pattern = scratch.patterns.all()[p];
    if (pattern.size > 1) break;
    sample.clear();
    sample_chunk(index_->source(), scratch.trie[pattern.chunks[0]].range, mask,
                 options_.max_samples, sample);
    count_rules(scratch, p, sample);
  }
}

void Extractor::extract_gappy(Scratch& scratch, const Mask* mask) const {
  const auto patterns = scratch.patterns.all();
  const auto& missing = scratch.missing;
  std::size_t begin = 0;
  while (begin < missing.size() && patterns[missing[begin]].size == 1) ++begin;
  for (std::size_t end; begin < missing.size(); begin = end) {
    scratch.group.clear();
    for (end = begin; end < missing.size() &&
                      anchor_of(patterns[missing[end]]) == anchor_of(patterns[missing[begin]]);
         ++end)
      scratch.group.push_back(patterns[missing[end]]);
    if (scratch.samples.size() < scratch.group.size()) scratch.samples.resize(scratch.group.size());
    scratch.scan.run(scratch.trie, scratch.group, mask,
                     std::span(scratch.samples).first(scratch.group.size()));
    for (std::size_t i = begin; i < end; ++i)
      count_rules(scratch, missing[i], scratch.samples[i - begin]);
  }
}

void Extractor::count_rules(Scratch& scratch, std::size_t p, const Sample& sample) const {
  auto& task = scratch.tasks[p];
  const auto& occurrences = sample.occurrences;
  if (occurrences.empty()) {
    task.block = nothing_;
    return;
  }
  RuleFinder finder(options_, shape_of(scratch.trie, scratch.patterns.all()[p]));
  constexpr std::size_t kAhead = 16;  // occurrences: their records come from all over the corpus
  for (std::size_t i = 0; i < occurrences.size(); ++i) {
    if (i + 2 * kAhead < occurrences.size())
      index_->prefetch_place(occurrences[i + 2 * kAhead].position);
    if (i + kAhead < occurrences.size()) index_->prefetch_record(occurrences[i + kAhead].position);
    const SentenceRecord record(index_->record_at(occurrences[i].position));
    for (const FoundRule& rule : finder.find(record, occurrences[i])) scratch.counter.add(rule);
  }
  task.fresh = scratch.counter.finish(std::span(task.key.symbols).first(task.key.length),
                                      options_.max_targets);
  task.fresh->samples = static_cast<std::uint32_t>(occurrences.size());
  task.fresh->occurrences_f = static_cast<float>(sample.total);
}

void Extractor::score(Scratch& scratch, const Mask* mask) const {
  scratch.fresh.clear();
  for (const auto p : scratch.missing)
    if (scratch.tasks[p].fresh != nullptr && !scratch.tasks[p].fresh->rules.empty())
      scratch.fresh.push_back(scratch.tasks[p].fresh.get());
  scratch.scorer.score(scratch.fresh, options_.lexical_mask ? mask : nullptr);
  scratch.target_counts.start(mask);
  for (RuleBlock* block : scratch.fresh) {
    if (features_.needs_target_counts)
      for (std::size_t r = 0; r < block->rules.size(); ++r)
        block->statistics[r].occurrences_e =
            static_cast<float>(scratch.target_counts.count(block->target(block->rules[r])));
    features_.compute(*block);
  }
}

}  // namespace demotic
