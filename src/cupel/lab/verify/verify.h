// Whether a store says what was computed: looking at all of it, and doing some of its runs again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"

namespace cupel {

struct StoreCheck {
  std::int64_t runs = 0, unsealed = 0, unsealed_cells = 0, conflicts = 0;
  std::vector<std::string> problems;  // what does not hold, a sentence each
  // Protocols of this program whose published values or tolerances are others in the store. A
  // version does not hold them, so that this may be an edit, or another version of the program.
  std::vector<std::string> other_published;
};

// Looks at the file (SQLite's integrity check), its tables and all rows; does nothing again. Throws
// Error for what is no store, or cannot be read; what is wrong with one that is are problems.
[[nodiscard]] StoreCheck check_store(const std::filesystem::path& path);

// A run that was done again.
struct RerunRun {
  std::string id, dataset, model;
  int split = 0, init = 0;
  bool in_conflict = false;  // stores disagree about it
  bool same = false;         // to the bit; of one in conflict: with one of the sides
  std::string difference;    // "test score 0.8 now, 0.9 in the store"; of one in conflict, which
                             // side holds
};

struct Rerun {
  std::vector<RerunRun> runs;
  // Runs that are not drawn, and why.
  std::int64_t programs = 0;         // of external programs: they need not be reproducible
  std::int64_t unfinished = 0;       // failed or timed out: that depends on the machine
  std::int64_t searches = 0;         // of searches: no table says what they were made of
  std::int64_t unreachable = 0;      // of no cell whose data and protocol are here
  std::vector<std::string> reasons;  // for the latter, one for each kind
  // Cells of the columns that were planned again, and stand for runs of another row: a phrase each.
  std::vector<std::string> misplaced;
  // All that were asked for were done again, or all that ever can be, one at least.
  bool enough = false;
};

struct RerunOptions {
  int runs = 0;      // how many to do again; those in conflict come first
  std::string seed;  // of the draw: any text. Who edits a store must not know it beforehand
  ExecuteOptions execute;
};

// Does runs again, drawn from all that can be drawn with equal chances, and compares outcomes to
// the bit; and looks whether the cells beside them stand for the runs that the protocol says. The
// store is not changed.
[[nodiscard]] Rerun rerun(const Store& store, const PlanSources& sources, const Executor& executor,
                          const RerunOptions& options);

}  // namespace cupel
