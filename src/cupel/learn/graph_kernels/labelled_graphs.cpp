#include "cupel/learn/graph_kernels/labelled_graphs.h"

#include <string>
#include <unordered_map>

namespace cupel {

namespace {

class Numbers {
 public:
  Index of(const std::string& bytes) {
    return numbers_.try_emplace(bytes, static_cast<Index>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, Index> numbers_;
};

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// 0 and -0 are one value, and have different bytes.
void append_values(std::string& bytes, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i] + 0.0f;
    append(bytes, &value, 1);
  }
}

std::vector<Index> distinct_sparse(const Csr& rows) {
  std::vector<Index> out(static_cast<std::size_t>(rows.rows));
  Numbers numbers;
  std::string bytes;
  for (Index i = 0; i < rows.rows; ++i) {
    bytes.clear();
    const auto columns = rows.row_columns(i);
    append(bytes, columns.data(), columns.size());
    if (!rows.is_pattern())
      append_values(bytes, rows.values.data() + rows.row_ptr[i], columns.size());
    out[static_cast<std::size_t>(i)] = numbers.of(bytes);
  }
  return out;
}

}  // namespace

std::vector<Index> distinct_rows(const Matrix& rows) {
  std::vector<Index> out(static_cast<std::size_t>(rows.rows));
  Numbers numbers;
  std::string bytes;
  for (Index i = 0; i < rows.rows; ++i) {
    bytes.clear();
    append_values(bytes, rows.row(i), static_cast<std::size_t>(rows.cols));
    out[static_cast<std::size_t>(i)] = numbers.of(bytes);
  }
  return out;
}

std::vector<Index> distinct_rows(const Features& rows) {
  if (const Csr* sparse = std::get_if<Csr>(&rows)) return distinct_sparse(*sparse);
  return distinct_rows(std::get<Matrix>(rows));
}

}  // namespace cupel
