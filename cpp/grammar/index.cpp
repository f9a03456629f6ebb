#include "grammar/index.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "corpus/vocab_section.hpp"

namespace demotic {
namespace {

constexpr std::string_view kKind = "grammar-index";
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kSections = 17;
constexpr std::uint32_t kNoRecord = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kBlock = 1024;  // sentences that a thread takes at a time

// The vocabulary in byte order, and the new id of every old one.
std::pair<Vocab, std::vector<WordId>> sorted_vocab(const Vocab& vocab) {
  std::vector<WordId> order(vocab.size()), renumbered(vocab.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](WordId a, WordId b) { return vocab.word(a) < vocab.word(b); });
  Vocab sorted;
  for (const WordId word : order) renumbered[word] = sorted.add(vocab.word(word));
  return {std::move(sorted), std::move(renumbered)};
}

// The pairs of the bitext with renumbered target words; pairs that are too long are empty.
struct Corpus {
  std::vector<WordId> target_words;
  std::vector<AlignedPair> pairs;
  std::size_t left_out = 0;

  Corpus(const Bitext& bitext, const std::vector<WordId>& renumbered)
      : target_words(bitext.target().values.size()), pairs(bitext.size()) {
    std::transform(bitext.target().values.begin(), bitext.target().values.end(),
                   target_words.begin(), [&](WordId word) { return renumbered[word]; });
    const Ragged<WordId> target{target_words, bitext.target().starts};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool fits = std::max(bitext.source()[i].size(), target[i].size()) <= kMaxRecordWords;
      if (fits) pairs[i] = {bitext.source()[i], target[i], bitext.links()[i]};
      left_out += !fits;
    }
  }

  std::vector<std::span<const WordId>> side(std::span<const WordId> AlignedPair::* which) const {
    std::vector<std::span<const WordId>> sentences(pairs.size());
    std::transform(pairs.begin(), pairs.end(), sentences.begin(),
                   [&](const AlignedPair& pair) { return pair.*which; });
    return sentences;
  }
};

void add_side(SectionWriter& file, const std::string& name, const Vocab& vocab,
              const IndexedTextBuffers& text) {
  add_vocab(file, name, vocab);
  file.add(name + ".tokens", text.tokens);
  file.add(name + ".starts", text.starts);
  file.add(name + ".suffixes", text.suffixes);
  file.add(name + ".first", text.first);
}

// The records one after the other, and for every source token the place of its record.
void add_records(SectionWriter& file, const Corpus& corpus,
                 const std::vector<std::uint32_t>& starts, unsigned threads) {
  std::vector<std::uint64_t> places(corpus.pairs.size() + 1, 0);
  for (std::size_t i = 0; i < corpus.pairs.size(); ++i) {
    const auto& [source, target, links] = corpus.pairs[i];
    places[i + 1] =
        places[i] +
        (source.empty() ? 0 : SentenceRecord::bytes(source.size(), target.size(), links.size()));
  }
  if (places.back() / 4 >= kNoRecord)
    throw Error("the corpus is too large for one index", "divide the corpus");
  std::vector<std::byte> records(places.back());
  std::vector<std::uint32_t> record_at(starts.back(), kNoRecord);
  parallel_ranges(corpus.pairs.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& [source, target, links] = corpus.pairs[i];
      if (source.empty()) continue;
      const auto bytes = std::span(records).subspan(places[i], places[i + 1] - places[i]);
      write_record(bytes, static_cast<std::uint32_t>(i), starts[i], source.size(), target, links);
      std::fill_n(record_at.begin() + starts[i], source.size(),
                  static_cast<std::uint32_t>(places[i] / 4));
    }
  });
  file.add("records", records);
  file.add("record.at", record_at);
}

IndexedText read_side(const SectionReader& file, const std::string& name) {
  return {file.section<Token>(name + ".tokens"), file.section<std::uint32_t>(name + ".starts"),
          file.section<std::uint32_t>(name + ".suffixes"),
          file.section<std::uint32_t>(name + ".first")};
}

}  // namespace

IndexReport build_index(const Bitext& bitext, const std::string& path, unsigned threads,
                        const OnIndexStep& on_step) {
  if (!bitext.aligned())
    throw Error("the bitext has no word alignment", bitext.path(), 0,
                "align it first: demotic align run");
  if (bitext.size() == 0) throw Error("the bitext has no sentence pairs", bitext.path(), 0);
  on_step("vocabulary");
  const auto [target_vocab, renumbered] = sorted_vocab(bitext.target_vocab());
  const Corpus corpus(bitext, renumbered);
  const std::size_t source_vocab_size = bitext.source_vocab().size();

  SectionWriter file(path, kKind, kVersion, kSections);
  {
    on_step("suffix arrays");
    std::array<IndexedTextBuffers, 2> sides;
    parallel_for(2, threads, [&](std::size_t side) {
      sides[side] =
          side == 0
              ? IndexedTextBuffers::build(corpus.side(&AlignedPair::source), source_vocab_size)
              : IndexedTextBuffers::build(corpus.side(&AlignedPair::target), target_vocab.size());
    });
    add_side(file, "source", bitext.source_vocab(), sides[0]);
    add_side(file, "target", target_vocab, sides[1]);
    const auto starts = std::move(sides[0].starts);
    sides = {};
    on_step("sentence records");
    add_records(file, corpus, starts, threads);
  }
  on_step("lexicon");
  const auto lexicon = count_lexicon(corpus.pairs, source_vocab_size, target_vocab.size(), threads);
  file.add("lex.rows", lexicon.rows);
  file.add("lex.entries", lexicon.entries);
  file.add("lex.targets", lexicon.target_totals);
  file.finish();
  return {corpus.pairs.size(), corpus.left_out};
}

GrammarIndex::GrammarIndex(const std::string& path, unsigned threads)
    : file_(path, kKind, kVersion),
      source_vocab_(read_vocab(file_, "source")),
      target_vocab_(read_vocab(file_, "target")),
      source_(read_side(file_, "source")),
      target_(read_side(file_, "target")),
      records_(file_.section<std::byte>("records")),
      record_at_(file_.section<std::uint32_t>("record.at")),
      lexicon_{file_.section<std::uint64_t>("lex.rows"), file_.section<LexicalEntry>("lex.entries"),
               file_.section<std::uint32_t>("lex.targets")} {
  check(threads);
}

void GrammarIndex::check(unsigned threads) const {
  const auto require = [&](const char* problem) {
    if (problem != nullptr) file_.damaged(problem);
  };
  std::array<const char*, 3> problems{};
  parallel_for(3, threads, [&](std::size_t part) {
    problems[part] = part == 0   ? source_.problem()
                     : part == 1 ? target_.problem()
                                 : lexicon_.problem();
  });
  for (const char* problem : problems) require(problem);
  if (source_.vocab_size() != source_vocab_.size() ||
      target_.vocab_size() != target_vocab_.size() ||
      lexicon_.source_null() != source_vocab_.size() ||
      lexicon_.target_null() != target_vocab_.size())
    require("texts, vocabularies and lexicon differ in the number of words");
  if (source_.sentences() != target_.sentences() || record_at_.size() != source_.tokens.size())
    require("source, target and records differ in number");
  parallel_ranges(size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) require(sentence_problem(i));
  });
}

std::size_t GrammarIndex::left_out() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size(); ++i) count += !has_record(i);
  return count;
}

const char* GrammarIndex::sentence_problem(std::size_t sentence) const {
  const std::uint32_t start = source_.starts[sentence],
                      length = source_.starts[sentence + 1] - 1 - start;
  if ((length == 0) != target_.sentence(sentence).empty()) return "a sentence is empty on one side";
  if (length == 0) return nullptr;
  const std::uint32_t place = record_at_[start];
  if (std::size_t{place} * 4 >= records_.size())
    return "a sentence record lies outside its section";
  for (std::uint32_t i = 0; i < length; ++i)
    if (record_at_[start + i] != place) return "the words of a sentence disagree about its record";
  if (const char* problem =
          record_problem(records_.subspan(std::size_t{place} * 4), target_vocab_.size()))
    return problem;
  const SentenceRecord record = this->record(sentence);
  if (record.sentence() != sentence || record.start() != start ||
      static_cast<std::uint32_t>(record.source_length()) != length ||
      static_cast<std::size_t>(record.target_length()) != target_.sentence(sentence).size())
    return "a sentence disagrees with its record";
  return nullptr;
}

}  // namespace demotic
