// Keeping a program apart with bubblewrap (https://github.com/containers/bubblewrap): namespaces of
// its own for processes, mounts, users, network and shared memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cupel/lab/isolation/visible_paths.h"

namespace cupel {

struct Bubblewrap {
  std::filesystem::path program;  // empty: it does not work here
  std::string reason;             // why not, as a phrase
};

// Looks for `bwrap` in PATH and tries it once. Thread-safe.
[[nodiscard]] Bubblewrap find_bubblewrap();

// Where a program that is kept apart finds its task.
inline constexpr const char* kTaskMount = "/task";

struct Enclosure {
  VisiblePaths paths;
  std::filesystem::path folder;              // where the program starts
  std::filesystem::path task;                // becomes kTaskMount, writable
  std::vector<std::filesystem::path> given;  // files that are seen in it, read-only
  bool network = false;
  std::int64_t memory_bytes = 0;  // size of each folder in memory
};

// The command that starts `command` in the enclosure. The process tells on kStatusDescriptor and
// waits for a byte on kGateDescriptor (lab/isolation/warden.h); its filter is read from
// kFilterDescriptor.
[[nodiscard]] std::vector<std::string> bubblewrap_command(const std::filesystem::path& bwrap,
                                                          const Enclosure& enclosure,
                                                          const std::vector<std::string>& command);

// The folders in memory that the enclosure has, as paths below "/proc/PID/root" of its first
// process. They are there as soon as `kTaskMount` is.
[[nodiscard]] std::vector<std::filesystem::path> memory_folders();

}  // namespace cupel
