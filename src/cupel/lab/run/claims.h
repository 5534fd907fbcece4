// Who does what, where several processes work on one store.
//
// A claim is a lock on one byte of the file STORE-claims, which holds nothing. The system gives it
// back when its process ends, in whatever way, so that no claim outlives its owner and nobody has
// to guess whether an owner is alive. The file goes with the last process that uses it; one that is
// left behind by a kill is used again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/lab/run/pending.h"

namespace cupel {

class Store;

// Not thread-safe. Where the file system has no locks, every claim is granted: work may then be
// done twice, which costs time and changes nothing.
class Claims {
 public:
  // `store`: the path of its file; ":memory:" is nobody else's.
  explicit Claims(const std::filesystem::path& store);
  ~Claims();
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

  // Whether this object has the runs of a family on a split from now on; false: another one does.
  [[nodiscard]] bool take(const std::string& family, int split);
  void give_back(const std::string& family, int split);

 private:
  void open();

  std::filesystem::path path_;
  int file_ = -1;
};

// Drops the runs of a group that somebody has done meanwhile. How many these were, and how many of
// them went wrong; with `retry` the latter are still to do.
struct DoneElsewhere {
  int runs = 0, failed = 0;
};
DoneElsewhere drop_done(RunGroup& group, const Store& store, bool retry);

}  // namespace cupel
