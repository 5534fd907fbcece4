#include "cupel/learn/train/graph_batch.h"

#include <algorithm>
#include <numeric>

#include "cupel/base/shuffle.h"
#include "cupel/engine/program/op.h"

namespace cupel {

GraphBatch::GraphBatch(const Program& program, const GraphInputs& inputs, const EqualRows& equal,
                       const std::vector<Index>& start)
    : whole_(inputs.constants()),
      taken_(whole_),
      equal_(equal),
      start_(start),
      parts_(whole_.size()),
      classes_(equal.partitions.size()) {
  const auto extent_of = [&](SpaceId id) -> Extent {
    const Space& space = program.spaces[id];
    if (space.entries_of >= 0)
      return {Rows::kArcs, whole_[program.nodes[space.entries_of].slot].sparse};
    return {inputs.unit_of(id) == Unit::kGraph ? Rows::kGraphs : Rows::kNodes};
  };
  for (const EqualRows::Used& partition : equal.partitions)
    partitions_.push_back(extent_of(partition.space));
  for (const Node& node : program.nodes) {
    if (node.kind == Node::Kind::kConstant && node.shape.space != kStaticSpace) {
      Part& part = parts_[node.slot];
      part.extent = extent_of(node.shape.space);
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

std::pair<Offset, Offset> GraphBatch::range(const Extent& extent, Index g) const {
  if (extent.rows == Rows::kGraphs) return {g, g + 1};
  if (extent.rows == Rows::kNodes) return {start_[g], start_[g + 1]};
  return {extent.pattern->row_ptr[start_[g]], extent.pattern->row_ptr[start_[g + 1]]};
}

void GraphBatch::take(std::span<const Index> graphs) {
  for (std::size_t slot = 0; slot < parts_.size(); ++slot) {
    if (parts_[slot].sparse != nullptr) take_sparse(*whole_[slot].sparse, parts_[slot], graphs);
    if (parts_[slot].dense != nullptr) take_dense(*whole_[slot].dense, parts_[slot], graphs);
  }
  take_equal(graphs);
}

void GraphBatch::take_equal(std::span<const Index> graphs) {
  std::vector<const RowClasses*> worth(classes_.size(), nullptr);
  std::vector<std::pair<Offset, Offset>> ranges;
  for (std::size_t p = 0; p < classes_.size(); ++p) {
    ranges.clear();
    for (const Index g : graphs) ranges.push_back(range(partitions_[p], g));
    RowClasses& own = classes_[p];
    take_classes(*equal_.partitions[p].rows, ranges, own);
    if (!nearly_all_differ(own.first.size(), own.of.size())) worth[p] = &own;
  }
  equal_here_.clear();
  for (const int p : equal_.of_value) equal_here_.push_back(p >= 0 ? worth[p] : nullptr);
}

void GraphBatch::take_sparse(const Csr& whole, Part& part, std::span<const Index> graphs) const {
  Csr& out = *part.sparse;
  Offset rows = 0, entries = 0;
  for (const Index g : graphs) {
    const auto [first, end] = range(part.extent, g);
    rows += end - first;
    entries += whole.row_ptr[end] - whole.row_ptr[first];
  }
  out.row_ptr.resize(static_cast<std::size_t>(rows) + 1);
  out.columns.resize(static_cast<std::size_t>(entries));
  if (!whole.values.empty()) out.values.resize(out.columns.size());
  Offset* row = out.row_ptr.data() + 1;
  Offset done = 0;
  Index nodes = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Index g = graphs[i];
    fetch_ahead(whole, part, graphs.subspan(i + 1));
    const auto [first, end] = range(part.extent, g);
    const Offset begin = whole.row_ptr[first], count = whole.row_ptr[end] - begin;
    for (Offset r = first; r < end; ++r) *row++ = whole.row_ptr[r + 1] - begin + done;
    const Index shift = part.names_nodes ? nodes - start_[g] : 0;
    const Index* columns = whole.columns.data() + begin;
    Index* to = out.columns.data() + done;
    for (Offset e = 0; e < count; ++e) to[e] = columns[e] + shift;
    if (!whole.values.empty())
      std::copy_n(whole.values.begin() + begin, count, out.values.begin() + done);
    done += count;
    nodes += start_[g + 1] - start_[g];
  }
  out.rows = static_cast<Index>(rows);
  out.cols = part.names_nodes ? nodes : whole.cols;
}

// Graphs are drawn at random, and too small for a processor to foresee what it will read of them.
void GraphBatch::fetch_ahead(const Csr& whole, const Part& part,
                             std::span<const Index> next) const {
  constexpr std::size_t kRowsAhead = 7, kEntriesAhead = 3;
  constexpr Offset kLine = 64;
  const auto fetch = [](const auto* values, Offset first, Offset end) {
    constexpr Offset kStep = kLine / static_cast<Offset>(sizeof *values);
    for (Offset i = first; i < end; i += kStep) __builtin_prefetch(values + i);
  };
  if (next.size() > kRowsAhead) {
    const auto [first, end] = range(part.extent, next[kRowsAhead]);
    fetch(whole.row_ptr.data(), first, end);
  }
  if (next.size() <= kEntriesAhead) return;
  const auto [first, end] = range(part.extent, next[kEntriesAhead]);
  fetch(whole.columns.data(), whole.row_ptr[first], whole.row_ptr[end]);
  if (!whole.values.empty()) fetch(whole.values.data(), whole.row_ptr[first], whole.row_ptr[end]);
}

void GraphBatch::take_dense(const Matrix& whole, Part& part, std::span<const Index> graphs) const {
  Matrix& out = *part.dense;
  out.values.clear();
  for (const Index g : graphs) {
    const auto [first, end] = range(part.extent, g);
    out.values.insert(out.values.end(), whole.values.begin() + first * whole.cols,
                      whole.values.begin() + end * whole.cols);
  }
  out.cols = whole.cols;
  Offset rows = 0;
  for (const Index g : graphs) rows += range(part.extent, g).second - range(part.extent, g).first;
  out.rows = static_cast<Index>(rows);
}

std::size_t GraphBatch::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) {
    if (part.sparse != nullptr) bytes += bytes_of(*part.sparse);
    if (part.dense != nullptr) bytes += part.dense->values.size() * sizeof(float);
  }
  for (const RowClasses& classes : classes_)
    bytes += (classes.first.size() + classes.of.size()) * sizeof(Index) +
             classes.behind.size() * sizeof(float);
  return bytes;
}

std::vector<std::vector<Index>> drawn_batches(std::span<const Index> graphs, std::size_t size,
                                              Stream stream) {
  std::vector<Index> order(graphs.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, stream);
  std::vector<std::vector<Index>> batches;
  for (std::size_t first = 0; first < order.size(); first += size) {
    const auto rows = std::span(order).subspan(first, std::min(size, order.size() - first));
    if (rows.size() == 1 && rows.size() < order.size()) continue;
    std::ranges::sort(rows, {}, [&](Index row) { return graphs[static_cast<std::size_t>(row)]; });
    batches.emplace_back(rows.begin(), rows.end());
  }
  return batches;
}

}  // namespace cupel
