#include "cupel/data/graph/parallel_rows.h"

#include <algorithm>
#include <vector>

#include "cupel/data/graph/sort_row.h"

namespace cupel {

void parallel_rows(Threads threads, std::span<const Offset> row_ptr, Index rows,
                   Offset entries_each, const std::function<void(Index, Index)>& body) {
  // A row counts as one entry more than it has, so that empty ones do not pile up.
  std::vector<Index> starts = {0};
  Offset last = 0;
  for (Index i = 0; i < rows; ++i) {
    const Offset at = row_ptr[i + 1] + i + 1;
    if (at - last < entries_each) continue;
    starts.push_back(i + 1);
    last = at;
  }
  if (starts.back() != rows) starts.push_back(rows);
  parallel_blocks(threads, static_cast<std::int64_t>(starts.size()) - 1, 1,
                  [&](std::int64_t from, std::int64_t to) {
                    for (; from < to; ++from) body(starts[from], starts[from + 1]);
                  });
}

Offset sort_and_merge_rows(std::span<Offset> row_ptr, Index* columns, Index limit,
                           Threads threads) {
  constexpr Offset kEntriesEach = 1 << 16;
  const auto rows = static_cast<Index>(row_ptr.size()) - 1;
  const int bits = bits_of(limit - 1);
  std::vector<Index> sizes(static_cast<std::size_t>(rows));
  parallel_rows(threads, row_ptr, rows, kEntriesEach, [&](Index begin, Index end) {
    std::vector<Index> space;
    for (Index i = begin; i < end; ++i) {
      const std::span row(columns + row_ptr[i],
                          static_cast<std::size_t>(row_ptr[i + 1] - row_ptr[i]));
      sort_row(row, space, bits);
      sizes[i] = static_cast<Index>(std::unique(row.begin(), row.end()) - row.begin());
    }
  });
  Offset kept = 0;
  for (Index i = 0; i < rows; ++i) {
    const Offset from = row_ptr[i];
    if (kept != from) std::copy_n(columns + from, sizes[i], columns + kept);
    row_ptr[i] = kept;
    kept += sizes[i];
  }
  row_ptr.back() = kept;
  return kept;
}

}  // namespace cupel
