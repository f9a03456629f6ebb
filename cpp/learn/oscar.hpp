// The proximal operator of OSCAR: group optimisation, algorithm 3 of Liu, Zhao, Watanabe and Sumita
// (2013).
//
// The OSCAR norm (Bondell and Reich 2008) is  lambda1 sum_i |w_i| + lambda2 sum_{i<j} max(|w_i|,
// |w_j|)  over d weights. Its second part makes weights equal in magnitude, so that equal ones form
// groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace demotic {

struct OscarPenalty {
  double lambda1 = 0, lambda2 = 0;
  std::uint64_t dimension = 0;  // d: all weights, also those that are 0

  void check() const;  // throws Error
};

class OscarProx {
 public:
  explicit OscarProx(OscarPenalty penalty);

  // Replaces w by the minimum of  1/2 ||x - w||^2 + step OSCAR(x)  over x, which is what equation 3
  // asks for with a = 2w and t = 1 / step. Weights that stay equal in magnitude are equal to the
  // last bit. By lemma 1 weights at 0 stay there, so only the others need to be given: O(u log u)
  // for u of them, whatever d is. Throws Error where w is not finite or u > d.
  void operator()(std::span<double> weights, double step);

  const OscarPenalty& penalty() const { return penalty_; }

 private:
  struct Magnitude {
    double value;
    std::uint32_t place;
  };
  struct Group {
    double sum;                // of magnitude - penalty over its members
    std::uint32_t begin, end;  // among the sorted magnitudes
    double value() const { return sum / (end - begin); }
  };

  OscarPenalty penalty_;
  std::vector<Magnitude> sorted_;  // kept between calls for their memory
  std::vector<Group> stack_;
};

}  // namespace demotic
