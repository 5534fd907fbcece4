// Splits a kernel over owned output rows.
#pragma once

#include <algorithm>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel::kernels {

// Calls body(begin, end) over [0, size): in one piece where one thread is enough (no type erasure
// on that path), else in blocks of the same size, of `work_per_block / work_per_item` items at most
// and rounded up to a multiple of `multiple`; where there are more blocks than threads, in as many
// for each. A body must give the same bits however [0, size) is cut.
template <class Body>
void over_blocks(Threads threads, Index size, Offset work_per_item, Index multiple,
                 const Body& body) {
  if (size <= 0) return;
  constexpr Offset kWorkPerBlock = 1 << 16;  // floats touched: tens of microseconds
  Offset grain = std::max<Offset>(1, kWorkPerBlock / std::max<Offset>(1, work_per_item));
  grain = (grain + multiple - 1) / multiple * multiple;
  if (threads.count <= 1 || size <= grain) {
    body(Index{0}, size);
    return;
  }
  Offset blocks = (size + grain - 1) / grain;
  if (blocks > threads.count) blocks = (blocks + threads.count - 1) / threads.count * threads.count;
  grain = (size + blocks - 1) / blocks;
  grain = (grain + multiple - 1) / multiple * multiple;
  parallel_blocks(threads, size, grain, [&](std::int64_t begin, std::int64_t end) {
    body(static_cast<Index>(begin), static_cast<Index>(end));
  });
}

// Floats that are worth that several threads read them, each of them all.
inline constexpr Offset kWorthSharing = 1 << 17;

// Calls body(begin, end) over [0, rows), a stretch for each thread: for sums into rows, of which a
// thread owns some and reads all `work` floats that may go there. A body must give the same bits
// however rows are cut.
template <class Body>
void over_owned_rows(Threads threads, Index rows, Offset work, const Body& body) {
  if (threads.count <= 1 || work <= kWorthSharing) {
    body(Index{0}, rows);
    return;
  }
  parallel_blocks(threads, rows, rows / threads.count + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                    body(static_cast<Index>(begin), static_cast<Index>(end));
                  });
}

// Calls body(first, last) over panels of the columns of a matrix, one for each thread: for sums
// over rows, of which a thread owns some columns. A body must give the same bits however columns
// are cut (at multiples of 64).
template <class Body>
void over_panels(Threads threads, Index rows, Index cols, const Body& body) {
  // At least one panel's: there may be more threads than columns.
  const Index width = std::max<Index>(1, (cols / std::max(1, threads.count) + 63) / 64) * 64;
  if (threads.count <= 1 || width >= cols || Offset{rows} * cols <= kWorthSharing) {
    body(Index{0}, cols);
    return;
  }
  parallel_blocks(threads, cols, width, [&](std::int64_t first, std::int64_t last) {
    body(static_cast<Index>(first), static_cast<Index>(last));
  });
}

}  // namespace cupel::kernels
