#include "cupel/lab/run/claims.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/store/done.h"

namespace cupel {
namespace {

constexpr off_t kPresence = 0;  // the byte that every user has a share of

// Locks of open files, not of processes: two stores of one process keep apart, and closing another
// handle of the file frees nothing. Whether it was granted, or cannot be had from this file system.
enum class Lock { kGranted, kTaken, kUnknown };
Lock lock(int file, short type, off_t at, bool wait) {
  struct flock what {};
  what.l_type = type;
  what.l_whence = SEEK_SET;
  what.l_start = at;
  what.l_len = 1;
  int code = 0;
  do {
    code = ::fcntl(file, wait ? F_OFD_SETLKW : F_OFD_SETLK, &what);
  } while (code < 0 && errno == EINTR);
  if (code == 0) return Lock::kGranted;
  return errno == EAGAIN || errno == EACCES ? Lock::kTaken : Lock::kUnknown;
}

// The byte of a family's runs on a split. Two that share one wait for each other, and no more.
off_t byte_of(const std::string& family, int split) {
  const std::string hash = sha256(fmt::format("{} {}", family, split)).substr(0, 15);
  return static_cast<off_t>(std::stoll(hash, nullptr, 16)) + 1;
}

bool is_same_file(int file, const std::filesystem::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

Claims::Claims(const std::filesystem::path& store) {
  if (store == ":memory:") return;
  path_ = store.string() + "-claims";
  open();
}

void Claims::open() {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0) return;
    if (lock(file_, F_RDLCK, kPresence, true) != Lock::kGranted) break;
    // Its last user may have removed it in between: then there is another one by that name.
    if (is_same_file(file_, path_)) return;
    ::close(file_);
  }
  ::close(file_);
  file_ = -1;
}

Claims::~Claims() {
  if (file_ < 0) return;
  // Nobody can come to share it while it is held alone, and who waits for that looks again.
  if (lock(file_, F_WRLCK, kPresence, false) == Lock::kGranted && is_same_file(file_, path_))
    ::unlink(path_.c_str());
  ::close(file_);
}

bool Claims::take(const std::string& family, int split) {
  return file_ < 0 || lock(file_, F_WRLCK, byte_of(family, split), false) != Lock::kTaken;
}

void Claims::give_back(const std::string& family, int split) {
  if (file_ >= 0) (void)lock(file_, F_UNLCK, byte_of(family, split), false);
}

DoneElsewhere drop_done(RunGroup& group, const Store& store, bool retry) {
  const std::string& family = group.family->id;
  std::set<std::string> strata;
  for (const auto& stratum : group.strata) strata.insert(stratum->id);
  const DoneRuns done(store, family, strata, retry);
  DoneElsewhere out;
  std::erase_if(group.inits, [&](int init) {
    const DoneRuns::State state = done.state(group.split, init);
    if (state == DoneRuns::State::kToDo) return false;
    ++out.runs;
    out.failed += state == DoneRuns::State::kWrong;
    return true;
  });
  return out;
}

}  // namespace cupel
