#include "corpus/vocab.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/utf8.hpp"

namespace demotic {
namespace {
constexpr WordId kEmpty = std::numeric_limits<WordId>::max();
}

Vocab::Vocab() : starts_{0}, table_(64, kEmpty) {}

VocabView::VocabView(std::span<const char> text, std::span<const std::uint64_t> starts,
                     std::span<const WordId> table)
    : text_(text), starts_(starts), table_(table) {
  if (starts.empty() || starts.front() != 0 || starts.back() != text.size() ||
      !std::is_sorted(starts.begin(), starts.end()))
    throw Error("the word list does not cover its text");
  const auto outside = [this](WordId id) { return id != kEmpty && id >= size(); };
  const bool probing_ends = std::find(table.begin(), table.end(), kEmpty) != table.end();
  if (!std::has_single_bit(table.size()) || !probing_ends ||
      std::any_of(table.begin(), table.end(), outside))
    throw Error("the word table is impossible");
}

std::optional<WordId> VocabView::find(std::string_view word) const {
  const WordId id = table_[slot_of(word)];
  return id == kEmpty ? std::nullopt : std::optional(id);
}

std::string_view VocabView::word(WordId id) const {
  if (id >= size())
    throw Error("no word has id " + std::to_string(id) + ": the vocabulary has " +
                std::to_string(size()) + " words");
  return {text_.data() + starts_[id], static_cast<std::size_t>(starts_[id + 1] - starts_[id])};
}

std::size_t VocabView::slot_of(std::string_view word) const {
  const std::size_t last = table_.size() - 1;
  std::size_t slot = hash_bytes(word) & last;
  while (table_[slot] != kEmpty && this->word(table_[slot]) != word) slot = (slot + 1) & last;
  return slot;
}

WordId Vocab::add(std::string_view word) {
  std::size_t slot = view().slot_of(word);
  if (table_[slot] != kEmpty) return table_[slot];
  if (size() >= kEmpty - 1) throw Error("more than 4 billion distinct words");
  if (2 * (size() + 1) > table_.size()) {
    grow();
    slot = view().slot_of(word);
  }
  const auto id = static_cast<WordId>(size());
  text_.insert(text_.end(), word.begin(), word.end());
  starts_.push_back(text_.size());
  table_[slot] = id;
  return id;
}

std::optional<WordId> Vocab::find(std::string_view word) const { return view().find(word); }

std::string_view Vocab::word(WordId id) const { return view().word(id); }

void Vocab::grow() {
  table_.assign(2 * table_.size(), kEmpty);
  for (WordId id = 0; id < size(); ++id) table_[view().slot_of(word(id))] = id;
}

Vocab Vocab::from_arrays(std::span<const char> text, std::span<const std::uint64_t> starts) {
  if (starts.empty() || starts.front() != 0 || starts.back() != text.size())
    throw Error("the word list does not cover its text");
  Vocab vocab;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i + 1] < starts[i] || starts[i + 1] > text.size())
      throw Error("word " + std::to_string(i) + " ends before it begins");
    const std::string_view word(text.data() + starts[i], starts[i + 1] - starts[i]);
    if (!is_utf8(word)) throw Error("word " + std::to_string(i) + " is not UTF-8");
    vocab.add(word);
    if (vocab.size() != i + 1) throw Error("word " + std::to_string(i) + " comes twice");
  }
  return vocab;
}

}  // namespace demotic
