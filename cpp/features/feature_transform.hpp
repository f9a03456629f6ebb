// The feature transform Phi of Clark, Dyer and Lavie (2014): a real-valued feature of a rule
// becomes an indicator of the bin that its value falls into (their equation 4), or of that bin and
// its neighbours (equation 8). Local: applied to each rule, before anything is summed up, so that
// the decoder's model stays linear.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features/name_hash.hpp"
#include "grammar/feature_set.hpp"
#include "grammar/grammar.hpp"

namespace demotic {

// How many words a rule writes: the word penalty in other units, and the only input that is neither
// a column of the grammar nor a feature that extraction knows.
constexpr std::string_view kWordCount = "WordCount";

// Values of named inputs for the rules of one grammar. An input is a column of the grammar or,
// where it has none of that name, a feature of any dense set (feature_set.hpp), computed from the
// statistics of the rule.
class InputReader {
 public:
  // Throws Error for an input that the grammar cannot give.
  InputReader(const Grammar& grammar, std::span<const std::string> inputs);

  std::size_t inputs() const { return sources_.size(); }
  float value(std::size_t input, const RuleBlock& block, const SourceSide& side,
              std::uint32_t rule) const;

 private:
  struct Source {
    std::int64_t column;     // of the grammar; -1: none
    const Feature* feature;  // null, too: the word count
  };
  std::vector<Source> sources_;
  std::size_t width_;  // columns of the grammar
};

// All values, a row per rule in the order of the grammar.
std::vector<float> input_values(const Grammar& grammar, std::span<const std::string> inputs);

// What becomes of one input.
struct TransformedFeature {
  std::string input;
  std::vector<double>
      boundaries;  // between bins, rising; a value on a boundary belongs to the lower bin
  std::vector<std::string>
      names;  // of the bins, one more than boundaries; a single name: the feature stays real-valued

  bool is_real() const { return names.size() == 1; }
  // Values beyond the ends are nearest to the first or the last bin.
  std::size_t bin_of(double value) const;
};

class FeatureTransform {
 public:
  // `overlap`: the neighbours of the bin fire as well.
  FeatureTransform(std::vector<TransformedFeature> features, bool overlap);
  FeatureTransform(const FeatureTransform&) = delete;  // it points into itself
  FeatureTransform& operator=(const FeatureTransform&) = delete;

  std::span<const TransformedFeature> features() const { return features_; }
  std::span<const std::string> inputs() const { return inputs_; }
  // All names in one numbering, those of a feature one after the other.
  std::size_t outputs() const { return names_.size(); }
  const std::string& name(std::size_t output) const { return *names_[output]; }
  const Fingerprint& print(std::size_t output) const { return prints_[output]; }

  // Calls fire(output, value) for what an input's value turns into. Throws Error for a value that
  // is not a number.
  template <class Fire>
  void apply(std::size_t input, float value, Fire fire) const {
    const TransformedFeature& feature = features_[input];
    check(feature, value);
    if (feature.is_real()) {
      if (value != 0) fire(first_output_[input], value);
      return;
    }
    const std::size_t bin = feature.bin_of(value);
    const std::size_t begin = overlap_ && bin > 0 ? bin - 1 : bin;
    const std::size_t end = overlap_ && bin + 1 < feature.names.size() ? bin + 2 : bin + 1;
    for (std::size_t b = begin; b < end; ++b) fire(first_output_[input] + b, 1.0f);
  }

 private:
  static void check(const TransformedFeature& feature, float value);

  std::vector<TransformedFeature> features_;
  std::vector<std::string> inputs_;
  bool overlap_;
  std::vector<std::size_t> first_output_;  // per input
  std::vector<const std::string*> names_;  // per output
  std::vector<Fingerprint> prints_;        // per output
};

}  // namespace demotic
