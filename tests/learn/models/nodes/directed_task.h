// A task on arcs: some in both directions, some self-loops, a node that no arc leads to.
#pragma once

#include "learn/made_task.h"

namespace cupel {

inline ClassTask directed_task(MadeSize size = {.nodes = 14, .words = 9}, Index train = 5,
                               Index valid = 4) {
  Dataset data = made_dataset(size);
  std::vector<Edge> arcs;
  for (Index i = 0; i < data.nodes(); ++i) {
    for (const Index j : data.adjacency.row_columns(i))
      if (j != 3 && (i < j || (i + j) % 3 == 0)) arcs.push_back({i, j});
    if (i % 4 == 0) arcs.push_back({i, i});
  }
  arcs.push_back({3, 7});
  data.adjacency = from_edges(data.nodes(), arcs);
  const Split split = leading_split(data, train, valid);
  return task_of(std::move(data), split);
}

}  // namespace cupel
