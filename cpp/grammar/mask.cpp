#include "grammar/mask.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace demotic {
namespace {

std::vector<std::uint32_t> checked(const GrammarIndex& index,
                                   std::vector<std::uint32_t> sentences) {
  std::sort(sentences.begin(), sentences.end());
  sentences.erase(std::unique(sentences.begin(), sentences.end()), sentences.end());
  if (!sentences.empty() && sentences.back() >= index.size())
    throw Error("cannot exclude sentence " + std::to_string(sentences.back()) + ": the index has " +
                    std::to_string(index.size()) + " sentence pairs",
                "sentence pairs are numbered from 0; is this the index of that corpus?");
  return sentences;
}

std::uint64_t set_id(std::span<const std::uint32_t> sentences) {
  if (sentences.size() <= 1) return 0;
  return std::max<std::uint64_t>(
      1, hash_bytes({reinterpret_cast<const char*>(sentences.data()), sentences.size_bytes()}));
}

// Sorted keys with their number of repetitions.
template <class Key, class Visit>
void for_each_run(std::vector<Key>& keys, Visit visit) {
  std::sort(keys.begin(), keys.end());
  for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
    for (end = begin; end < keys.size() && keys[end] == keys[begin];) ++end;
    visit(keys[begin], static_cast<std::uint32_t>(end - begin));
  }
}

}  // namespace

PositionSet::PositionSet(const IndexedText& text, std::span<const std::uint32_t> sentences) {
  if (sentences.size() == 1) {
    begin_ = text.starts[sentences[0]];
    length_ = text.starts[sentences[0] + 1] - begin_;
  } else if (sentences.size() > 1) {
    bits_.assign(text.tokens.size() / 64 + 1, 0);
    for (const auto sentence : sentences)
      for (std::uint32_t i = text.starts[sentence]; i < text.starts[sentence + 1]; ++i)
        bits_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

Mask::Mask(std::shared_ptr<const GrammarIndex> index, std::vector<std::uint32_t> sentences)
    : index_(std::move(index)),
      sentences_(checked(*index_, std::move(sentences))),
      id_(set_id(sentences_)) {
  std::vector<std::vector<std::uint32_t>> by_part(index_->parts().size());
  for (const auto sentence : sentences_) {
    const auto [part, number] = index_->place_of(sentence);
    by_part[part].push_back(static_cast<std::uint32_t>(number));
  }
  for (std::size_t part = 0; part < by_part.size(); ++part) {
    const IndexPart& texts = index_->parts()[part];
    positions_.push_back({{texts.source, by_part[part]}, {texts.target, by_part[part]}});
  }
  count_removed();
}

void Mask::count_removed() {
  const GrammarIndex& index = *index_;
  const WordId source_null = index.source_null(), target_null = index.target_null();
  std::vector<std::uint64_t> links;  // source word in the upper half
  std::vector<WordId> targets;
  for (const auto number : sentences_) {
    const auto [in, sentence] = index.place_of(number);
    const IndexPart& part = index.parts()[in];
    if (!part.has_record(sentence)) continue;
    const SentenceRecord record = part.record(sentence);
    const auto source = part.source.sentence(sentence);
    const auto add = [&](std::size_t i, std::size_t j) {
      const WordId f = i == kNullPosition ? source_null : source[i] - 1;
      const WordId e = j == kNullPosition ? target_null : record.target_word(static_cast<int>(j));
      links.push_back(std::uint64_t{f} << 32 | e);
      targets.push_back(e);
    };
    for_each_lexical_link(source.size(), static_cast<std::size_t>(record.target_length()),
                          record.links(), add);
  }
  for_each_run(links, [&](std::uint64_t link, std::uint32_t count) {
    const auto source = static_cast<WordId>(link >> 32);
    if (removed_sources_.empty() || removed_sources_.back() != source) {
      removed_sources_.push_back(source);
      removed_starts_.push_back(static_cast<std::uint32_t>(removed_entries_.size()));
    }
    removed_entries_.push_back({static_cast<WordId>(link), count});
  });
  removed_starts_.push_back(static_cast<std::uint32_t>(removed_entries_.size()));
  for_each_run(targets, [&](WordId target, std::uint32_t count) {
    removed_targets_.push_back({target, count});
  });
}

std::span<const LexicalEntry> Mask::removed_row(WordId source) const {
  const auto found = std::lower_bound(removed_sources_.begin(), removed_sources_.end(), source);
  if (found == removed_sources_.end() || *found != source) return {};
  const auto row = static_cast<std::size_t>(found - removed_sources_.begin());
  return std::span(removed_entries_)
      .subspan(removed_starts_[row], removed_starts_[row + 1] - removed_starts_[row]);
}

}  // namespace demotic
