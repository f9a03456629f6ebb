#include "evaluate/chrf_metric.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "evaluate/ngram_trie.hpp"

namespace demotic {
namespace {

constexpr double kBeta2 = 4;  // recall counts twice: beta = 2

using Characters = std::vector<std::uint32_t>;
using Row = std::array<std::int32_t, 3 * kChrfOrder>;

// As Python's str.isspace, which sacrebleu removes by.
bool is_space(std::uint32_t code) {
  return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20) || code == 0x85 ||
         code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
         code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

// Appends the characters of a word, numbered from 1 on; bytes that are not UTF-8 count as
// characters behind all others.
void append_characters(std::string_view word, Characters& out) {
  while (!word.empty()) {
    const Character next = first_character(word);
    if (next.bytes == 0)
      out.push_back(0x110000 + static_cast<unsigned char>(word[0]));
    else if (!is_space(next.code))
      out.push_back(next.code + 1);
    word.remove_prefix(std::max<std::size_t>(1, next.bytes));
  }
}

std::int32_t ngrams(const Characters& text, std::size_t n) {
  return text.size() < n ? 0 : static_cast<std::int32_t>(text.size() - n + 1);
}

// The effective order of sacrebleu: the mean is taken over the orders that both sides have.
template <class Count>
double f_score(std::span<const Count> counts) {
  double precision = 0, recall = 0, orders = 0;
  for (std::size_t i = 0; i < counts.size(); i += 3) {
    if (counts[i] <= 0 || counts[i + 1] <= 0) continue;
    precision += static_cast<double>(counts[i + 2]) / static_cast<double>(counts[i]);
    recall += static_cast<double>(counts[i + 2]) / static_cast<double>(counts[i + 1]);
    orders += 1;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return (1 + kBeta2) * precision * recall / (kBeta2 * precision + recall);
}

// Character n-grams of one reference.
class ReferenceCounter {
 public:
  explicit ReferenceCounter(const Characters& text)
      : ngrams_(std::span(&text, 1), kChrfOrder), counts_(ngrams_.size(), 0) {
    for (std::size_t n = 1; n <= kChrfOrder; ++n) totals_[n - 1] = ngrams(text, n);
  }

  Row operator()(const Characters& text) {
    for (const NgramTrie::Node node : counted_) counts_[node] = 0;
    counted_.clear();
    Row row{};
    for (std::size_t n = 1; n <= kChrfOrder; ++n) {
      row[3 * n - 3] = totals_[n - 1] > 0 ? ngrams(text, n) : 0;
      row[3 * n - 2] = totals_[n - 1];
    }
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      NgramTrie::Node node = NgramTrie::kRoot;
      for (std::size_t n = 0; n < std::min(kChrfOrder, text.size() - begin); ++n) {
        node = ngrams_.find(node, text[begin + n]);
        if (node == NgramTrie::kAbsent) break;
        if (counts_[node] == ngrams_.limit(node)) continue;
        ++counts_[node];
        ++row[3 * n + 2];
        counted_.push_back(node);
      }
    }
    return row;
  }

 private:
  NgramTrie ngrams_;
  std::array<std::int32_t, kChrfOrder> totals_{};
  std::vector<std::int32_t>
      counts_;  // of the last hypothesis; 0 for n-grams that are not in counted_
  std::vector<NgramTrie::Node> counted_;
};

class ChrfCounter : public StatisticsCounter {
 public:
  explicit ChrfCounter(const References& references) {
    const std::vector<std::string_view> texts = references.texts();
    for (const auto& sentence : references.sentences()) {
      characters_.clear();
      for (const std::uint32_t word : sentence) append_characters(texts[word], characters_);
      references_.emplace_back(characters_);
    }
  }

  void append(const HypothesisWords& words, std::vector<std::int32_t>& out) override {
    characters_.clear();
    for (const std::string_view word : words.texts) append_characters(word, characters_);
    Row best{};
    double best_score = -1;
    for (ReferenceCounter& reference : references_) {
      const Row row = reference(characters_);
      // In percent, as sacrebleu compares: rounding decides between references that are as good.
      const double score = 100 * f_score(std::span<const std::int32_t>(row));
      if (score > best_score) {
        best_score = score;
        best = row;
      }
    }
    out.insert(out.end(), best.begin(), best.end());
  }

 private:
  std::vector<ReferenceCounter> references_;
  Characters characters_;
};

}  // namespace

double ChrfMetric::score(std::span<const std::int64_t> sums) const { return f_score(sums); }

std::unique_ptr<StatisticsCounter> ChrfMetric::counter(const References& references) const {
  return std::make_unique<ChrfCounter>(references);
}

}  // namespace demotic
