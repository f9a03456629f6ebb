// The quadratic programme behind MIRA's update, by sequential minimal optimisation (Platt 1998).
#pragma once

#include <span>
#include <vector>

namespace demotic {

// The alpha >= 0 with sum C that maximise  gains . alpha - alpha' K alpha / 2,  for a positive
// semidefinite K (row by row). `alpha` is where the search starts, and must be feasible.
void solve_simplex_qp(std::span<const double> gains, std::span<const double> kernel,
                      std::span<double> alpha);

}  // namespace demotic
