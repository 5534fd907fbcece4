// C++ arrays as NumPy arrays that only read, without copies: whoever owns the memory is kept alive
// by the array. And arrays of NumPy as the library reads them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/dataset.h"
#include "cupel/data/formats/npy.h"

namespace cupel::python {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, const T, nb::c_contig>;

template <class T, std::size_t N>
Array<T> view(nb::handle owner, const T* data, const std::array<std::size_t, N>& shape) {
  static const T none{};  // an empty vector may have no address
  return Array<T>(data != nullptr ? data : &none, N, shape.data(), owner);
}

template <class Vector>
auto view(nb::handle owner, const Vector& values) {
  return view(owner, values.data(), std::array<std::size_t, 1>{values.size()});
}

// What was made for Python alone: the array owns it.
template <class Vector, std::size_t N>
auto owned(Vector values, const std::array<std::size_t, N>& shape) {
  auto kept = std::make_unique<Vector>(std::move(values));
  nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Vector*>(p); });
  const Vector& there = *kept.release();
  return view(owner, there.data(), shape);
}
template <class Vector>
auto owned(Vector values) {
  const std::array<std::size_t, 1> shape{values.size()};
  return owned(std::move(values), shape);
}

inline Array<float> matrix_view(nb::handle self, const Matrix& matrix) {
  return view(
      self, matrix.values.data(),
      std::array{static_cast<std::size_t>(matrix.rows), static_cast<std::size_t>(matrix.cols)});
}

// (row starts, columns, values or None, rows, columns)
inline nb::tuple csr(nb::handle self, const Csr& matrix) {
  return nb::make_tuple(
      view(self, matrix.row_ptr), view(self, matrix.columns),
      matrix.is_pattern() ? nb::object(nb::none()) : nb::cast(view(self, matrix.values)),
      matrix.rows, matrix.cols);
}

// Features as they are stored: one of these two is None.
inline std::optional<Array<float>> dense_view(nb::handle self, const Features& features) {
  const auto* dense = std::get_if<Matrix>(&features);
  if (dense == nullptr) return std::nullopt;
  return matrix_view(self, *dense);
}
inline nb::object sparse_view(nb::handle self, const Features& features) {
  const auto* sparse = std::get_if<Csr>(&features);
  if (sparse == nullptr) return nb::none();
  return csr(self, *sparse);
}

// Where each arc starts; where it ends stands in the adjacency's columns.
inline Array<Index> arc_sources(const Csr& graph) {
  std::vector<Index> out(static_cast<std::size_t>(graph.entries()));
  for (Index i = 0; i < graph.rows; ++i)
    std::fill(out.begin() + graph.row_ptr[i], out.begin() + graph.row_ptr[i + 1], i);
  return owned(std::move(out));
}

using Bytes = nb::ndarray<const std::uint8_t, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

inline NpyArray npy_of(const AnyArray& array, const char* where) {
  NpyArray out;
  out.where = where;
  const auto code = static_cast<nb::dlpack::dtype_code>(array.dtype().code);
  out.type.kind = code == nb::dlpack::dtype_code::Int    ? 'i'
                  : code == nb::dlpack::dtype_code::UInt ? 'u'
                  : code == nb::dlpack::dtype_code::Bool ? 'b'
                                                         : 'f';
  out.type.bytes = array.dtype().bits / 8u;
  for (std::size_t axis = 0; axis < array.ndim(); ++axis)
    out.shape.push_back(static_cast<std::int64_t>(array.shape(axis)));
  out.bytes.resize(array.nbytes());
  if (!out.bytes.empty()) std::memcpy(out.bytes.data(), array.data(), array.nbytes());
  return out;
}

}  // namespace cupel::python
