#include "grammar/extractor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/prefetch.hpp"
#include "grammar/kept_pattern.hpp"
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
    std::shared_ptr<const KeptPattern> kept;
  };

  Scratch(const GrammarIndex& index, const ExtractOptions& options)
      : trie(index.source_vocab()->size()),
        counter(index.target_order()),
        one_out(index.parts()[0].source, options),
        scorer(index) {
    const auto parts = index.parts();
    samples.resize(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      scans.emplace_back(parts[part].source, part, index.source_vocab()->size(), options);
      target_counts.emplace_back(parts[part].target, part, options);
    }
  }

  // The first samples of every part, at least so many of them.
  void reserve_samples(std::size_t size) {
    for (auto& of_part : samples)
      if (of_part.size() < size) of_part.resize(size);
  }

  InputTrie trie;
  InputPatterns patterns;
  std::vector<Task> tasks;             // as many as patterns
  std::vector<std::uint32_t> missing;  // patterns not in the cache, one chunk first, then by anchor
  std::vector<Pattern> group;          // those with the same anchor
  std::vector<std::vector<Sample>> samples;  // by part of the index
  std::vector<AnchorScan> scans;             // one for each part
  RuleCounter counter;
  RuleCounts counts;
  OneOutSamples one_out;
  SampleChange change;
  std::vector<RuleBlock*> fresh;
  LexicalScorer scorer;
  std::vector<TargetCounts> target_counts;  // one for each part
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

// One chunk first, then by anchor: what one scan finds stands together.
void sort_by_anchor(std::vector<std::uint32_t>& numbers, std::span<const Pattern> patterns) {
  std::ranges::stable_sort(numbers, [&](auto a, auto b) {
    const bool gappy_a = patterns[a].size > 1, gappy_b = patterns[b].size > 1;
    return gappy_a != gappy_b ? gappy_b
                              : gappy_a && anchor_of(patterns[a]) < anchor_of(patterns[b]);
  });
}

// Patterns that do not occur share one empty block.
std::size_t cost_of(const RuleBlock& block) { return block.rules.empty() ? 0 : block.bytes(); }

}  // namespace

Extractor::Extractor(std::shared_ptr<const GrammarIndex> index, const ExtractOptions& options,
                     const FeatureSet& features)
    : index_(std::move(index)),
      options_(options),
      features_(features),
      has_additions_(index_->added() > 0),
      feature_names_(
          std::make_shared<const std::vector<std::string>>(features.names(has_additions_))),
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
  index_->check_unchanged();
  Grammar grammar{index_->source_vocab(), index_->target_vocab(), feature_names_, {}};
  std::vector<WordId> input;
  for (const auto word : words)
    input.push_back(index_->source_vocab()->find(word).value_or(kOutsideVocab));
  if (mask != nullptr && mask->size() == 0) mask = nullptr;
  auto scratch = borrow();
  extract(*scratch, input, mask, grammar);
  give_back(std::move(scratch));  // not after an exception: it is then in no known state
  return grammar;
}

void Extractor::extract(Scratch& scratch, std::span<const WordId> input, const Mask* mask,
                        Grammar& grammar) const {
  scratch.trie.build(index_->parts(), input, options_.max_symbols);
  scratch.patterns.build(scratch.trie, input.size(), options_);
  const auto patterns = scratch.patterns.all();
  const bool cached = options_.cache_bytes > 0 && (mask == nullptr || mask->id() != 0);
  const bool one_out = options_.cache_bytes > 0 && mask != nullptr && mask->size() == 1 &&
                       options_.max_samples > 0 && options_.max_samples <= kMaxKeptSamples &&
                       !has_additions_;

  scratch.tasks.assign(patterns.size(), {});
  scratch.missing.clear();
  const std::uint64_t id = one_out ? kKeptCounts : mask != nullptr ? mask->id() : 0;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    scratch.tasks[p].key = key_of(scratch.trie, patterns[p], id);
    if (cached || one_out) cache_.prefetch(scratch.tasks[p].key);
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    auto& task = scratch.tasks[p];
    if (one_out)
      task.kept = cache_.find<KeptPattern>(task.key);
    else if (cached)
      task.block = cache_.find(task.key);
    if (task.kept == nullptr && task.block == nullptr)
      scratch.missing.push_back(static_cast<std::uint32_t>(p));
  }
  sort_by_anchor(scratch.missing, patterns);
  if (one_out) leave_one_out(scratch, *mask);
  extract_chunks(scratch, mask, false);
  extract_gappy(scratch, mask, false);
  score(scratch, mask);
  for (auto& task : scratch.tasks)
    if (task.block == nullptr) task.block = std::move(task.fresh);
  if (cached)
    for (const auto p : scratch.missing) {
      const auto& task = scratch.tasks[p];
      cache_.insert(task.key, task.block, cost_of(*task.block));
    }
  for (auto& task : scratch.tasks)
    if (!task.block->rules.empty()) grammar.blocks.push_back(std::move(task.block));
  scratch.tasks.clear();
}

// What is missing are then patterns whose spare occurrences do not suffice.
void Extractor::leave_one_out(Scratch& scratch, const Mask& mask) const {
  scratch.one_out.start(scratch.trie, mask);
  extract_chunks(scratch, nullptr, true);
  extract_gappy(scratch, nullptr, true);
  scratch.missing.clear();
  constexpr std::size_t kAhead = 4;
  for (std::size_t p = 0; p < scratch.tasks.size(); ++p) {
    if (p + kAhead < scratch.tasks.size() && scratch.tasks[p + kAhead].kept != nullptr)
      scratch.tasks[p + kAhead].kept->prefetch();
    if (scratch.tasks[p].kept != nullptr && !rules_from_kept(scratch, p))
      scratch.missing.push_back(static_cast<std::uint32_t>(p));
  }
  sort_by_anchor(scratch.missing, scratch.patterns.all());
}

void Extractor::extract_chunks(Scratch& scratch, const Mask* mask, bool keep) const {
  scratch.reserve_samples(1);
  for (const auto p : scratch.missing) {
    const Pattern& pattern = scratch.patterns.all()[p];
    if (pattern.size > 1) break;
    for (std::size_t part = 0; part < scratch.samples.size(); ++part) {
      Sample& sample = scratch.samples[part][0];
      sample.clear();
      sample_chunk(index_->parts()[part].source, scratch.trie[pattern.chunks[0]].ranges[part],
                   mask != nullptr ? &mask->source(part) : nullptr, options_.max_samples, sample);
    }
    if (keep)
      keep_counts(scratch, p, scratch.samples[0][0]);
    else
      count_samples(scratch, p, 0);
  }
}

void Extractor::extract_gappy(Scratch& scratch, const Mask* mask, bool keep) const {
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
    scratch.reserve_samples(scratch.group.size());
    for (std::size_t part = 0; part < scratch.samples.size(); ++part)
      scratch.scans[part].run(
          scratch.trie, scratch.group, mask != nullptr ? &mask->source(part) : nullptr,
          std::span(scratch.samples[part]).first(scratch.group.size()), keep ? kSpare : 0);
    for (std::size_t i = begin; i < end; ++i)
      if (keep)
        keep_counts(scratch, missing[i], scratch.samples[0][i - begin]);
      else
        count_samples(scratch, missing[i], i - begin);
  }
}

void Extractor::count_samples(Scratch& scratch, std::size_t p, std::size_t i) const {
  std::uint32_t size = 0;
  double total = 0;
  for (std::size_t part = 0; part < scratch.samples.size(); ++part) {
    const Sample& sample = scratch.samples[part][i];
    count_rules(scratch, p, part, sample.occurrences);
    size += static_cast<std::uint32_t>(sample.occurrences.size());
    total += sample.total;
  }
  finish_rules(scratch, p, size, total);
}

void Extractor::count_rules(Scratch& scratch, std::size_t p, std::size_t in,
                            std::span<const Occurrence> occurrences) const {
  RuleFinder finder(options_, shape_of(scratch.trie, scratch.patterns.all()[p]));
  const IndexPart& part = index_->parts()[in];
  // Their records come from all over the corpus.
  fetch_ahead(
      occurrences.size(), [&](std::size_t i) { part.prefetch_place(occurrences[i].position); },
      [&](std::size_t i) { part.prefetch_record(occurrences[i].position); },
      [&](std::size_t i) {
        constexpr std::size_t kWordsAhead = 8;
        const auto record_of = [&](std::size_t k) {
          return SentenceRecord(part.record_at(occurrences[k].position));
        };
        if (i + kWordsAhead < occurrences.size()) record_of(i + kWordsAhead).prefetch_words();
        for (const FoundRule& rule : finder.find(record_of(i), occurrences[i]))
          scratch.counter.add(rule, in > 0);
        return true;
      });
}

void Extractor::finish_rules(Scratch& scratch, std::size_t p, std::uint32_t samples,
                             double total) const {
  auto& task = scratch.tasks[p];
  if (samples == 0) {
    task.block = nothing_;
    return;
  }
  task.fresh = scratch.counter.finish(std::span(task.key.symbols).first(task.key.length),
                                      options_.max_targets);
  task.fresh->samples = samples;
  task.fresh->occurrences_f = static_cast<float>(total);
}

void Extractor::keep_counts(Scratch& scratch, std::size_t p, const Sample& sample) const {
  auto& task = scratch.tasks[p];
  const Pattern& pattern = scratch.patterns.all()[p];
  const std::uint32_t size = KeptPattern::sample_size(sample, pattern.size, options_);
  // A pattern that nobody else has is not asked for again: most are.
  const std::uint32_t occurring = scratch.trie[anchor_of(pattern)].ranges[0].size();
  const bool is_whole =
      pattern.size == 1 ? sample.occurrences.size() == occurring : sample.reach == occurring;
  if (is_whole && scratch.one_out.all_masked(sample.occurrences)) {
    task.block = nothing_;
    return;
  }
  count_rules(scratch, p, 0, std::span(sample.occurrences).first(size));
  scratch.counter.take(scratch.counts);
  task.kept = std::make_shared<const KeptPattern>(sample, size, scratch.counts);
  cache_.insert(task.key, task.kept, task.kept->bytes());
}

bool Extractor::rules_from_kept(Scratch& scratch, std::size_t p) const {
  const KeptPattern& kept = *scratch.tasks[p].kept;
  const Pattern& pattern = scratch.patterns.all()[p];
  SampleChange& change = scratch.change;
  if (!scratch.one_out.change(pattern, kept, change)) return false;
  if (change.samples > 0) {
    const IndexPart& part = index_->parts()[0];
    for (const Occurrence& occurrence : change.added) part.prefetch_place(occurrence.position);
    scratch.counter.load(kept);
    for (const Occurrence& occurrence : change.added) part.prefetch_record(occurrence.position);
    RuleFinder finder(options_, shape_of(scratch.trie, pattern));
    const auto count = [&](const std::vector<Occurrence>& occurrences, int by) {
      for (const Occurrence& occurrence : occurrences)
        for (const FoundRule& rule :
             finder.find(SentenceRecord(part.record_at(occurrence.position)), occurrence))
          scratch.counter.change(rule, by);
    };
    count(change.removed, -1);
    count(change.added, 1);
  }
  finish_rules(scratch, p, change.samples, change.total);
  return true;
}

void Extractor::score(Scratch& scratch, const Mask* mask) const {
  scratch.fresh.clear();
  for (const auto& task : scratch.tasks)
    if (task.fresh != nullptr && !task.fresh->rules.empty())
      scratch.fresh.push_back(task.fresh.get());
  scratch.scorer.score(scratch.fresh, options_.lexical_mask ? mask : nullptr);
  for (TargetCounts& counts : scratch.target_counts) counts.start(mask);
  for (RuleBlock* block : scratch.fresh) {
    if (features_.needs_target_counts)
      for (std::size_t r = 0; r < block->rules.size(); ++r) {
        double all = 0;
        for (TargetCounts& counts : scratch.target_counts)
          all += counts.count(block->target(block->rules[r]));
        block->statistics[r].occurrences_e = static_cast<float>(all);
      }
    features_.compute(*block, has_additions_);
  }
}

}  // namespace demotic
