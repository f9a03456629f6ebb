#include "align/inference.hpp"

#include <algorithm>

#include "align/options.hpp"
#include "base/random.hpp"

namespace demotic {
namespace {

constexpr int kBurnIn = 4;  // sweeps before the first sample

// The state of the chain: Sampler without counts.
class FixedChain {
 public:
  FixedChain(const DirectedSentence& sentence, const DirectionView& parameters)
      : sentence_(sentence),
        parameters_(parameters),
        random_(0),
        links_(sentence.null.size(), kNoLink),
        fertility_(sentence.given.size()),
        next_(links_.size()),
        sums_(sentence.positions.size()) {
    for (std::size_t j = 0; j < links_.size(); ++j) {
      float best = sentence.null[j];
      for (auto k = sentence.starts[j]; k < sentence.starts[j + 1]; ++k)
        if (sentence.words[k] > best) {
          best = sentence.words[k];
          links_[j] = sentence.positions[k];
        }
      if (links_[j] != kNoLink) ++fertility_[links_[j]];
    }
  }

  void sweep(bool counts) {
    int next = static_cast<int>(sentence_.given.size()), previous = -1;
    for (std::size_t j = links_.size(); j-- > 0;) {
      next_[j] = next;
      if (links_[j] != kNoLink) next = links_[j];
    }
    for (std::size_t j = 0; j < links_.size(); ++j) {
      if (links_[j] != kNoLink) --fertility_[links_[j]];
      weigh(j, previous);
      const std::uint32_t begin = sentence_.starts[j];
      const float sum = weights_.back();
      float before = 0;
      for (std::size_t k = 0; counts && k + 1 < weights_.size(); ++k) {
        sums_[begin + k] += (weights_[k] - before) / sum;
        before = weights_[k];
      }
      const auto drawn = static_cast<float>(random_.uniform()) * sum;
      std::size_t choice = 0;
      while (choice + 1 < weights_.size() && weights_[choice] <= drawn) ++choice;
      links_[j] = choice + 1 < weights_.size() ? sentence_.positions[begin + choice] : kNoLink;
      if (links_[j] == kNoLink) continue;
      previous = links_[j];
      ++fertility_[previous];
    }
  }

  const std::vector<float>& sums() const { return sums_; }

 private:
  void weigh(std::size_t j, int previous) {
    const std::uint32_t begin = sentence_.starts[j], size = sentence_.starts[j + 1] - begin;
    const auto jump = [&](int from, int to) { return parameters_.jumps[jump_slot(from, to)]; };
    weights_.resize(size + 1);
    float sum = 0;
    for (std::uint32_t k = 0; k < size; ++k) {
      const int position = sentence_.positions[begin + k];
      const std::size_t row = std::size_t{sentence_.given[position]} * kFertilities;
      weights_[k] = sum += sentence_.words[begin + k] * jump(previous, position) *
                           jump(position, next_[j]) *
                           parameters_.fertility[row + fertility_slot(fertility_[position])];
    }
    weights_[size] = sum + sentence_.null[j] * jump(previous, next_[j]);
  }

  const DirectedSentence& sentence_;
  const DirectionView& parameters_;
  Random random_;  // always the same numbers: the same pair has the same links
  std::vector<std::uint16_t> links_;
  std::vector<int> fertility_, next_;
  std::vector<float> weights_, sums_;
};

}  // namespace

DirectedPosteriors infer(const DirectedSentence& sentence, const DirectionView& parameters,
                         int samples) {
  FixedChain chain(sentence, parameters);
  for (int i = 0; i < kBurnIn + samples; ++i) chain.sweep(i >= kBurnIn);
  DirectedPosteriors posteriors;
  posteriors.starts = sentence.starts;
  posteriors.positions = sentence.positions;
  for (const float sum : chain.sums())
    posteriors.values.push_back(sum / static_cast<float>(samples));
  return posteriors;
}

}  // namespace demotic
