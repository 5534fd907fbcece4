// Points, and what t-SNE makes of them, for its tests.
#pragma once

#include "cupel/base/random.h"
#include "cupel/learn/embedding/tsne_objective.h"

namespace cupel::test {

// Normal numbers; those of the first half of the rows are `apart` larger.
inline Matrix normal_points(Index rows, Index columns, const char* name, double apart = 0) {
  Stream random(stream_key(name), 0);
  Matrix out(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c)
      out(i, c) = static_cast<float>(random.next_normal() + (i < rows / 2 ? apart : 0));
  return out;
}

inline PlaneRows normal_rows(Index rows, double scale) {
  Stream random(stream_key("plane"), 0);
  PlaneRows out;
  for (Index i = 0; i < rows; ++i) {
    out.x.push_back(scale * random.next_normal());
    out.y.push_back(scale * random.next_normal());
  }
  return out;
}

inline Affinities affinities_of(const Matrix& points, Index count, double perplexity) {
  return joint_affinities(nearest_points(points, count, {1}), perplexity, {1});
}

}  // namespace cupel::test
