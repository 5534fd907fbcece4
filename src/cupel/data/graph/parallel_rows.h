// Loops over the rows of a sparse matrix on many threads, and rows put in order by them.
#pragma once

#include <functional>
#include <span>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel {

// Calls body(begin, end) over consecutive ranges of rows that cover [0, rows) and hold about
// `entries_each` entries (a row is never divided). The ranges do not depend on the threads.
void parallel_rows(Threads threads, std::span<const Offset> row_ptr, Index rows,
                   Offset entries_each, const std::function<void(Index, Index)>& body);

// Sorts each row, merges its equal columns and closes the gaps: row_ptr has rows + 1 positions in
// `columns`, which are below `limit`. Returns how many entries are left. The result does not depend
// on the threads. Memory: 4 bytes per row.
Offset sort_and_merge_rows(std::span<Offset> row_ptr, Index* columns, Index limit, Threads threads);

}  // namespace cupel
