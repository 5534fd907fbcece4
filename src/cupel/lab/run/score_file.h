// Scores that a program has written: an array in a file of its folder, and nothing believed.
#pragma once

#include <cstdint>
#include <optional>

#include "cupel/base/matrix.h"
#include "cupel/data/unit.h"
#include "cupel/lab/isolation/task_folder.h"

namespace cupel {

struct ScoreShape {
  std::int64_t rows = 0, columns = 0;
  Unit unit = Unit::kNode;  // what has the scores: pairs and facts may have one axis
};

// rows x columns floats; nothing if there is no such file. Throws Error that begins with `name` for
// another shape or type, for NaN and infinity, but for minus infinity of facts, and as
// TaskFolder::read() does. Holds the file and its scores.
[[nodiscard]] std::optional<AlignedVector<float>> read_scores(const TaskFolder& folder,
                                                              const char* name,
                                                              const ScoreShape& shape);

}  // namespace cupel
