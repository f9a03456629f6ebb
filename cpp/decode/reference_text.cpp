#include "decode/reference_text.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace demotic {
namespace {
constexpr Symbol kNoSymbol = std::numeric_limits<Symbol>::max();
}

ReferenceText::ReferenceText(const std::vector<std::string>& words, const Vocab& vocab,
                             const TargetModels& models)
    : words_(words), models_(models), pieces_(models.size() * (words.size() + 1)) {
  if (words.size() > kMaxDecodeWords)
    throw Error("the reference has " + std::to_string(words.size()) + " words; the limit is " +
                    std::to_string(kMaxDecodeWords),
                "split it");
  for (std::uint32_t i = 0; i < size(); ++i) {
    const auto known = vocab.find(words[i]);
    symbols_.push_back(known ? static_cast<Symbol>(*known) : kNoSymbol);
    if (known) positions_[symbols_.back()].push_back(i);
  }
  for (const TargetModel& model : models)
    for (const std::string& word : words) tokens_.push_back(model.token(word));
}

std::span<const std::uint32_t> ReferenceText::positions(Symbol word) const {
  const auto found = positions_.find(word);
  return found == positions_.end() ? std::span<const std::uint32_t>() : found->second;
}

bool ReferenceText::admits(std::span<const Symbol> target) const {
  for (auto begin = target.begin(); begin != target.end();) {
    const auto end = std::find_if(begin, target.end(), [](Symbol symbol) { return symbol < 0; });
    if (begin != end && !occurs({begin, end})) return false;
    begin = end == target.end() ? end : end + 1;
  }
  return true;
}

bool ReferenceText::occurs(std::span<const Symbol> run) const {
  return std::ranges::any_of(positions(run.front()), [&](std::uint32_t at) {
    return at + run.size() <= symbols_.size() &&
           std::equal(run.begin(), run.end(), symbols_.begin() + at);
  });
}

const ReferenceText::Piece& ReferenceText::piece(std::size_t model, std::uint32_t begin,
                                                 std::uint32_t end) {
  auto& row = pieces_[model * (words_.size() + 1) + begin];
  if (row.empty()) row.emplace_back();
  while (row.size() <= end - begin) {
    Piece next = row.back();
    const WordId token = tokens_[model * words_.size() + begin + row.size() - 1];
    next.lm += models_[model].lm->append(next.state, token);
    row.push_back(next);
  }
  return row[end - begin];
}

}  // namespace demotic
