// C++ arrays as NumPy arrays that only read, without copies: whoever owns the memory is kept alive
// by the array.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <utility>
#include <vector>

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

}  // namespace cupel::python
