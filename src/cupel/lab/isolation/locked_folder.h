// A temporary folder that goes with its maker, also with one that is killed:
//
//   TMPDIR/PREFIXxxxxxx/   ours alone (0700)
//     lock                 locked (flock) while we live
#pragma once

#include <filesystem>
#include <optional>

#include "cupel/base/leftovers.h"

namespace cupel {

class LockedFolder {
 public:
  // What a signal that ends us does with it: a folder that others write to is left to a sweep.
  enum class OnSignal { kLeave, kRemove };
  // Throws Error if none can be made. The first one of a process sweeps what dead ones left.
  LockedFolder(const char* prefix, OnSignal on_signal);
  // Removes it and all that is in it.
  ~LockedFolder();
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }  // absolute
  int descriptor() const { return folder_; }                   // open as a folder

 private:
  std::filesystem::path path_;
  std::optional<Leftover> leftover_;
  int folder_ = -1, lock_ = -1;
};

// Removes the folders in `parent` whose makers are dead: those that are ours by owner and by the
// beginning of their names, and whose lock nobody holds. What cannot be removed stays.
void sweep_locked_folders(const std::filesystem::path& parent, const char* prefix);

}  // namespace cupel
