#include <algorithm>
#include <functional>

#include "cupel/engine/program/equal_rows.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/trainer.h"

namespace cupel {
namespace {

// Rows that are computed together at most.
struct Extent {
  std::size_t nodes = 0, arcs = 0, graphs = 0;

  std::size_t rows_of(const Program& program, const Shape& shape) const {
    if (shape.space == kStaticSpace) return static_cast<std::size_t>(shape.rows);
    const Space& space = program.spaces[shape.space];
    if (space.entries_of >= 0) return arcs + nodes;
    return space.name == "graph" ? graphs : nodes;
  }
};

Extent extent_of(const TaskView& task, const TrainRule& rule) {
  const auto nodes = static_cast<std::size_t>(task.nodes());
  const auto arcs = static_cast<std::size_t>(task.adjacency().entries());
  if (!task.graphs()) return {nodes, arcs, 0};
  const std::size_t graphs = task.train.size() + task.valid.size() + task.test.size();
  const std::size_t together = std::min(
      graphs, static_cast<std::size_t>(std::max(
                  kEvaluatedTogether,
                  rule.batch_size > 0 ? rule.batch_size : static_cast<Index>(task.train.size()))));
  // The largest graphs may meet in one batch.
  const std::vector<Index>& start = task.graphs()->start;
  std::vector<std::size_t> sizes, degrees;
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    sizes.push_back(static_cast<std::size_t>(start[g + 1] - start[g]));
    degrees.push_back(static_cast<std::size_t>(task.adjacency().row_ptr[start[g + 1]] -
                                               task.adjacency().row_ptr[start[g]]));
  }
  const auto largest = [&](std::vector<std::size_t>& values) {
    std::sort(values.begin(), values.end(), std::greater<>());
    std::size_t sum = 0;
    for (std::size_t i = 0; i < std::min(together, values.size()); ++i) sum += values[i];
    return sum;
  };
  return {largest(sizes), largest(degrees), together};
}

bool reads_graph(const Program& program, const Node& node) {
  return std::ranges::any_of(node.inputs, [&](int input) {
    return program.nodes[input].kind == Node::Kind::kConstant &&
           program.nodes[input].shape.layout == Layout::kSparse;
  });
}

}  // namespace

std::size_t estimate_memory(const TaskView& task, const ModelEntry& model, const Options& config,
                            const TrainRule& rule) {
  check_examples(model, task);
  std::size_t floats = 4 * static_cast<std::size_t>(task.examples()) * task.classes();
  if (model.trainable == nullptr)
    return floats * sizeof(float) + model.direct(config)->memory_bytes(task);
  const Traced traced(
      task, [&](Builder& b, GraphInputs& in) { return model.trainable(config)->logits(b, in); });
  const Extent extent = extent_of(task, rule);
  const std::size_t cut = extent.arcs + 4 * extent.nodes;
  // `copies` of every value, and the graph for every op that reads it, since each may read other
  // rows: pattern and values, for training also transposed, with the places of its entries.
  const auto add_values = [&](const Program& program, const EqualRows* equal, std::size_t copies) {
    for (std::size_t v = 0; v < program.nodes.size(); ++v) {
      const Node& node = program.nodes[v];
      if (node.kind != Node::Kind::kOp) continue;
      if (reads_graph(program, node)) floats += (copies > 1 ? 8 : 2) * cut;
      if (node.shape.layout != Layout::kDense) continue;
      std::size_t rows = extent.rows_of(program, node.shape);
      if (equal != nullptr && equal->of_value[v] >= 0)
        rows = std::min(rows, rows_at_most(equal->partitions[equal->of_value[v]].classes));
      floats += copies * rows * static_cast<std::size_t>(node.shape.cols);
    }
    if (equal != nullptr) floats += equal->memory_bytes() / sizeof(float);
  };
  // Values and gradients for training, values for evaluation. Of a set of graphs, equal rows are
  // computed once.
  const Program& program = traced.program;
  for (const bool training : {true, false}) {
    if (!task.graphs()) {
      add_values(program, nullptr, training ? 2 : 1);
      continue;
    }
    const Program compiled = compile(program, training);
    const EqualRows equal = find_equal_rows(compiled, traced.inputs.constants());
    add_values(compiled, &equal, training ? 2 : 1);
  }
  for (const Parameter& p : program.parameters)
    floats += 5 * static_cast<std::size_t>(p.rows) * p.cols;
  // Constants, cut for those who read them; of a set of graphs, for every piece that is evaluated.
  for (const ConstantMatrix& constant : traced.inputs.constants())
    floats +=
        4 * static_cast<std::size_t>(constant.sparse != nullptr
                                         ? constant.sparse->entries() + constant.sparse->rows
                                         : Offset{constant.dense->rows} * constant.dense->cols);
  return floats * sizeof(float);
}

}  // namespace cupel
