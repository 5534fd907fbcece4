#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/equal_rows.h"
#include "cupel/engine/program/passes.h"
#include "cupel/engine/program/product_order.h"
#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/replays.h"
#include "cupel/learn/train/trainer.h"

namespace cupel {
namespace {

// Rows that are computed together at most.
struct Extent {
  std::size_t nodes = 0, arcs = 0, graphs = 0;

  std::size_t rows_of(const Traced& traced, const Program& program, const Shape& shape) const {
    if (shape.space == kStaticSpace) return static_cast<std::size_t>(shape.rows);
    if (program.spaces[shape.space].entries_of >= 0) return arcs + nodes;
    return traced.inputs.unit_of(shape.space) == Unit::kGraph ? graphs : nodes;
  }
};

// Of so many graphs: the largest may meet in one batch.
Extent extent_of(const TaskView& task, std::size_t together) {
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

// Values, gradients, moments and the best ones so far.
std::size_t bytes_of(const std::vector<Parameter>& parameters) {
  return 5 * ParameterSet(parameters).block().size() * sizeof(float);
}

// What the programs of one phase on a graph's nodes take (node_feed.cpp).
std::size_t bytes_of_phase(const TaskView& task, const Traced& traced, int epochs,
                           bool first_on_all_rows) {
  const Program& program = traced.program;
  ParameterSet parameters(program.parameters);
  const auto bytes = [&](std::vector<Index> rows, bool training, int replays, bool prune = true) {
    std::ranges::sort(rows);
    const Binding binding = {.constants = traced.inputs.constants(),
                             .rows = std::move(rows),
                             .prune = prune,
                             .values = &parameters,
                             .gradients = training ? &parameters : nullptr};
    return planned_memory(order_products(compile(program, training), binding, replays), binding);
  };
  return bytes(task.train, true, epochs) + bytes(task.valid, false, epochs) +
         (task.stopping.empty() ? 0 : bytes(task.stopping, false, epochs)) +
         bytes(task.test, false, kOnce) +
         (first_on_all_rows ? bytes(task.train, true, kOnce, false) : 0);
}

}  // namespace

std::size_t node_feed_bytes(const TaskView& task, const Schedule& schedule, const TrainRule& rule) {
  const int epochs = expected_epochs(rule);
  auto traced = std::make_unique<Traced>(task, schedule.phases.front().logits);
  const std::vector<Parameter> declared = traced->program.parameters;
  ParameterSet parameters(declared);
  std::size_t bytes = bytes_of_phase(task, *traced, epochs, schedule.first_step_on_all_rows);
  for (std::size_t p = 1; p < schedule.phases.size(); ++p) {
    // Between two phases all nodes are evaluated.
    std::vector<Index> all(static_cast<std::size_t>(task.nodes()));
    std::iota(all.begin(), all.end(), 0);
    const Binding whole = {
        .constants = traced->inputs.constants(), .rows = std::move(all), .values = &parameters};
    bytes += planned_memory(order_products(compile(traced->program, false), whole, kOnce), whole);
    traced = std::make_unique<Traced>(task, schedule.phases[p].logits);
    bytes += bytes_of_phase(task, *traced, epochs, false);
  }
  // The rows that are computed differ from split to split, and one stands for all.
  return bytes + bytes / 4 + bytes_of(declared);
}

// Every batch is another one, so that rows are those of the largest; training and evaluation have
// batches of their own sizes.
std::size_t graph_feed_bytes(const TaskView& task, const Schedule& schedule,
                             const TrainRule& rule) {
  const Traced traced(task, schedule.phases.front().logits);
  const Program& program = traced.program;
  const std::size_t batch =
      rule.batch_size > 0 ? static_cast<std::size_t>(rule.batch_size) : task.train.size();
  const std::size_t evaluated =
      std::max({task.valid.size(), task.stopping.size(), task.test.size()});
  std::size_t floats = 0;
  // Values and gradients for training, values for evaluation; and the graph for every op that reads
  // it, since each may read other rows: pattern and values, for training also transposed, with the
  // places of its entries, and of two batches, one of which is prepared. Equal rows are computed
  // once.
  for (const bool training : {true, false}) {
    const Program compiled = compile(program, training);
    const EqualRows equal = traced.inputs.equal_rows(compiled);
    const Extent extent = extent_of(
        task, training ? std::min(batch, task.train.size())
                       : std::min(static_cast<std::size_t>(kEvaluatedTogether), evaluated));
    const std::size_t cut = extent.arcs + 4 * extent.nodes;
    for (std::size_t v = 0; v < compiled.nodes.size(); ++v) {
      const Node& node = compiled.nodes[v];
      if (node.kind != Node::Kind::kOp) continue;
      if (reads_graph(compiled, node)) floats += (training ? 16 : 2) * cut;
      if (node.shape.layout != Layout::kDense) continue;
      std::size_t rows = extent.rows_of(traced, compiled, node.shape);
      if (equal.of_value[v] >= 0)
        rows = std::min(rows, rows_at_most(equal.partitions[equal.of_value[v]].rows->classes));
      floats += (training ? 2 : 1) * rows * static_cast<std::size_t>(node.shape.cols);
    }
    floats += equal.memory_bytes() / sizeof(float);
  }
  // Constants, cut for those who read them and for every piece that is evaluated.
  for (const ConstantMatrix& constant : traced.inputs.constants())
    floats +=
        4 * static_cast<std::size_t>(constant.sparse != nullptr
                                         ? constant.sparse->entries() + constant.sparse->rows
                                         : Offset{constant.dense->rows} * constant.dense->cols);
  return floats * sizeof(float) + bytes_of(program.parameters);
}

std::size_t estimate_memory(const View& view, const ModelEntry& model, const Options& config,
                            const TrainRule& rule) {
  const TaskKind& kind = view.kind();
  kind.check(fmt::format("model '{}'", model.name), view.facts(), &model, rule, "");
  return kind.memory(view, {model, config, rule, ""});
}

}  // namespace cupel
