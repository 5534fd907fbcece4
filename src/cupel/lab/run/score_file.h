// Scores of a program or a function: an array, in a file of its folder or in memory, and nothing
// believed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cupel/base/matrix.h"
#include "cupel/data/formats/npy.h"
#include "cupel/data/unit.h"
#include "cupel/lab/isolation/task_folder.h"
#include "cupel/learn/view.h"

namespace cupel {

struct ScoreShape {
  std::int64_t rows = 0, columns = 0;
  Unit unit = Unit::kNode;  // what has the scores: pairs and facts may have one axis
};

// Bytes of the largest file that can hold them.
[[nodiscard]] std::int64_t most_score_bytes(const ScoreShape& shape);

// rows x columns floats. Throws Error that begins with `name` for another shape or type, for NaN
// and infinity, but for minus infinity of facts.
[[nodiscard]] AlignedVector<float> scores_of(NpyArray array, const std::string& name,
                                             const ScoreShape& shape);

// The same of the bytes of a file.
[[nodiscard]] AlignedVector<float> scores_of(const std::string& bytes, const char* name,
                                             const ScoreShape& shape);

// The same of a file of the folder; nothing if there is no such file. Throws Error as
// TaskFolder::read() does, too. Holds the file and its scores.
[[nodiscard]] std::optional<AlignedVector<float>> read_scores(const TaskFolder& folder,
                                                              const char* name,
                                                              const ScoreShape& shape);

// Hands rows of so many columns to `sink`, some at a time.
void hand_rows(const AlignedVector<float>& scores, Index columns, ScoreSink& sink);

}  // namespace cupel
