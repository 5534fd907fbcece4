// Links as a program of the user gets them (lab/run/external.h).
//
//   pairs_train                   links to learn from, n x 2
//   pairs_valid, pairs_test       pairs that are asked about, rows x 2, ascending and distinct
//   y_valid                       1 where the pair of that row is a link, else 0
//   message_*                     CSR: the arcs that carry messages when test pairs are asked
//   about,
//                                 where they are not those of adj_*
// A part whose candidates are all targets has instead of its pairs
//   sources_valid, sources_test   ascending and distinct: row r asks about sources[r / width] and
//   targets_valid, targets_test   targets[0] + r % width, where width = targets[1] - targets[0]
//   links_valid                   its links, n x 2, instead of y_valid
// Facts: task, directed, rows_valid, rows_test. Positives and negatives of test are told apart by
// none of it, and which candidates belong together is told of neither part.
#pragma once

#include "cupel/learn/links/link_view.h"
#include "cupel/learn/program_task.h"

namespace cupel {

[[nodiscard]] ProgramTask link_program(const LinkView& view);

}  // namespace cupel
