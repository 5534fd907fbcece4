#include "cupel/base/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace cupel {
namespace {

constexpr std::size_t kLongestPath = 4096;
constexpr int kDeepest = 8;  // folders in a folder; what is written has two

enum class Slot : int { kFree, kBusy, kSet };

struct Entry {
  std::atomic<Slot> state = Slot::kFree;
  char path[kLongestPath];
};
static_assert(std::atomic<Slot>::is_always_lock_free);

std::array<Entry, 64> entries;

// What getdents64 gives; the name ends with a zero.
struct DirectoryEntry {
  ino64_t inode;
  off64_t next;
  unsigned short size;
  unsigned char kind;
  char name[1];
};

bool is_dot(const char* name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

// readdir() allocates, which a signal handler must not.
void remove_at(int folder, const char* name, int depth) {
  if (::unlinkat(folder, name, 0) == 0 || depth == kDeepest) return;
  const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0) return;
  alignas(DirectoryEntry) char buffer[2048];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, inner, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
      const char* inside = buffer + at + offsetof(DirectoryEntry, name);
      if (!is_dot(inside)) remove_at(inner, inside, depth + 1);
      at += entry->size;
    }
  }
  ::close(inner);
  ::unlinkat(folder, name, AT_REMOVEDIR);
}

}  // namespace

Leftover::Leftover(const std::filesystem::path& path) : slot_(-1) {
  const std::string& text = path.native();
  if (text.size() >= kLongestPath) return;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Slot expected = Slot::kFree;
    if (!entries[i].state.compare_exchange_strong(expected, Slot::kBusy)) continue;
    std::memcpy(entries[i].path, text.c_str(), text.size() + 1);
    entries[i].state = Slot::kSet;
    slot_ = static_cast<int>(i);
    return;
  }
}

Leftover::~Leftover() {
  if (slot_ < 0) return;
  // One that is being removed stays as it is: the program ends.
  Slot expected = Slot::kSet;
  entries[static_cast<std::size_t>(slot_)].state.compare_exchange_strong(expected, Slot::kFree);
}

int remove_leftovers() noexcept {
  const int error = errno;
  int count = 0;
  for (Entry& entry : entries) {
    Slot expected = Slot::kSet;
    if (!entry.state.compare_exchange_strong(expected, Slot::kBusy)) continue;
    remove_at(AT_FDCWD, entry.path, 0);
    ++count;
  }
  errno = error;
  return count;
}

}  // namespace cupel
