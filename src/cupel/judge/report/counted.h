// Which runs count towards a mean.
#pragma once

#include "cupel/lab/record/record.h"

namespace cupel::report {

// One that ended well, or that diverged and has a score, as its rule restored earlier parameters.
[[nodiscard]] inline bool counts(const RunRecord& record) {
  return record.status == RunStatus::kOk ||
         (record.status == RunStatus::kDiverged && record.test_score.has_value());
}

}  // namespace cupel::report
