#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/engine/program/product_order.h"
#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/replays.h"
#include "cupel/learn/train/trainer.h"

namespace cupel {
namespace {

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
  return traced.inputs.memory_bytes() + bytes(task.train, true, epochs) +
         bytes(task.valid, false, epochs) +
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
  return bytes + bytes / 4 + parameter_bytes(parameters);
}

std::size_t estimate_memory(const View& view, const ModelEntry& model, const Options& config,
                            const TrainRule& rule) {
  const TaskKind& kind = view.kind();
  kind.check(fmt::format("model '{}'", model.name), view.facts(), &model, rule, "");
  return kind.memory(view, {model, config, rule, ""});
}

}  // namespace cupel
