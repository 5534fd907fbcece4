#include "cupel/lab/record/record.h"

#include <stdexcept>

namespace cupel {

std::string to_text(RunStatus status) {
  switch (status) {
    case RunStatus::kOk:
      return "ok";
    case RunStatus::kDiverged:
      return "diverged";
    case RunStatus::kFailed:
      return "failed";
    case RunStatus::kTimeout:
      return "timeout";
  }
  throw std::logic_error("no such run status");
}

}  // namespace cupel
