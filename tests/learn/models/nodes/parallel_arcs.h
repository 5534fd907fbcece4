// Six nodes with arcs that are there twice, and self-links.
#pragma once

#include "learn/models/dense_oracle.h"

namespace cupel::oracle {

struct ParallelArcs {
  Dataset data;
  Dense counts;  // how often an arc is there

  explicit ParallelArcs(Index words) : data(made_dataset({.nodes = 6, .words = words})) {
    Csr& arcs = data.adjacency;
    arcs = {};
    arcs.rows = arcs.cols = 6;
    arcs.columns = {0, 0, 1, 1, 2, 0, 0, 3, 0, 1, 5, 5, 5, 4, 4, 4};
    arcs.row_ptr = {0, 5, 8, 9, 10, 13, 16};
    counts = zeros(6, 6);
    for (Index i = 0; i < 6; ++i)
      for (const Index j : arcs.row_columns(i)) counts[i][j] += 1;
  }
};

}  // namespace cupel::oracle
