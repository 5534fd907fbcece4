#include "cupel/learn/train/graph_batch.h"

#include <algorithm>

#include "cupel/engine/program/op.h"

namespace cupel {

GraphBatch::GraphBatch(const Program& program, std::vector<ConstantMatrix> constants,
                       const std::vector<Index>& start)
    : whole_(std::move(constants)), taken_(whole_), start_(start), parts_(whole_.size()) {
  for (const Node& node : program.nodes) {
    if (node.kind == Node::Kind::kConstant && node.shape.space != kStaticSpace) {
      Part& part = parts_[node.slot];
      const Space& space = program.spaces[node.shape.space];
      if (space.entries_of >= 0) {
        part.rows = Rows::kArcs;
        part.pattern = whole_[program.nodes[space.entries_of].slot].sparse;
      } else {
        part.rows = space.name == "graph" ? Rows::kGraphs : Rows::kNodes;
      }
      if (whole_[node.slot].sparse != nullptr) {
        part.sparse = std::make_unique<Csr>();
        taken_[node.slot] = {part.sparse.get(), nullptr};
      } else {
        part.dense = std::make_unique<Matrix>();
        taken_[node.slot] = {nullptr, part.dense.get()};
      }
    }
    if (node.kind != Node::Kind::kOp) continue;
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
      if (node.op->reads(static_cast<int>(i)) == Reads::kColumnRows)
        parts_[program.nodes[node.inputs[0]].slot].names_nodes = true;
  }
}

std::pair<Offset, Offset> GraphBatch::range(const Part& part, Index g) const {
  if (part.rows == Rows::kGraphs) return {g, g + 1};
  if (part.rows == Rows::kNodes) return {start_[g], start_[g + 1]};
  return {part.pattern->row_ptr[start_[g]], part.pattern->row_ptr[start_[g + 1]]};
}

void GraphBatch::take(std::span<const Index> graphs) {
  for (std::size_t slot = 0; slot < parts_.size(); ++slot) {
    if (parts_[slot].sparse != nullptr) take_sparse(*whole_[slot].sparse, parts_[slot], graphs);
    if (parts_[slot].dense != nullptr) take_dense(*whole_[slot].dense, parts_[slot], graphs);
  }
}

void GraphBatch::take_sparse(const Csr& whole, Part& part, std::span<const Index> graphs) const {
  Csr& out = *part.sparse;
  out.row_ptr.assign(1, 0);
  out.columns.clear();
  out.values.clear();
  Index nodes = 0;
  for (const Index g : graphs) {
    const auto [first, end] = range(part, g);
    const Offset begin = whole.row_ptr[first], stop = whole.row_ptr[end];
    const Offset moved = out.row_ptr.back() - begin;
    for (Offset r = first; r < end; ++r) out.row_ptr.push_back(whole.row_ptr[r + 1] + moved);
    const Index shift = part.names_nodes ? nodes - start_[g] : 0;
    for (Offset e = begin; e < stop; ++e) out.columns.push_back(whole.columns[e] + shift);
    if (!whole.values.empty())
      out.values.insert(out.values.end(), whole.values.begin() + begin,
                        whole.values.begin() + stop);
    nodes += start_[g + 1] - start_[g];
  }
  out.rows = static_cast<Index>(out.row_ptr.size()) - 1;
  out.cols = part.names_nodes ? nodes : whole.cols;
}

void GraphBatch::take_dense(const Matrix& whole, Part& part, std::span<const Index> graphs) const {
  Matrix& out = *part.dense;
  out.values.clear();
  for (const Index g : graphs) {
    const auto [first, end] = range(part, g);
    out.values.insert(out.values.end(), whole.values.begin() + first * whole.cols,
                      whole.values.begin() + end * whole.cols);
  }
  out.cols = whole.cols;
  Offset rows = 0;
  for (const Index g : graphs) rows += range(part, g).second - range(part, g).first;
  out.rows = static_cast<Index>(rows);
}

}  // namespace cupel
