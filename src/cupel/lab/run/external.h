// External models: any program can be a model.
//
// The program starts in the protocol file's folder; "{task}" in its command (and $CUPEL_TASK) is a
// folder that holds
//   task.npz   adj_indptr, adj_indices, adj_data, adj_shape       the prepared graph, CSR
//              attr_indptr, attr_indices, attr_data, attr_shape   features, CSR; dense ones are
//                                                                 attr_matrix instead
//              and what the kind of task tells (TaskKind::program). Of classes of nodes:
//              idx_train, idx_valid, idx_test                     node ids
//              y_train, y_valid                                   labels of the first two
//              Of sets of graphs the same, of graphs, with graph_starts: graph i has the nodes
//              [graph_starts[i], graph_starts[i + 1]); and node_attributes, arc_attributes
//              Of links, whose adj_* has the arcs of training links alone:
//              pairs_train, pairs_valid, pairs_test, y_valid, ...  see learn/links/link_program.h
//              Of facts over time, in place of adj_* and attr_*:
//              facts_train, ...                       see learn/events/event_program.h
//   task.json  nodes, split, init, seed, threads, metric, budget_seconds, settings; of nodes:
//              classes; of sets of graphs: task, classes or tasks; of links: task, directed,
//              rows_valid, rows_test
// There is no answer of test in it, in no form. It must write into the same folder
//   scores.npy        test nodes or graphs x classes (or tasks); of links one score for each row
//                     that is asked about, as rows x 1 or one axis; floats, finite; larger means
//                     more likely
//   valid_scores.npy  the same of the validation part (optional: without it there is no validation
//                     score, and the model cannot be tuned)
// and end with exit code 0. Where later questions tell earlier answers, as of facts over time, it
// is asked while it runs instead, step by step (program_talk.h); a program that is a worker does
// one run after the other (worker.h). Anything else is a recorded failure whose message ends with
// the last lines of what it printed. The folder is another one for each run. Time, memory,
// processes and disk are limited. Where isolation.h finds a way, the program sees neither data nor
// results nor other processes. The scores are read when everything that it started is dead, or when
// it says so while it is asked. Runs go on side by side, so OMP_NUM_THREADS and the like are set,
// where they are not, to its share.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cupel/lab/plan/plan.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/worker.h"
#include "cupel/learn/task.h"

namespace cupel {

// A session that hands the task to the group's program. The test answers stay with us, and `hidden`
// are places that no program may see, beside those that its command names. Throws NotStarted.
// A program that is a worker comes from `workers`, and goes back to them.
[[nodiscard]] std::unique_ptr<RunSession> open_external(
    Task task, const RunGroup& group, Threads threads,
    const std::vector<std::filesystem::path>& hidden, std::shared_ptr<WorkerPool> workers);

}  // namespace cupel
