// Non-owning views that kernels work on. Nothing here allocates.
#pragma once

#include "cupel/base/matrix.h"

namespace cupel {

// Row-major; row i starts at data + i * stride (stride >= cols, in floats).
struct DenseView {
  float* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;
  float* row(Index i) const { return data + static_cast<std::size_t>(i) * stride; }
};

struct ConstDenseView {
  const float* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;
  ConstDenseView() = default;
  ConstDenseView(const float* d, Index r, Index c, Index s)
      : data(d), rows(r), cols(c), stride(s) {}
  ConstDenseView(const DenseView& v) : data(v.data), rows(v.rows), cols(v.cols), stride(v.stride) {}
  ConstDenseView(const Matrix& m)
      : data(m.values.data()), rows(m.rows), cols(m.cols), stride(m.cols) {}
  const float* row(Index i) const { return data + static_cast<std::size_t>(i) * stride; }
};

// Compressed rows. Where `values` is null every entry has the value `uniform`.
struct SparseView {
  Index rows = 0, cols = 0;
  const Offset* row_ptr = nullptr;  // rows + 1
  const Index* columns = nullptr;
  const float* values = nullptr;
  float uniform = 1.0f;
  Offset entries() const { return row_ptr[rows]; }
  float value(Offset at) const { return values != nullptr ? values[at] : uniform; }
};

// The matrix itself, not a copy.
inline SparseView view(const Csr& m) {
  return {m.rows,
          m.cols,
          m.row_ptr.data(),
          m.columns.data(),
          m.is_pattern() ? nullptr : m.values.data(),
          1.0f};
}
inline DenseView view(Matrix& m) { return {m.values.data(), m.rows, m.cols, m.cols}; }

}  // namespace cupel
