// What the two kinds of classification share: of nodes, and of graphs.
#pragma once

#include "cupel/learn/task_kind.h"

namespace cupel {

void check_classification(Unit unit, const std::string& where, const TaskFacts& facts,
                          const ModelEntry* model, const std::string& metric);
[[nodiscard]] Task make_class_task(const TaskRequest& request);
[[nodiscard]] std::unique_ptr<DirectTrial> make_class_trial(const std::shared_ptr<const View>& view,
                                                            const TaskModel& model);
void check_class_size(const View& view, const TaskModel& model);
// Ids and answers of the parts, and how many scores an example has: of one label each "classes",
// and else "tasks", whose answers are 0, 1 and NaN (not known).
[[nodiscard]] ProgramTask class_program(const View& view);
// A member of floats, rows x columns.
void add_rows(NpyMembers& members, const std::string& name, const Matrix& rows);
// The view as what make_class_task() made it.
[[nodiscard]] const TaskView& class_view(const View& view);
// Of a model and the scores that are held of every example; `feed_bytes` of one that is trained.
[[nodiscard]] std::size_t class_task_bytes(const View& view, const TaskModel& model,
                                           std::size_t (*feed_bytes)(const TaskView& task,
                                                                     const Schedule& schedule,
                                                                     const TrainRule& rule));

}  // namespace cupel
