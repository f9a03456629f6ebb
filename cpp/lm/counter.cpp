#include "lm/counter.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace demotic {
namespace {

// What a word of the block costs while it is sorted: its id, its position, its fold, and its share
// of scratch space.
constexpr std::uint64_t kBytesPerWord = 16;
constexpr std::size_t kPositionsAhead =
    16;  // positions that are looked at before their turn, so that memory has time to answer
constexpr std::uint64_t kMinWords = 1 << 10,
                        kMaxWords = std::uint64_t{1} << 31;  // positions are 32-bit numbers

// Consecutive words whose n-grams are sorted as one task: the same parts whatever the number of
// threads.
std::vector<WordId> task_borders(SuffixSorter& sorter) {
  constexpr std::size_t kPositions = 1 << 16;
  std::vector<WordId> borders{0};
  std::size_t positions = 0;
  for (WordId word = 0; word < sorter.vocab_size(); ++word) {
    positions += sorter.positions(word).size();
    if (positions >= kPositions || word + 1 == sorter.vocab_size()) {
      borders.push_back(word + 1);
      positions = 0;
    }
  }
  return borders;
}

}  // namespace

NgramCounter::NgramCounter(CounterOptions options, Vocab vocab, bool closed)
    : options_(std::move(options)),
      vocab_(std::move(vocab)),
      closed_(closed),
      block_limit_(std::clamp(options_.memory / kBytesPerWord, kMinWords, kMaxWords)) {
  if (options_.order < 1 || options_.order > kMaxOrder)
    throw range_error("order", "from 1 to " + std::to_string(kMaxOrder),
                      static_cast<double>(options_.order));
}

void NgramCounter::begin_file(std::string path) {
  file_ = std::move(path);
  line_ = 0;
}

void NgramCounter::add(std::string_view lines, std::span<const Fold> folds) {
  for (std::size_t i = 0; !lines.empty(); ++i) {
    ++line_;
    if (options_.folds && !folds.empty() && i >= folds.size())
      throw Error("the text has more lines than fold numbers were given", file_, line_,
                  "give the fold of every line");
    if (!add_sentence(next_line(lines))) continue;
    if (options_.folds) block_.folds.resize(block_.text.size(), folds.empty() ? Fold{0} : folds[i]);
    if (block_.text.size() >= block_limit_) spill();
  }
}

bool NgramCounter::add_sentence(std::string_view line) {
  const std::size_t begin = block_.text.size();
  block_.text.push_back(kBegin);
  for_each_word(line, [this](std::string_view word) { block_.text.push_back(id(word)); });
  const std::size_t words = block_.text.size() - begin - 1;
  if (words == 0) {
    block_.text.pop_back();
    return false;
  }
  block_.text.push_back(kEnd);
  ++sentences_;
  words_ += words;
  return true;
}

WordId NgramCounter::id(std::string_view word) {
  const WordId id = closed_ ? vocab_.find(word).value_or(kUnknown) : vocab_.add(word);
  if (id == kBegin || id == kEnd)
    throw Error("the text contains '" + std::string(word) + "'", file_, line_,
                "remove it: sentence marks are added automatically");
  return id;
}

// How many of these positions lie in each fold, in the order of folds.
void NgramCounter::count_folds(std::span<const std::uint32_t> positions, std::vector<Fold>& scratch,
                               std::vector<FoldCount>& counts) const {
  if (!options_.folds || positions.size() == 1) {
    counts.assign(1, {options_.folds ? block_.folds[positions[0]] : Fold{0},
                      static_cast<std::uint32_t>(positions.size())});
    return;
  }
  scratch.clear();
  for (const std::uint32_t position : positions) scratch.push_back(block_.folds[position]);
  std::sort(scratch.begin(), scratch.end());
  counts.clear();
  for (const Fold fold : scratch)
    if (!counts.empty() && counts.back().fold == fold)
      ++counts.back().count;
    else
      counts.push_back({fold, 1});
}

// Sorts the n-grams that end in words of [begin, end) and shows each distinct one with its counts.
void NgramCounter::visit(
    SuffixSorter& sorter, WordId begin, WordId end,
    const std::function<void(std::span<const WordId>, std::span<const FoldCount>)>& visit) const {
  std::vector<WordId> ngram(options_.order), next(options_.order);
  std::vector<Fold> folds;
  std::vector<FoldCount> counts;
  for (WordId word = begin; word < end; ++word) {
    const auto positions = sorter.positions(word);
    sorter.sort(positions);
    for (std::size_t i = 0; i < positions.size();) {
      const std::size_t first = i;
      const unsigned length = sorter.ngram(positions[i], ngram);
      for (++i; i < positions.size(); ++i) {
        sorter.prefetch(positions, i);
        if (options_.folds && i + kPositionsAhead < positions.size())
          __builtin_prefetch(&block_.folds[positions[i + kPositionsAhead]]);
        if (sorter.ngram(positions[i], next) != length ||
            !std::equal(next.begin(), next.begin() + length, ngram.begin()))
          break;
      }
      count_folds(positions.subspan(first, i - first), folds, counts);
      visit({ngram.data(), length}, counts);
    }
  }
}

void NgramCounter::spill() {
  SuffixSorter sorter(block_.text, options_.order, vocab_.size());
  const std::vector<WordId> borders = task_borders(sorter);
  RunFile run(options_.temporary);
  const std::size_t wave = 4 * std::max(options_.threads, 1u);  // buffers held at once
  for (std::size_t first = 0; first + 1 < borders.size(); first += wave) {
    std::vector<std::vector<std::uint32_t>> buffers(std::min(wave, borders.size() - 1 - first));
    parallel_for(buffers.size(), options_.threads, [&](std::size_t i) {
      visit(sorter, borders[first + i], borders[first + i + 1],
            [&](std::span<const WordId> ngram, std::span<const FoldCount> counts) {
              RunFile::encode(ngram, counts, buffers[i]);
            });
    });
    for (const auto& buffer : buffers) run.write(buffer);
  }
  runs_.push_back(std::move(run));
  block_.text.clear();
  block_.folds.clear();
}

SuffixTrie NgramCounter::finish() {
  if (sentences_ == 0)
    throw Error("the text is empty", file_, 0, "a language model needs at least one sentence");
  std::vector<SuffixTrieBuilder> parts;
  if (runs_.empty()) {
    SuffixSorter sorter(block_.text, options_.order, vocab_.size());
    const std::vector<WordId> borders = task_borders(sorter);
    parts.assign(borders.size() - 1, SuffixTrieBuilder(options_.order, options_.folds));
    parallel_for(parts.size(), options_.threads, [&](std::size_t i) {
      visit(sorter, borders[i], borders[i + 1],
            [&](std::span<const WordId> ngram, std::span<const FoldCount> counts) {
              parts[i].add(ngram, counts);
            });
    });
  } else {
    if (!block_.text.empty()) spill();
    parts.emplace_back(options_.order, options_.folds);
    merge_runs(runs_, parts.front());
    runs_.clear();
  }
  block_ = {};
  sentences_ = words_ = 0;
  return join_parts(std::move(parts), vocab_.size(), options_.threads);
}

}  // namespace demotic
