#include "learn/soft_ramp.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/softmax.hpp"

namespace demotic {

LossGradient soft_ramp3(const KBestList& list, std::span<const double> scores,
                        std::span<const double> costs) {
  const std::size_t size = list.size();
  if (scores.size() != size || costs.size() != size)
    throw Error("the soft ramp loss needs a model score and a cost for each of " +
                std::to_string(size) + " hypotheses");
  LossGradient result;
  if (size == 0) return result;
  std::vector<double> hope(size), fear(size);
  for (std::size_t i = 0; i < size; ++i) {
    hope[i] = scores[i] - costs[i];
    fear[i] = scores[i] + costs[i];
  }
  const double hopes = softmax(hope);
  result.loss = softmax(fear) - hopes;
  if (!std::isfinite(result.loss)) return result;
  for (std::size_t i = 0; i < size; ++i) fear[i] -= hope[i];
  result.gradient = combine_rows(list, fear);
  return result;
}

}  // namespace demotic
