// numpy arrays over native memory, without copying.
#pragma once

#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

#include "features/weights.hpp"
#include "module.hpp"

using WeightArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using IdArray = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MutableArray = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline std::span<const double> span(const WeightArray& array) {
  return {array.data(), array.size()};
}
inline std::span<double> span(const MutableArray& array) { return {array.data(), array.size()}; }

inline demotic::WeightView view(const WeightArray& weights) {
  return {{weights.data(), weights.size()}};
}

// An array that lies in `owner`.
template <class T>
auto array(std::span<const T> values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, owner);
}
template <class T>
auto array(const std::vector<T>& values, nb::handle owner) {
  return array(std::span<const T>(values), owner);
}

// Moves a vector into memory that the capsule frees.
template <class T>
std::pair<T*, nb::capsule> give_away(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  return {owned->data(), nb::capsule(owned, [](void* pointer) noexcept {
            delete static_cast<std::vector<T>*>(pointer);
          })};
}

template <class T>
auto own_array(std::vector<T> values) {
  const std::size_t size = values.size();
  const auto [data, owner] = give_away(std::move(values));
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner);
}

// The same as a memoryview, for results that need no numpy.
template <class T>
auto own_view(std::vector<T> values) {
  const std::size_t size = values.size();
  const auto [data, owner] = give_away(std::move(values));
  return nb::ndarray<nb::memview, T, nb::ndim<1>>(data, {size}, owner);
}

template <class T>
auto own_matrix(std::vector<T> values, std::size_t rows, std::size_t columns) {
  const auto [data, owner] = give_away(std::move(values));
  return nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {rows, columns}, owner);
}

// Structs of nothing but T as the rows of a matrix.
template <class T, class Row>
auto own_rows(std::vector<Row> values) {
  const std::size_t rows = values.size();
  const auto [data, owner] = give_away(std::move(values));
  return nb::ndarray<nb::numpy, T, nb::ndim<2>>(reinterpret_cast<T*>(data),
                                                {rows, sizeof(Row) / sizeof(T)}, owner);
}
