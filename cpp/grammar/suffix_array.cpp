// Induced sorting (Nong, Zhang and Chan 2009). A suffix is S-type if it is smaller than the one
// that begins a token later, else L-type; an S-type suffix after an L-type one is LMS ("leftmost
// S"). Once the LMS suffixes are in order, two sweeps over the buckets (suffixes with the same
// first token) put all others in theirs. The order of the LMS suffixes comes from naming the
// substrings between them and sorting the text of names, at most half as long, in the same way.
#include "grammar/suffix_array.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace demotic {
namespace {

using Position = std::uint32_t;
constexpr Position kNone = std::numeric_limits<Position>::max();

class InducedSort {
 public:
  InducedSort(std::span<const std::uint32_t> text, std::uint32_t alphabet,
              std::span<Position> suffixes)
      : text_(text),
        suffixes_(suffixes),
        smaller_(text.size()),
        sizes_(alphabet, 0),
        cursor_(alphabet) {
    for (std::size_t i = text.size() - 1; i-- > 0;)
      smaller_[i] = text[i] == text[i + 1] ? smaller_[i + 1] : text[i] < text[i + 1];
    for (const auto token : text) ++sizes_[token];
    for (Position i = 1; i < text.size(); ++i)
      if (is_leftmost(i)) leftmost_.push_back(i);
  }

  void run() {
    induce(leftmost_);  // LMS substrings come out in order
    sort_leftmost();
    induce(leftmost_);  // LMS suffixes are in order now, so all suffixes come out in order
  }

 private:
  bool is_leftmost(Position i) const { return i > 0 && smaller_[i] && !smaller_[i - 1]; }

  void cursors_to_bucket_starts() {
    Position sum = 0;
    for (std::size_t c = 0; c < sizes_.size(); ++c) {
      cursor_[c] = sum;
      sum += sizes_[c];
    }
  }

  void cursors_to_bucket_ends() {
    Position sum = 0;
    for (std::size_t c = 0; c < sizes_.size(); ++c) cursor_[c] = sum += sizes_[c];
  }

  // Places the LMS suffixes at the ends of their buckets in the order given, then the L-type ones
  // left to right, then all S-type ones right to left.
  void induce(const std::vector<Position>& leftmost) {
    std::fill(suffixes_.begin(), suffixes_.end(), kNone);
    cursors_to_bucket_ends();
    for (std::size_t k = leftmost.size(); k-- > 0;)
      suffixes_[--cursor_[text_[leftmost[k]]]] = leftmost[k];

    cursors_to_bucket_starts();
    const auto last = static_cast<Position>(text_.size() - 1);
    suffixes_[cursor_[text_[last]]++] =
        last;  // its successor, the end of the text, is smaller than everything
    for (std::size_t i = 0; i < suffixes_.size(); ++i) {
      const Position j = suffixes_[i];
      if (j != kNone && j > 0 && !smaller_[j - 1]) suffixes_[cursor_[text_[j - 1]]++] = j - 1;
    }

    cursors_to_bucket_ends();
    for (std::size_t i = suffixes_.size(); i-- > 0;) {
      const Position j = suffixes_[i];
      if (j != kNone && j > 0 && smaller_[j - 1]) suffixes_[--cursor_[text_[j - 1]]] = j - 1;
    }
  }

  // An LMS substring reaches to the next LMS position, inclusive.
  bool equal_substrings(Position a, Position b) const {
    for (Position k = 0;; ++k) {
      if (a + k >= text_.size() || b + k >= text_.size()) return false;
      if (text_[a + k] != text_[b + k] || smaller_[a + k] != smaller_[b + k]) return false;
      if (k > 0 && (is_leftmost(a + k) || is_leftmost(b + k)))
        return is_leftmost(a + k) && is_leftmost(b + k);
    }
  }

  void sort_leftmost() {
    if (leftmost_.size() < 2) return;
    // Names by order of the substrings, kept at position/2: two LMS positions are never neighbours.
    std::vector<Position> names(text_.size() / 2 + 1, kNone);
    Position name = 0, previous = kNone;
    for (const Position i : suffixes_) {
      if (!is_leftmost(i)) continue;
      if (previous != kNone && !equal_substrings(previous, i)) ++name;
      names[i / 2] = name;
      previous = i;
    }
    std::vector<std::uint32_t> reduced;
    reduced.reserve(leftmost_.size());
    for (const Position i : leftmost_) reduced.push_back(names[i / 2]);
    names = {};

    const auto order = suffix_array(reduced, name + 1);
    std::vector<Position> sorted(leftmost_.size());
    for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = leftmost_[order[k]];
    leftmost_ = std::move(sorted);
  }

  std::span<const std::uint32_t> text_;
  std::span<Position> suffixes_;
  std::vector<bool> smaller_;  // S-type
  std::vector<Position> sizes_, cursor_;
  std::vector<Position> leftmost_;
};

}  // namespace

std::vector<std::uint32_t> suffix_array(std::span<const std::uint32_t> text,
                                        std::uint32_t alphabet) {
  if (text.size() >= std::numeric_limits<std::int32_t>::max())
    throw Error("a text of 2 billion tokens or more cannot be indexed", "divide the corpus");
  std::vector<Position> suffixes(text.size());
  if (!text.empty()) InducedSort(text, alphabet, suffixes).run();
  return suffixes;
}

}  // namespace demotic
