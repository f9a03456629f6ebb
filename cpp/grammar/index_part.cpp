#include "grammar/index_part.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace demotic {
namespace {

constexpr std::size_t kBlock = 1024;  // sentences that a thread takes at a time

}  // namespace

std::size_t IndexPart::left_out() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size(); ++i) count += !has_record(i);
  return count;
}

const char* IndexPart::problem(unsigned threads) const {
  std::array<const char*, 3> problems{};
  parallel_for(3, threads, [&](std::size_t part) {
    problems[part] = part == 0   ? source.problem()
                     : part == 1 ? target.problem()
                                 : lexicon.problem();
  });
  for (const char* problem : problems)
    if (problem != nullptr) return problem;
  if (source.vocab_size() != lexicon.source_null() || target.vocab_size() != lexicon.target_null())
    return "texts, vocabularies and lexicon differ in the number of words";
  if (source.sentences() != target.sentences() || places.size() != source.tokens.size())
    return "source, target and records differ in number";
  std::atomic<const char*> found = nullptr;
  parallel_ranges(size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (const char* problem = sentence_problem(i)) found = problem;
  });
  return found;
}

const char* IndexPart::sentence_problem(std::size_t sentence) const {
  const std::uint32_t start = source.starts[sentence],
                      length = source.starts[sentence + 1] - 1 - start;
  if ((length == 0) != target.sentence(sentence).empty()) return "a sentence is empty on one side";
  if (length == 0) return nullptr;
  const std::uint32_t place = places[start];
  if (std::size_t{place} * 4 >= records.size()) return "a sentence record lies outside its section";
  for (std::uint32_t i = 0; i < length; ++i)
    if (places[start + i] != place) return "the words of a sentence disagree about its record";
  if (const char* problem =
          record_problem(records.subspan(std::size_t{place} * 4), target.vocab_size()))
    return problem;
  const SentenceRecord record = this->record(sentence);
  if (record.sentence() != sentence || record.start() != start ||
      static_cast<std::uint32_t>(record.source_length()) != length ||
      static_cast<std::size_t>(record.target_length()) != target.sentence(sentence).size())
    return "a sentence disagrees with its record";
  return nullptr;
}

RecordBuffers RecordBuffers::build(std::span<const AlignedPair> pairs,
                                   std::span<const std::uint32_t> starts, unsigned threads) {
  std::vector<std::uint64_t> begins(pairs.size() + 1, 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [source, target, links] = pairs[i];
    begins[i + 1] =
        begins[i] +
        (source.empty() ? 0 : SentenceRecord::bytes(source.size(), target.size(), links.size()));
  }
  if (begins.back() / 4 >= kNoRecord)
    throw Error("the corpus is too large for one index", "divide the corpus");
  RecordBuffers all{std::vector<std::byte>(begins.back()),
                    std::vector<std::uint32_t>(starts.back(), kNoRecord)};
  parallel_ranges(pairs.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& [source, target, links] = pairs[i];
      if (source.empty()) continue;
      const auto bytes = std::span(all.records).subspan(begins[i], begins[i + 1] - begins[i]);
      write_record(bytes, static_cast<std::uint32_t>(i), starts[i], source.size(), target, links);
      std::fill_n(all.places.begin() + starts[i], source.size(),
                  static_cast<std::uint32_t>(begins[i] / 4));
    }
  });
  return all;
}

IndexPartBuffers IndexPartBuffers::build(std::span<const AlignedPair> pairs,
                                         std::size_t source_vocab_size,
                                         std::size_t target_vocab_size) {
  auto source = IndexedTextBuffers::build(side_of(pairs, &AlignedPair::source), source_vocab_size);
  auto target = IndexedTextBuffers::build(side_of(pairs, &AlignedPair::target), target_vocab_size);
  auto records = RecordBuffers::build(pairs, source.starts, 1);
  return {std::move(source), std::move(target), std::move(records),
          count_lexicon(pairs, source_vocab_size, target_vocab_size, 1)};
}

std::vector<std::span<const WordId>> side_of(std::span<const AlignedPair> pairs,
                                             std::span<const WordId> AlignedPair::* side) {
  std::vector<std::span<const WordId>> sentences(pairs.size());
  std::ranges::transform(pairs, sentences.begin(),
                         [&](const AlignedPair& pair) { return pair.*side; });
  return sentences;
}

}  // namespace demotic
