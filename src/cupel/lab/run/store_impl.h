// What the files of the store share.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "cupel/lab/run/sqlite.h"
#include "cupel/lab/run/store.h"

namespace cupel {

// Rows of `runs` that are outcomes. Earlier versions also kept what could not start on a machine,
// as failed runs; such rows are read as absent, and replaced by what comes of the run.
inline constexpr const char* kIsOutcome =
    "NOT (status = 2 AND (message LIKE 'needs about % MB and the limit is %' OR "
    "message LIKE '''%'' cannot be started in %'))";

struct Store::Impl {
  Impl(const std::filesystem::path& path, bool create) : db(path, create) {}

  Database db;
  std::mutex mutex;
  std::set<std::string> families;  // known to be in the file
  std::optional<Statement> put, add_family, put_stratum, put_score, known_score;

  void keep_family(const std::string& id, const std::string& identity) {
    if (families.contains(id)) return;
    if (!add_family) add_family.emplace(db, "INSERT OR IGNORE INTO families VALUES (?, ?)");
    add_family->bind(id).bind(identity).execute();
  }

  // Of the attached store, inside a transaction.
  void merge_looks();
  void keep_other_scores(const std::string& family, int split, int init, const RunRecord& record);
  // Of a run whose row is kept already: its own, or one from before.
  void keep_strata(const std::string& family, int split, int init, const std::string& id,
                   const RunRecord& record);
};

}  // namespace cupel
