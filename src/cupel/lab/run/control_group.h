// A control group (version 2) for one program, where the system lets us make one: the kernel's own
// account and limit of memory and tasks, which nothing escapes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace cupel {

class ControlGroup {
 public:
  // Nothing where none can be made: no such hierarchy, no controllers, no permission. Looks from
  // our own group upwards, below `root`, for one that hands down the memory controller. 0: no
  // limit.
  static std::unique_ptr<ControlGroup> make(std::int64_t memory_bytes, int tasks,
                                            const std::filesystem::path& root = "/sys/fs/cgroup");
  ~ControlGroup();  // kills what is left in it
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  // A process that writes "0" there is in the group, with all that it starts.
  std::filesystem::path members() const { return path_ / "cgroup.procs"; }
  bool ran_out_of_memory() const;    // something in it was killed for that
  std::int64_t most_memory() const;  // bytes; 0 where the kernel does not say

 private:
  explicit ControlGroup(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace cupel
