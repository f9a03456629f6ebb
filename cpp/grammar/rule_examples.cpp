#include "grammar/rule_examples.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "grammar/occurrences.hpp"
#include "grammar/pattern.hpp"

namespace demotic {
namespace {

// A source side as the input whose only pattern of so many chunks it is.
struct SideAsInput {
  Ends ends;
  PatternShape shape{0, {}};
  std::array<std::size_t, 3> begins{};
  std::vector<WordId> words;

  SideAsInput(std::span<const Symbol> source, int min_gap) {
    ends = {source.front() < 0, source.back() < 0};
    if (ends.left) source = source.subspan(1);
    if (ends.right && !source.empty()) source = source.first(source.size() - 1);
    bool in_chunk = false;
    for (const Symbol symbol : source) {
      if (symbol < 0) {
        words.insert(words.end(), static_cast<std::size_t>(min_gap), kOutsideVocab);
      } else {
        if (!in_chunk && shape.chunks < 3)
          begins[static_cast<std::size_t>(shape.chunks++)] = words.size();
        ++shape.lengths[static_cast<std::size_t>(shape.chunks - 1)];
        words.push_back(static_cast<WordId>(symbol));
      }
      in_chunk = symbol >= 0;
    }
  }

  // The pattern of the whole side, if the corpus has it.
  std::optional<Pattern> pattern(const InputTrie& trie, const InputPatterns& patterns) const {
    Pattern wanted;
    for (std::size_t c = 0; c < static_cast<std::size_t>(shape.chunks); ++c)
      wanted.chunks[c] = trie.at(begins[c], shape.lengths[c]);
    const auto found = std::ranges::find(patterns.all(), wanted);
    if (found == patterns.all().end()) return std::nullopt;
    return *found;
  }
};

// As extraction takes it from a part of the index.
Sample sample_of(const GrammarIndex& index, std::size_t part, const ExtractOptions& options,
                 const InputTrie& trie, const Pattern& pattern) {
  const IndexedText& text = index.parts()[part].source;
  Sample sample;
  if (pattern.size == 1)
    sample_chunk(text, trie[pattern.chunks[0]].ranges[part], nullptr, options.max_samples, sample);
  else
    AnchorScan(text, part, index.source_vocab()->size(), options)
        .run(trie, std::span(&pattern, 1), nullptr, std::span(&sample, 1));
  return sample;
}

}  // namespace

std::vector<RuleExample> rule_examples(const GrammarIndex& index, const ExtractOptions& options,
                                       std::span<const Symbol> source,
                                       std::span<const Symbol> target) {
  std::vector<RuleExample> examples;
  if (source.empty()) return examples;
  const SideAsInput side(source, options.min_gap);
  if (side.shape.chunks == 0) return examples;
  InputTrie trie(index.source_vocab()->size());
  trie.build(index.parts(), side.words, options.max_symbols);
  InputPatterns patterns;
  patterns.build(trie, side.words.size(), options);
  const auto pattern = side.pattern(trie, patterns);
  if (!pattern) return examples;
  RuleFinder finder(options, side.shape);
  for (std::size_t part = 0; part < index.parts().size(); ++part) {
    const std::size_t first = part == 0 ? 0 : index.file_size();
    for (const Occurrence& occurrence :
         sample_of(index, part, options, trie, *pattern).occurrences) {
      const SentenceRecord record(index.parts()[part].record_at(occurrence.position));
      for (const FoundRule& rule : finder.find(record, occurrence)) {
        const auto words =
            std::span(rule.target).first(static_cast<std::size_t>(rule.target_length));
        if (rule.ends == side.ends && std::ranges::equal(words, target))
          examples.push_back({static_cast<std::uint32_t>(first + record.sentence()),
                              rule.source_span,
                              rule.target_span,
                              {rule.gap.begin(), rule.gap.begin() + rule.gaps}});
      }
    }
  }
  std::ranges::sort(examples, {}, [](const RuleExample& example) {
    return std::tuple(example.sentence, example.source.begin, example.source.end);
  });
  return examples;
}

}  // namespace demotic
