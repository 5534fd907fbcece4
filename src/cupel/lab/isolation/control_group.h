// A control group for one program, where the system lets us make one: the kernel's own account and
// limit of memory and tasks, which nothing escapes and no load delays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace cupel {

class ControlGroup {
 public:
  // Nothing where none can be made: no such hierarchy, no controllers, no permission. Of version 2
  // it looks from our own group upwards for one that hands down the memory controller; of version 1
  // the groups of memory and of tasks are each below our own. `root` is where they are mounted.
  static std::unique_ptr<ControlGroup> make(std::int64_t memory_bytes, int tasks,
                                            const std::filesystem::path& root = "/sys/fs/cgroup");
  ~ControlGroup();  // kills what is left in it, where the kernel can
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  // A process that writes "0" to all of these is in the group, with all that it starts.
  std::vector<std::filesystem::path> members() const;
  bool ran_out_of_memory() const;  // something in it was killed for that
  bool ran_out_of_tasks() const;   // something in it was refused one

 private:
  explicit ControlGroup(std::vector<std::filesystem::path> folders)
      : folders_(std::move(folders)) {}
  std::vector<std::filesystem::path> folders_;  // of version 2 one, of version 1 one a controller
};

}  // namespace cupel
