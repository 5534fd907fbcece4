// Which class does a graph of a set have, or which answer to each of several yes-or-no questions?
#include "cupel/learn/class_tasks.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

void check(const std::string& where, const TaskFacts& facts, const ModelEntry* model,
           const TrainRule&, const std::string& metric) {
  check_classification(Unit::kGraph, where, facts, model, metric);
}

std::unique_ptr<Feed> feed(const std::shared_ptr<const View>& view, const Schedule& schedule,
                           const TaskModel& model) {
  return make_graph_feed(class_view(*view), schedule, model.rule, model.metric, model.threads);
}

std::size_t memory(const View& view, const TaskModel& model) {
  return class_task_bytes(view, model, graph_feed_bytes);
}

// Nodes and arcs of all graphs are numbered through.
ProgramTask program(const View& view) {
  ProgramTask out = class_program(view);
  const GraphSet& set = *view.graphs();
  add_ids(out.arrays, "graph_starts", set.start);
  const auto add_attributes = [&](const char* name, const Matrix& matrix) {
    if (matrix.cols > 0) add_rows(out.arrays, name, matrix);
  };
  add_attributes("node_attributes", set.node_attributes);
  add_attributes("arc_attributes", set.arc_attributes);
  out.facts["task"] = view.kind().name;
  return out;
}

}  // namespace

extern const TaskKind task_graph_classification;
const TaskKind task_graph_classification = {
    .name = "graph-classification",
    .doc = "Which class does a graph of a set have?",
    .words = "classes of graphs",
    .unit = Unit::kGraph,
    .forms = {AnswerForm::kClasses},
    .in_identity = false,
    .check = check,
    .make = make_class_task,
    .feed = feed,
    .direct = make_class_trial,
    .memory = memory,
    .check_size = check_class_size,
    .program = program,
};

}  // namespace cupel
