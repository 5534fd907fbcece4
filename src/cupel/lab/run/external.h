// External models: any program can be a model.
//
// The program is started in the protocol file's folder with a task folder that holds
//   task.npz   adj_indptr, adj_indices (int64/int32), adj_shape     the graph, CSR, prepared
//              attr_indptr, attr_indices, attr_data, attr_shape     features, CSR; or attr_matrix,
//              dense idx_train, idx_valid, idx_test                       node ids (int64) y_train,
//              y_valid                                     labels (int64) of the first two
//   task.json  classes, split, init, seed, metric, budget_seconds, settings
// There is no test label in it, in no form. It must write, into the same folder,
//   scores.npy        test nodes x classes, float32 or float64; larger means more likely
//   valid_scores.npy  the same for the validation nodes (optional: without it there is no
//   validation
//                     score, and the model cannot be tuned)
// A crash, a time-out, a missing file, a wrong shape or a NaN is a recorded failure whose message
// ends with the last lines of stderr.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/plan.h"
#include "cupel/learn/task.h"

namespace cupel {

// The row's settings as they are: the program knows what they mean.
[[nodiscard]] ResolvedModel resolve_external(const ModelRow& row);

// What identities hold of a program: its command, its limits, and the content hash of every
// argument that is a file (so that an edited program is another model).
[[nodiscard]] std::map<std::string, std::string> program_identity(const ExternalCommand& program);

// A session that hands the task to the group's program. The test labels stay with us.
[[nodiscard]] std::unique_ptr<RunSession> open_external(NodeTask task, const RunGroup& group);

}  // namespace cupel
