// Which class does a node have? The labels of some nodes of one graph are given.
#include "cupel/base/error.h"
#include "cupel/learn/class_tasks.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

void nodes_check(const std::string& where, const TaskFacts& facts, const ModelEntry* model,
                 const TrainRule& rule, const std::string& metric) {
  check_classification(Unit::kNode, where, facts, model, metric);
  if (rule.loss == "binary-cross-entropy")
    fail(
        "{}: loss = \"binary-cross-entropy\" is for sets of graphs, and data set '{}' is one graph",
        where, facts.dataset);
}

std::unique_ptr<Feed> nodes_feed(const std::shared_ptr<const View>& view, const Schedule& schedule,
                                 const TaskModel& model) {
  return make_node_feed(class_view(*view), schedule, model.rule, model.metric, model.threads);
}

std::size_t nodes_memory(const View& view, const TaskModel& model) {
  return class_task_bytes(view, model, node_feed_bytes);
}

}  // namespace

extern const TaskKind task_node_classification;
const TaskKind task_node_classification = {
    .name = "node-classification",
    .doc = "Which class does a node of a graph have?",
    .words = "classes of nodes",
    .unit = Unit::kNode,
    .forms = {AnswerForm::kClasses},
    .in_identity = false,
    .check = nodes_check,
    .make = make_class_task,
    .feed = nodes_feed,
    .direct = make_class_trial,
    .memory = nodes_memory,
    .check_size = check_class_size,
    .program = class_program,
};

}  // namespace cupel
