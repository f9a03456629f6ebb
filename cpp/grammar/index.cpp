#include "grammar/index.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "corpus/vocab_section.hpp"

namespace demotic {
namespace {

constexpr std::string_view kKind = "grammar-index";
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kSections = 17;

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
};

void add_side(SectionWriter& file, const std::string& name, const Vocab& vocab,
              const IndexedTextBuffers& text) {
  add_vocab(file, name, vocab);
  file.add(name + ".tokens", text.tokens);
  file.add(name + ".starts", text.starts);
  file.add(name + ".suffixes", text.suffixes);
  file.add(name + ".first", text.first);
}

IndexedText read_side(const SectionReader& file, const std::string& name) {
  return {file.section<Token>(name + ".tokens"), file.section<std::uint32_t>(name + ".starts"),
          file.section<std::uint32_t>(name + ".suffixes"),
          file.section<std::uint32_t>(name + ".first")};
}

IndexPart read_part(const SectionReader& file) {
  return {read_side(file, "source"),
          read_side(file, "target"),
          file.section<std::byte>("records"),
          file.section<std::uint32_t>("record.at"),
          {file.section<std::uint64_t>("lex.rows"), file.section<LexicalEntry>("lex.entries"),
           file.section<std::uint32_t>("lex.targets")}};
}

// A vocabulary that is copied only when a word comes that it does not have.
class GrowingVocab {
 public:
  explicit GrowingVocab(std::shared_ptr<const Vocab> vocab) : vocab_(std::move(vocab)) {}

  WordId add(std::string_view word) {
    if (grown_ == nullptr) {
      if (const auto known = vocab_->find(word)) return *known;
      grown_ = std::make_shared<Vocab>(*vocab_);
    }
    return grown_->add(word);
  }
  // `before` if it has the same words: who keeps tables of a vocabulary knows it by its address.
  std::shared_ptr<const Vocab> finish(const std::shared_ptr<const Vocab>& before) const {
    if (grown_ == nullptr) return vocab_;
    const auto same = [](const auto& a, const auto& b) { return std::ranges::equal(a, b); };
    return same(grown_->starts(), before->starts()) && same(grown_->text(), before->text())
               ? before
               : grown_;
  }

 private:
  std::shared_ptr<const Vocab> vocab_;
  std::shared_ptr<Vocab> grown_;
};

struct AddedWords {
  std::vector<WordId> source, target;
  std::vector<Link> links;

  AddedWords(const AddedPair& pair, GrowingVocab& source_vocab, GrowingVocab& target_vocab) {
    for_each_token(pair.source,
                   [&](std::string_view word) { source.push_back(source_vocab.add(word)); });
    for_each_token(pair.target,
                   [&](std::string_view word) { target.push_back(target_vocab.add(word)); });
    if (source.empty() || target.empty()) throw Error("an added pair has an empty side");
    if (std::max(source.size(), target.size()) > kMaxRecordWords)
      throw Error("an added pair has a side of more than " + std::to_string(kMaxRecordWords) +
                  " words");
    links = parse_links(pair.links, source.size(), target.size());
  }
  operator AlignedPair() const { return {source, target, links}; }
};

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
      sides[side] = side == 0
                        ? IndexedTextBuffers::build(side_of(corpus.pairs, &AlignedPair::source),
                                                    source_vocab_size)
                        : IndexedTextBuffers::build(side_of(corpus.pairs, &AlignedPair::target),
                                                    target_vocab.size());
    });
    add_side(file, "source", bitext.source_vocab(), sides[0]);
    add_side(file, "target", target_vocab, sides[1]);
    const auto starts = std::move(sides[0].starts);
    sides = {};
    on_step("sentence records");
    const auto records = RecordBuffers::build(corpus.pairs, starts, threads);
    file.add("records", records.records);
    file.add("record.at", records.places);
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
    : file_(std::make_shared<const SectionReader>(path, kKind, kVersion)),
      file_source_vocab_(std::make_shared<const Vocab>(read_vocab(*file_, "source"))),
      file_target_vocab_(std::make_shared<const Vocab>(read_vocab(*file_, "target"))),
      source_vocab_(file_source_vocab_),
      target_vocab_(file_target_vocab_),
      parts_{read_part(*file_)} {
  if (const char* problem = parts_[0].problem(threads)) file_->damaged(problem);
  if (parts_[0].source.vocab_size() != source_vocab_->size() ||
      parts_[0].target.vocab_size() != target_vocab_->size())
    file_->damaged("texts, vocabularies and lexicon differ in the number of words");
}

GrammarIndex::GrammarIndex(const GrammarIndex& other, std::span<const AddedPair> additions)
    : file_(other.file_),
      file_source_vocab_(other.file_source_vocab_),
      file_target_vocab_(other.file_target_vocab_),
      parts_{other.parts_[0]} {
  GrowingVocab source(file_source_vocab_), target(file_target_vocab_);
  std::vector<AddedWords> added;
  added.reserve(additions.size());
  for (const AddedPair& pair : additions) added.emplace_back(pair, source, target);
  source_vocab_ = source.finish(other.source_vocab_);
  target_vocab_ = target.finish(other.target_vocab_);
  if (additions.empty()) return;
  const std::vector<AlignedPair> pairs(added.begin(), added.end());
  additions_ = IndexPartBuffers::build(pairs, source_vocab_->size(), target_vocab_->size());
  parts_.push_back(additions_.view());
}

std::size_t GrammarIndex::left_out() const {
  std::size_t count = 0;
  for (const IndexPart& part : parts_) count += part.left_out();
  return count;
}

}  // namespace demotic
