#include "corpus/class_bigrams.hpp"

#include <algorithm>

namespace demotic {

ClassBigrams::ClassBigrams(const WordBigrams& words, std::vector<std::uint16_t> class_of,
                           unsigned classes)
    : words_(words),
      class_of_(std::move(class_of)),
      size_(classes + 1),
      counts_(size_ * size_),
      transposed_(size_ * size_),
      totals_(size_) {
  for (std::uint32_t word = 0; word < words.words(); ++word) {
    totals_[class_of_[word]] += words.count(word);
    for (const WordCount& next : words.successors(word))
      add(class_of_[word], class_of_[next.word], next.count, 1);
  }
}

void ClassBigrams::add(std::size_t g, std::size_t h, std::uint32_t count, int sign) {
  const std::uint32_t change = sign > 0 ? count : 0 - count;  // modulo 2^32
  counts_[g * size_ + h] += change;
  transposed_[h * size_ + g] += change;
}

double ClassBigrams::criterion() const {
  double sum = 0;
  for (const std::uint32_t count : counts_) sum += value_(count);
  for (const std::uint32_t total : totals_) sum -= 2 * value_(total);
  return sum;
}

void ClassBigrams::look_around(std::uint32_t word, Neighbourhood& around) const {
  around.itself = 0;
  const auto fill = [&](std::span<const WordCount> neighbours, std::vector<std::uint32_t>& counts,
                        std::vector<std::uint32_t>& classes) {
    for (const std::uint32_t known : classes) counts[known] = 0;
    classes.clear();
    for (const WordCount& each : neighbours) {
      if (each.word == word) {
        around.itself = each.count;
        continue;
      }
      std::uint32_t& count = counts[class_of_[each.word]];
      if (count == 0) classes.push_back(class_of_[each.word]);
      count += each.count;
    }
    // So that sums do not depend on the ids of words.
    std::ranges::sort(classes);
  };
  fill(words_.predecessors(word), around.before, around.classes_before);
  fill(words_.successors(word), around.after, around.classes_after);
}

// What the criterion gains when a word joins a class, seen from a state in which it is in none. The
// counts are those of a state in which it is in class `from`, so what it adds there is taken off.
double ClassBigrams::insertion(std::uint32_t word, std::uint16_t to,
                               const Neighbourhood& around) const {
  const std::size_t from = class_of_[word];
  const auto without = [&](std::size_t g, std::size_t h) {
    std::uint32_t count = cell(g, h);
    if (h == from) count -= around.before[g];
    if (g == from) count -= around.after[h];
    if (g == from && h == from) count -= around.itself;
    return count;
  };
  const auto rise = [&](std::uint32_t count, std::uint32_t more) {
    return value_(count + more) - value_(count);
  };
  double sum = 0;
  for (const std::uint32_t g : around.classes_before)
    if (g != to) sum += rise(without(g, to), around.before[g]);
  for (const std::uint32_t h : around.classes_after)
    if (h != to) sum += rise(without(to, h), around.after[h]);
  sum += rise(without(to, to), around.before[to] + around.after[to] + around.itself);
  const std::uint32_t count = words_.count(word);
  return sum - 2 * rise(totals_[to] - (to == from ? count : 0), count);
}

double ClassBigrams::gain(std::uint32_t word, std::uint16_t to, const Neighbourhood& around) const {
  return insertion(word, to, around) - insertion(word, class_of_[word], around);
}

// The same for all classes but the word's own, row by row so that memory is read in order. The sums
// are rounded as those of `insertion` are, up to the order of their terms.
void ClassBigrams::insertions(std::uint32_t word, const Neighbourhood& around,
                              std::vector<double>& sums) const {
  const std::size_t from = class_of_[word];
  const std::uint32_t count = words_.count(word);
  sums.resize(size_);
  for (std::size_t to = 1; to < size_; ++to)
    sums[to] = -2 * (value_(totals_[to] + count) - value_(totals_[to]));
  // A class in which the word stood loses what the word added to the counts of `opposite`.
  const auto add_rows = [&](const std::vector<std::uint32_t>& classes,
                            const std::vector<std::uint32_t>& near, const std::uint32_t* table,
                            const std::vector<std::uint32_t>& opposite) {
    for (const std::uint32_t g : classes) {
      const std::uint32_t more = near[g];
      const std::uint32_t* const row = table + g * size_;
      const auto range = [&](std::size_t begin, std::size_t end) {
        if (g == from)
          for (std::size_t to = begin; to < end; ++to)
            sums[to] += value_(row[to] - opposite[to] + more) - value_(row[to] - opposite[to]);
        else
          for (std::size_t to = begin; to < end; ++to)
            sums[to] += value_(row[to] + more) - value_(row[to]);
      };
      range(1, g);  // the class itself is a matter of both sides
      range(g + 1, size_);
    }
  };
  sums[from] = 0;  // what the loops add here is of no use
  add_rows(around.classes_before, around.before, counts_.data(), around.after);
  add_rows(around.classes_after, around.after, transposed_.data(), around.before);
  for (std::size_t to = 1; to < size_; ++to) {
    const std::uint32_t more = around.before[to] + around.after[to] + around.itself;
    if (more > 0) sums[to] += value_(cell(to, to) + more) - value_(cell(to, to));
  }
}

std::pair<std::uint16_t, double> ClassBigrams::best(std::uint32_t word, const Neighbourhood& around,
                                                    std::vector<double>& room) const {
  insertions(word, around, room);
  const std::uint16_t from = class_of_[word];
  const double now = room[from] = insertion(word, from, around);
  std::uint16_t best = from;
  for (std::uint16_t to = 1; to < size_; ++to)
    if (room[to] > room[best]) best = to;
  return {best, room[best] - now};
}

void ClassBigrams::move(std::uint32_t word, std::uint16_t to, const Neighbourhood& around) {
  const std::uint16_t from = class_of_[word];
  const auto change = [&](std::uint16_t where, int sign) {
    for (const std::uint32_t g : around.classes_before) add(g, where, around.before[g], sign);
    for (const std::uint32_t h : around.classes_after) add(where, h, around.after[h], sign);
    add(where, where, around.itself, sign);
  };
  change(from, -1);
  change(to, 1);
  totals_[from] -= words_.count(word);
  totals_[to] += words_.count(word);
  class_of_[word] = to;
}

}  // namespace demotic
