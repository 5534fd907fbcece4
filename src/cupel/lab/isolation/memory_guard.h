// A limit of memory for a process that runs already and for all that it starts, such as one that
// was forked: by looking at what they hold, and by a control group, where one can be made, for what
// is quicker than looks are. Beside both, no process of them gets more for its data than that
// (RLIMIT_DATA), so that most allocations that are too large fail where they are made. Not
// thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "cupel/lab/isolation/control_group.h"
#include "cupel/lab/isolation/process_tree.h"

namespace cupel {

class MemoryGuard {
 public:
  // What the process holds by now is not counted. It has started nothing yet. `grouped`: false
  // makes no control group.
  MemoryGuard(pid_t process, std::int64_t bytes, bool grouped = true);

  // Whether they hold more, or did and the kernel has ended something for it. `shared`: bytes of
  // files in memory that they have open and that somebody else pays for. Ask some twenty times a
  // second.
  [[nodiscard]] bool exceeded(std::int64_t shared) const;

  // Kills the process and all that it started and that can be found.
  void kill_all() const;

  // Whether the kernel has ended something for it. Cheap.
  [[nodiscard]] bool ran_out() const { return group_ && group_->ran_out_of_memory(); }

 private:
  pid_t process_;
  Residence born_;
  std::int64_t bytes_;
  std::unique_ptr<ControlGroup> group_;
};

}  // namespace cupel
