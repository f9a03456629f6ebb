#include "learn/simplex_qp.hpp"

#include <algorithm>
#include <cmath>

namespace demotic {
namespace {
constexpr double kOptimality = 1e-12;  // of the optimality conditions, relative to the gains
constexpr int kStepsPerVariable = 10'000;
}  // namespace

// At the optimum all variables above 0 have the same gradient, and no other one a larger gradient.
// So the pair that is furthest from this exchanges mass until the gradients of the two meet or one
// of them is used up.
void solve_simplex_qp(std::span<const double> gains, std::span<const double> kernel,
                      std::span<double> alpha) {
  const std::size_t size = gains.size();
  std::vector<double> gradient(gains.begin(), gains.end());
  double scale = 1e-300;
  for (std::size_t i = 0; i < size; ++i) {
    scale = std::max(scale, std::abs(gains[i]));
    for (std::size_t j = 0; j < size; ++j) gradient[i] -= kernel[i * size + j] * alpha[j];
  }
  for (std::size_t step = 0; step < kStepsPerVariable * size; ++step) {
    std::size_t up = 0, down = size;
    for (std::size_t i = 0; i < size; ++i) {
      if (gradient[i] > gradient[up]) up = i;
      if (alpha[i] > 0 && (down == size || gradient[i] < gradient[down])) down = i;
    }
    const double difference = down == size ? 0 : gradient[up] - gradient[down];
    if (!(difference > kOptimality * scale)) return;
    const double curvature =
        kernel[up * size + up] + kernel[down * size + down] - 2 * kernel[up * size + down];
    const double moved =
        curvature > 0 ? std::min(alpha[down], difference / curvature) : alpha[down];
    alpha[up] += moved;
    alpha[down] -= moved;
    for (std::size_t i = 0; i < size; ++i)
      gradient[i] -= moved * (kernel[i * size + up] - kernel[i * size + down]);
  }
}

}  // namespace demotic
