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
};

}  // namespace cupel
