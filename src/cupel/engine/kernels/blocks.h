// Splits a kernel over owned output rows.
#pragma once

#include <algorithm>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel::kernels {

// Calls body(begin, end) over [0, size): in one piece where one thread is enough (no type erasure
// on that path), else in blocks of about `work_per_block / work_per_item` items, rounded up to a
// multiple of `multiple`. A body must give the same bits however [0, size) is cut.
template <class Body>
void over_blocks(Threads threads, Index size, Offset work_per_item, Index multiple,
                 const Body& body) {
  if (size <= 0) return;
  constexpr Offset kWorkPerBlock = 1 << 17;  // floats touched: tens of microseconds
  Offset grain = std::max<Offset>(1, kWorkPerBlock / std::max<Offset>(1, work_per_item));
  grain = (grain + multiple - 1) / multiple * multiple;
  if (threads.count <= 1 || size <= grain) {
    body(Index{0}, size);
    return;
  }
  parallel_blocks(threads, size, grain, [&](std::int64_t begin, std::int64_t end) {
    body(static_cast<Index>(begin), static_cast<Index>(end));
  });
}

}  // namespace cupel::kernels
