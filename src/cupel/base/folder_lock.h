// A lock in a folder that goes with its maker: who finds the folder later can tell whether it is
// still being used, also where the maker was killed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace cupel {

// Puts a file called `lock` into the folder open as `folder`, and locks it (flock) until the
// descriptor that is returned is closed. -1 with errno where that cannot be done; a lock that
// others could find free is never there.
[[nodiscard]] int lock_folder(int folder, const char* lock);

// What to do with a folder that has no such file: its maker is about to put it there, or cannot
// have locks, or is from before there were any.
enum class WithoutLock { kLeave, kRemoveAfterADay };

// Calls `remove` for folders in `parent` whose makers are dead, with `parent`, open, and the name:
// for those that are ours by owner, whose names are `ours`, and whose lock nobody holds. What
// cannot be looked at is left.
void sweep_folders(const std::filesystem::path& parent,
                   const std::function<bool(const std::string& name)>& ours, const char* lock,
                   WithoutLock without,
                   const std::function<void(int parent, const std::string& name)>& remove);

}  // namespace cupel
