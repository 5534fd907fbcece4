// A store on a disk that fails: at every call that SQLite makes, in every way that we can think of.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/store.h"
#include "cupel/lab/verify/verify.h"
#include "lab/fake.h"
#include "lab/store/fault_vfs.h"
#include "lab/store/store_samples.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::family_of;
using made::FaultVfs;
using made::sample_run;
using made::TempFolder;
using Fault = FaultVfs::Fault;

constexpr int kRuns = 6;

// Every so manieth call; scripts/reliability asks for all of them.
long stride() {
  const char* given = std::getenv("CUPEL_FAULT_STRIDE");
  return given == nullptr ? 5 : std::stol(given);
}

std::string family() { return family_of("gcn"); }

// Temporary files are in memory while it lives: the faults are made up, and a disk is slow.
class InMemory {
 public:
  InMemory() {
    if (const char* given = std::getenv("TMPDIR")) before_ = given;
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
  }
  ~InMemory() {
    if (before_)
      ::setenv("TMPDIR", before_->c_str(), 1);
    else
      ::unsetenv("TMPDIR");
  }
  InMemory(const InMemory&) = delete;
  InMemory& operator=(const InMemory&) = delete;

 private:
  std::optional<std::string> before_;
};

// Puts runs until one cannot be put. How many were, and whether that was all.
struct Life {
  int put = 0;
  bool complained = false;
};
Life live(const fs::path& path) {
  Life out;
  try {
    Store store(path);
    for (; out.put < kRuns; ++out.put) store.put(family(), out.put, 0, sample_run(0.5));
  } catch (const Error&) {
    out.complained = true;
  } catch (const std::bad_alloc&) {
    out.complained = true;  // SQLite says so of some calls
  }
  return out;
}

std::set<int> kept(const fs::path& path) {
  std::set<int> out;
  const Store store(path);
  for (const StoredRun& run : store.runs(identity_hash(family()))) out.insert(run.split);
  return out;
}

// The runs of numbers below `count`.
std::set<int> first(int count) {
  std::set<int> out;
  for (int i = 0; i < count; ++i) out.insert(i);
  return out;
}

// One life with a fault at call `at`, and what is found afterwards. Whether the fault came.
bool survives(Fault fault, long at, int before, std::optional<std::size_t> power_keeps = {}) {
  const InMemory memory;
  TempFolder folder;
  const fs::path path = folder / "s.sqlite";
  FaultVfs disk;
  if (before > 0) {
    Store store(path);
    for (int i = 0; i < before; ++i) store.put(family(), i, 0, sample_run(0.5));
  }
  disk.arm(fault, at);
  const Life life = live(path);
  const bool fired = disk.fired();
  if (power_keeps) disk.lose_unsynced(*power_keeps);
  disk.arm(Fault::kNone, 0);
  const std::string what =
      fmt::format("fault {} at call {} after {} runs", static_cast<int>(fault), at, before);
  EXPECT_TRUE(fired || !life.complained) << what;
  const std::set<int> found = kept(path);
  const StoreCheck check = check_store(path);
  EXPECT_TRUE(check.problems.empty()) << what << ": " << check.problems.front();
  if (power_keeps) {
    // The last runs may be gone; none before one that is there.
    EXPECT_EQ(found, first(static_cast<int>(found.size()))) << what;
    EXPECT_LE(found.size(), static_cast<std::size_t>(std::max(before, life.put + 1))) << what;
  } else {
    const int sure = std::max(before, life.put);
    EXPECT_TRUE(found == first(sure) || found == first(std::min(kRuns, sure + 1)))
        << what << ": put " << life.put << ", found " << found.size();
  }
  // Whatever is missing is done again.
  EXPECT_EQ(live(path).put, kRuns) << what;
  EXPECT_EQ(kept(path), first(kRuns)) << what;
  return fired;
}

class EveryCall : public ::testing::TestWithParam<Fault> {};

TEST_P(EveryCall, LosesNothingThatWasPut) {
  long calls = 0;
  for (const int before : {0, 3}) {
    long at = 0;
    while (survives(GetParam(), at, before) && !HasFailure()) at += stride();
    EXPECT_GT(at, 20) << "too few calls for the test to mean anything";
    calls += at / stride();
  }
  RecordProperty("calls", static_cast<int>(calls));
}

INSTANTIATE_TEST_SUITE_P(Faults, EveryCall,
                         ::testing::Values(Fault::kError, Fault::kFull, Fault::kTorn,
                                           Fault::kDead));

TEST(PowerLoss, DamagesNothingAndTakesTheLastRunsAtMost) {
  long calls = 0;
  for (const std::size_t keep : {0, 2}) {
    for (const int before : {0, 3}) {
      long at = 0;
      while (survives(Fault::kDead, at, before, keep) && !HasFailure()) at += stride();
      EXPECT_GT(at, 20);
      calls += at / stride();
    }
  }
  RecordProperty("calls", static_cast<int>(calls));
}

}  // namespace
}  // namespace cupel
