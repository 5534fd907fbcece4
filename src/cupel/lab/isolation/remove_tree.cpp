#include "cupel/lab/isolation/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace cupel {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// A folder that may have been closed to us; it is ours, so that we may open it again.
int open_folder(int parent, const char* name) {
  const int out = ::openat(parent, name, kFolder);
  if (out >= 0 || errno != EACCES) return out;
  // Through a descriptor that follows no link.
  const int path = ::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (path < 0) return -1;
  const std::string link = "/proc/self/fd/" + std::to_string(path);
  ::chmod(link.c_str(), 0700);
  const int again = ::openat(path, ".", kFolder & ~O_NOFOLLOW);
  ::close(path);
  return again;
}

// Names in a folder, but for "." and ".."; takes no descriptor away.
std::vector<std::string> names_in(int folder) {
  std::vector<std::string> out;
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const list = own < 0 ? nullptr : ::fdopendir(own);
  if (list == nullptr) {
    if (own >= 0) ::close(own);
    return out;
  }
  while (const dirent* entry = ::readdir(list)) {
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
      out.emplace_back(entry->d_name);
  }
  ::closedir(list);
  return out;
}

// Empties `folder`: its files go, and its folders move up to `top`, where their turn comes. However
// deep they were, two descriptors are enough.
void flatten(int folder, int top, std::uint64_t& moved) {
  ::fchmod(folder, 0700);
  for (const std::string& name : names_in(folder)) {
    if (::unlinkat(folder, name.c_str(), 0) == 0) continue;
    const int child = open_folder(folder, name.c_str());  // to be moved it must be writable
    if (child < 0) continue;
    ::fchmod(child, 0700);
    ::close(child);
    std::string place;
    do {
      place = "cupel-moved-" + std::to_string(moved++);
    } while (::faccessat(top, place.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    ::renameat(folder, name.c_str(), top, place.c_str());
  }
}

std::int64_t add_up(int folder, std::int64_t most, int depth, int& files) {
  std::int64_t bytes = 0;
  if (depth > kMostDepth) return most + 1;
  for (const std::string& name : names_in(folder)) {
    if (++files > kMostFiles) return most + 1;
    struct stat info {};
    if (::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    bytes += std::int64_t{info.st_blocks} * 512;
    if (S_ISDIR(info.st_mode)) {
      const int child = ::openat(folder, name.c_str(), kFolder);
      if (child < 0) continue;
      bytes += add_up(child, most, depth + 1, files);
      ::close(child);
    }
    if (bytes > most) return most + 1;
  }
  return bytes;
}

}  // namespace

bool remove_tree(int parent, const char* name) {
  if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return true;
  const int top = open_folder(parent, name);
  if (top < 0) return false;
  ::fchmod(top, 0700);
  std::uint64_t moved = 0;
  // A pass empties the folders of the top, which may bring new ones there.
  for (std::vector<std::string> left = names_in(top); !left.empty(); left = names_in(top)) {
    bool progress = false;
    for (const std::string& entry : left) {
      if (::unlinkat(top, entry.c_str(), 0) == 0) {
        progress = true;
        continue;
      }
      const int folder = open_folder(top, entry.c_str());
      if (folder < 0) continue;
      flatten(folder, top, moved);
      ::close(folder);
      progress = ::unlinkat(top, entry.c_str(), AT_REMOVEDIR) == 0 || progress;
    }
    if (!progress) break;
  }
  ::close(top);
  return ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

std::int64_t tree_size(int folder, std::int64_t most) {
  int files = 0;
  return add_up(folder, most, 0, files);
}

}  // namespace cupel
