// The state of the exchange algorithm: class bigram counts, and what they are worth.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "corpus/word_bigrams.hpp"

namespace demotic {

// n log n, from a table for most.
class NLogN {
 public:
  NLogN() : table_(kSize) {
    for (std::uint32_t n = 1; n < kSize; ++n) table_[n] = exact(n);
  }
  double operator()(std::uint32_t n) const { return n < kSize ? table_[n] : exact(n); }

 private:
  static constexpr std::uint32_t kSize = 1 << 16;
  static double exact(std::uint32_t n) {
    return static_cast<double>(n) * std::log(static_cast<double>(n));
  }
  std::vector<double> table_;
};

// How often a word stands beside each class, itself left out.
struct Neighbourhood {
  explicit Neighbourhood(std::size_t classes) : before(classes), after(classes) {}

  std::vector<std::uint32_t> before, after;                  // by class
  std::vector<std::uint32_t> classes_before, classes_after;  // those that are not 0, rising
  std::uint32_t itself = 0;                                  // how often the word follows itself
};

// Class 0 is the sentence boundary, which is a class of its own and stays so. Reading is safe for
// any number of threads.
class ClassBigrams {
 public:
  // `class_of`: from 1 to `classes` for words from 1.
  ClassBigrams(const WordBigrams& words, std::vector<std::uint16_t> class_of, unsigned classes);

  const std::vector<std::uint16_t>& class_of() const { return class_of_; }
  // The part of the log-likelihood that depends on classes: sum of N(g, h) log N(g, h) minus twice
  // the sum of N(g) log N(g).
  double criterion() const;

  // Fills what `around` held before with the neighbours of a word.
  void look_around(std::uint32_t word, Neighbourhood& around) const;
  // What the criterion gains when the word moves to a class.
  double gain(std::uint32_t word, std::uint16_t to, const Neighbourhood& around) const;
  // The class to which it gains most, the lowest of equals, and the gain; its own class if none is
  // better. `room`: scratch space of any content.
  std::pair<std::uint16_t, double> best(std::uint32_t word, const Neighbourhood& around,
                                        std::vector<double>& room) const;
  void move(std::uint32_t word, std::uint16_t to, const Neighbourhood& around);

 private:
  std::uint32_t cell(std::size_t g, std::size_t h) const { return counts_[g * size_ + h]; }
  void add(std::size_t g, std::size_t h, std::uint32_t count, int sign);
  double insertion(std::uint32_t word, std::uint16_t to, const Neighbourhood& around) const;
  void insertions(std::uint32_t word, const Neighbourhood& around, std::vector<double>& sums) const;

  const WordBigrams& words_;
  std::vector<std::uint16_t> class_of_;
  std::size_t size_;                                // classes with the boundary
  std::vector<std::uint32_t> counts_, transposed_;  // N(g, h), by rows and by columns
  std::vector<std::uint32_t> totals_;               // N(g)
  NLogN value_;
};

}  // namespace demotic
