#include "cupel/engine/program/bound_constants.h"

namespace cupel {

int BoundConstants::slot_of(int reader, int k) const {
  return program_.nodes[program_.nodes[reader].inputs[k]].slot;
}

// Columns of a constant that name rows of other inputs are renumbered to the rows these have;
// and what a gradient that flows through them reads of its transpose.
std::pair<const RowSet*, Turned> BoundConstants::columns_of(int reader, int k) const {
  const Node& node = program_.nodes[reader];
  std::pair<const RowSet*, Turned> out = {nullptr, Turned::kNone};
  for (std::size_t i = 1; k == 0 && i < node.inputs.size(); ++i) {
    if (node.op->reads(static_cast<int>(i)) != Reads::kColumnRows) continue;
    out = {sets_.read(reader, static_cast<int>(i)),
           flows_[reader] ? node.op->turned() : Turned::kNone};
  }
  return out;
}

Operand BoundConstants::operand(int reader, int k) {
  const int slot = slot_of(reader, k);
  const ConstantMatrix& matrix = constants_[slot];
  const RowSet* rows = sets_.read(reader, k);
  Operand operand;
  operand.rows = rows;
  if (matrix.dense != nullptr && rows == nullptr) {  // static; read only
    operand.value = {const_cast<float*>(matrix.dense->values.data()), matrix.dense->rows,
                     matrix.dense->cols, matrix.dense->cols};
    return operand;
  }
  if (matrix.dense != nullptr) {
    auto& made = dense_[{slot, rows}];
    if (made == nullptr) made = std::make_unique<Matrix>(cut(*matrix.dense, *rows));
    operand.value = {made->values.data(), made->rows, made->cols, made->cols};
    return operand;
  }
  const auto [columns, turned] = columns_of(reader, k);
  auto& made = sparse_[{slot, rows, columns}];
  if (made == nullptr)
    made = std::make_unique<BoundSparse>(cut(*matrix.sparse, *rows, columns, turned));
  else if (made->turned < turned)
    add_transpose(*made, turned);
  operand.sparse = &made->view;
  operand.bound = made.get();
  operand.value = {nullptr, made->view.rows, made->view.cols, made->view.cols};
  return operand;
}

OperandSize BoundConstants::size(int reader, int k) const {
  const ConstantMatrix& matrix = constants_[slot_of(reader, k)];
  OperandSize size;
  size.set = sets_.read(reader, k);
  if (matrix.dense != nullptr) {
    size.rows = size.set != nullptr ? size.set->size() : matrix.dense->rows;
    size.cols = matrix.dense->cols;
    return size;
  }
  const RowSet* columns = columns_of(reader, k).first;
  size.rows = static_cast<Index>(size.set->groups.size());
  size.cols = columns != nullptr ? static_cast<Index>(columns->groups.size()) : matrix.sparse->cols;
  size.entries = entries_in(*matrix.sparse, *size.set);
  size.valued = !matrix.sparse->is_pattern();
  return size;
}

std::size_t BoundConstants::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [key, bound] : sparse_)
    bytes += bytes_of(bound->matrix) + bytes_of(bound->transposed) +
             bound->entry.size() * sizeof(Offset);
  for (const auto& [key, matrix] : dense_) bytes += matrix->values.size() * sizeof(float);
  return bytes;
}

std::size_t BoundConstants::planned_bytes(const std::vector<std::pair<int, int>>& read) const {
  std::map<std::tuple<int, const RowSet*, const RowSet*>, Turned> cuts;
  std::map<std::pair<int, const RowSet*>, std::size_t> dense;
  for (const auto& [reader, k] : read) {
    const int slot = slot_of(reader, k);
    const ConstantMatrix& matrix = constants_[slot];
    const RowSet* rows = sets_.read(reader, k);
    if (rows == nullptr) continue;
    if (matrix.dense != nullptr) {
      dense[{slot, rows}] = sizeof(float) * rows->ids.size() * matrix.dense->cols;
      continue;
    }
    const auto [columns, turned] = columns_of(reader, k);
    Turned& most = cuts.try_emplace({slot, rows, columns}, turned).first->second;
    most = std::max(most, turned);
  }
  std::size_t bytes = 0;
  for (const auto& [key, size] : dense) bytes += size;
  for (const auto& [key, turned] : cuts) {
    const auto [slot, rows, columns] = key;
    const Csr& matrix = *constants_[slot].sparse;
    bytes +=
        bytes_of_cut(matrix, *rows, columns) + bytes_of_transpose(matrix, *rows, columns, turned);
  }
  return bytes;
}

}  // namespace cupel
