// numpy arrays over native memory.
#pragma once

#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

#include "features/weights.hpp"
#include "module.hpp"

using WeightArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline demotic::WeightView view(const WeightArray& weights) { return {{weights.data(), weights.size()}}; }

// An array that lies in `owner`.
template <class T>
auto array(std::span<const T> values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, owner);
}
template <class T>
auto array(const std::vector<T>& values, nb::handle owner) {
  return array(std::span<const T>(values), owner);
}

// An array that keeps its memory alive by itself.
template <class T>
auto own_array(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner);
}
