#include "cupel/data/audit/row_numbers.h"

#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace cupel {
namespace {

// Numbers of byte strings in order of appearance.
class Numbering {
 public:
  void add(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0f : value);
    key_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  Index next() {
    const auto [at, is_new] = numbers_.try_emplace(key_, static_cast<Index>(numbers_.size()));
    key_.clear();
    return at->second;
  }

 private:
  std::string key_;
  std::unordered_map<std::string, Index> numbers_;
};

void add_row(const Csr& m, Index i, Numbering& numbering) {
  for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
    if (m.value(at) == 0) continue;
    numbering.add(static_cast<float>(m.columns[static_cast<std::size_t>(at)]));
    numbering.add(m.value(at));
  }
}
void add_row(const Matrix& m, Index i, Numbering& numbering) {
  for (Index c = 0; c < m.cols; ++c) numbering.add(m(i, c));
}

}  // namespace

std::vector<Index> number_rows(const Matrix& matrix) {
  Numbering numbering;
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(matrix.rows));
  for (Index i = 0; i < matrix.rows; ++i) {
    add_row(matrix, i, numbering);
    out.push_back(numbering.next());
  }
  return out;
}

std::vector<Index> number_nodes(const Dataset& data, bool by_features, bool by_attributes) {
  std::vector<Index> out(static_cast<std::size_t>(data.nodes()), 0);
  const bool features = by_features && feature_count(data.features) > 0;
  const bool attributes = by_attributes && data.graphs->node_attributes.cols > 0;
  if (!features && !attributes) return out;
  Numbering numbering;
  for (Index i = 0; i < data.nodes(); ++i) {
    // Attributes first: they are as many for each node, so that no two rows run into one another.
    if (attributes) add_row(data.graphs->node_attributes, i, numbering);
    if (features) std::visit([&](const auto& m) { add_row(m, i, numbering); }, data.features);
    out[static_cast<std::size_t>(i)] = numbering.next();
  }
  return out;
}

}  // namespace cupel
