// What a process and all that descend from it take of the machine.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace cupel {

// Descendants of `root`, without itself, at about this instant. One whose parents have ended counts
// as long as what adopted it descends from `root`.
[[nodiscard]] std::vector<pid_t> descendants(pid_t root);

// Processes and threads of the whole machine. Cheap.
[[nodiscard]] int tasks_of_machine();

// Processes of the namespace whose first process is `first`; 0 if that cannot be told. Cheap.
[[nodiscard]] int processes_with_first(pid_t first);

struct TreeUse {
  int tasks = 0;           // processes and threads
  std::int64_t bytes = 0;  // of memory
};

// The least of several looks at memory, in bytes, which ends with the first that is not above
// `most`. Processes go on while they are looked at one after the other, and a page that a fork
// shares meanwhile counts for each: what is too much is so in every look.
template <class Look>
std::int64_t least_use(std::int64_t most, Look look) {
  constexpr int kLooks = 5;
  std::int64_t out = look();
  for (int again = 1; out > most && again < kLooks; ++again) out = std::min(out, look());
  return out;
}

// Tasks and memory of the descendants of `root`. Memory is the sum of resident sizes, and of what
// lies in files that are memory: those of `memory_folders` (mounts of tmpfs) and those without a
// name. Where that is more than `enough` it is looked at closely: shared pages are counted once,
// and pages of files on disk not at all. What the kernel holds for them (sockets, page tables) is
// in no account that can be read, and is not counted.
[[nodiscard]] TreeUse tree_use(pid_t root, const std::vector<std::filesystem::path>& memory_folders,
                               std::int64_t enough);

// The same of a process and its descendants, without any folder.
[[nodiscard]] TreeUse process_use(pid_t first, std::int64_t enough);

// Resident bytes of a process that lie in no file, and in all.
struct Residence {
  std::int64_t anonymous = 0, all = 0;
};
[[nodiscard]] Residence residence(pid_t process);

// The same in bytes, but for what `first` was born with, whether it has written to it since or not:
// `born` is its residence then. Resident sizes are summed up, and looked at closely where that is
// more than `enough`.
[[nodiscard]] std::int64_t own_use(pid_t first, const Residence& born, std::int64_t enough);

}  // namespace cupel
