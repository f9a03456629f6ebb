#include "lm/suffix_trie.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace demotic {
namespace {

using Level = SuffixTrie::Level;

// Appends the same level of all parts; `children` and `folds` move by what the parts before have
// put there.
Level join_level(std::vector<SuffixTrieBuilder>& parts, std::size_t index) {
  Level joined;
  std::size_t size = 0, folds = 0;
  for (auto& part : parts) {
    size += part.levels()[index].size();
    folds += part.levels()[index].folds.size();
  }
  if (size >= std::numeric_limits<std::uint32_t>::max())
    throw Error("more than 4 billion n-grams of order " + std::to_string(index + 1),
                "choose a lower order or less text");
  joined.first.reserve(size);
  joined.occurrences.reserve(size);
  const bool highest = index + 1 == parts.front().levels().size();
  if (!highest) joined.children.reserve(size + 1);
  joined.folds.reserve(folds);
  std::uint32_t next_level = 0;
  for (auto& builder : parts) {
    Level part = std::move(builder.levels()[index]);  // freed as we go
    const auto offset = static_cast<std::uint32_t>(joined.first.size());
    joined.first.insert(joined.first.end(), part.first.begin(), part.first.end());
    joined.occurrences.insert(joined.occurrences.end(), part.occurrences.begin(),
                              part.occurrences.end());
    for (const std::uint32_t begin : part.children) joined.children.push_back(begin + next_level);
    for (const auto& leaf : part.folds)
      joined.folds.push_back({leaf.ngram + offset, leaf.fold, leaf.count});
    if (!highest) next_level += static_cast<std::uint32_t>(builder.levels()[index + 1].size());
  }
  if (!highest) joined.children.push_back(next_level);
  return joined;
}

// Gives every word of the vocabulary its place in the first level, also those that never end an
// n-gram, such as <s>.
Level spread_over_vocabulary(const Level& seen, std::size_t vocab_size) {
  Level level;
  level.first.resize(vocab_size);
  level.occurrences.resize(vocab_size);
  if (!seen.children.empty()) level.children.resize(vocab_size + 1, seen.children.back());
  std::size_t next = 0;
  for (WordId word = 0; word < vocab_size; ++word) {
    level.first[word] = word;
    if (!seen.children.empty()) level.children[word] = seen.children[next];
    if (next < seen.size() && seen.first[next] == word)
      level.occurrences[word] = seen.occurrences[next++];
  }
  for (const auto& leaf : seen.folds)
    level.folds.push_back({seen.first[leaf.ngram], leaf.fold, leaf.count});
  return level;
}

// The context of "w1 ... wn" is "w1 ... wn-1": a child, by w1, of the context of "w2 ... wn". Both
// lists of children are sorted by w1, and the first is part of the second: so one forward search
// per n-gram finds it.
void link_contexts(SuffixTrie& trie, unsigned order, unsigned threads) {
  const Level& parents = trie.levels[order - 2];
  const Level& grandparents = trie.levels[order - 3];
  Level& level = trie.levels[order - 1];
  const auto parent_contexts = trie.contexts(order - 1);
  level.context.resize(level.size());
  parallel_ranges(parents.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t parent = begin; parent < end; ++parent) {
      if (parents.children[parent] == parents.children[parent + 1]) continue;
      const std::uint32_t shared = parent_contexts[parent];
      auto candidate = parents.first.begin() + grandparents.children[shared];
      const auto last = parents.first.begin() + grandparents.children[shared + 1];
      for (std::uint32_t child = parents.children[parent]; child < parents.children[parent + 1];
           ++child) {
        const WordId word = level.first[child];
        std::ptrdiff_t step =
            1;  // galloping: cheap when the next one is near, logarithmic when it is far
        while (last - candidate > step && candidate[step] <= word) candidate += step, step *= 2;
        candidate = std::lower_bound(candidate, candidate + std::min(step, last - candidate), word);
        level.context[child] = static_cast<std::uint32_t>(candidate - parents.first.begin());
      }
    }
  });
}

}  // namespace

void SuffixTrieBuilder::add(std::span<const WordId> reversed, std::span<const FoldCount> counts) {
  const auto known = static_cast<std::size_t>(
      std::mismatch(reversed.begin(), reversed.end(), previous_.begin(), previous_.end()).first -
      reversed.begin());
  for (std::size_t i = known; i < reversed.size(); ++i) {
    levels_[i].first.push_back(reversed[i]);
    levels_[i].occurrences.push_back(0);
    if (i + 1 < levels_.size())
      levels_[i].children.push_back(static_cast<std::uint32_t>(levels_[i + 1].size()));
  }
  previous_.assign(reversed.begin(), reversed.end());
  Level& level = levels_[reversed.size() - 1];
  const auto ngram = static_cast<std::uint32_t>(level.size() - 1);
  for (const FoldCount& in_fold : counts) {
    level.occurrences[ngram] = saturating_add(level.occurrences[ngram], in_fold.count);
    if (!keep_folds_) continue;
    for (std::uint32_t left = in_fold.count, part; left > 0; left -= part) {
      part = std::min<std::uint32_t>(left, std::numeric_limits<std::uint16_t>::max());
      level.folds.push_back({ngram, in_fold.fold, static_cast<std::uint16_t>(part)});
    }
  }
}

SuffixTrie join_parts(std::vector<SuffixTrieBuilder> parts, std::size_t vocab_size,
                      unsigned threads) {
  SuffixTrie trie;
  trie.levels.resize(parts.front().levels().size());
  for (std::size_t index = 0; index < trie.levels.size(); ++index)
    trie.levels[index] = join_level(parts, index);
  trie.levels[0] = spread_over_vocabulary(trie.levels[0], vocab_size);
  for (unsigned order = 3; order <= trie.order(); ++order) link_contexts(trie, order, threads);
  return trie;
}

}  // namespace demotic
