// What the files of the store share.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/store/store.h"
#include "cupel/lab/store/store_rows.h"

namespace cupel {

// Rows of `runs` that are outcomes. Earlier versions also kept what could not start on a machine,
// as failed runs; such rows are read as absent, and replaced by what comes of the run.
inline constexpr const char* kIsOutcome =
    "NOT (status = 2 AND (message LIKE 'needs about % MB and the limit is %' OR "
    "message LIKE '''%'' cannot be started in %'))";

// SQL: the hash of the data in an identity.
inline std::string content_in(const char* identity) {
  return fmt::format("json_extract({}, '$.dataset.content')", identity);
}

// "row 'gcn' on 'cora' in table '1'".
[[nodiscard]] std::string cell_phrase(const std::string& table, const std::string& dataset,
                                      const std::string& model);

// All members want the mutex held.
struct Store::Impl {
  Impl(const std::filesystem::path& path, Access access) : db(path, access) {}

  Database db;
  std::mutex mutex;
  std::set<std::string> families;  // known to be in the file, with the right identity
  std::set<std::string> checked;   // families whose rows were looked at, all of them
  bool all_sealed = true;          // every run and cell has a seal, or a mark that it is older
  std::optional<Statement> add_family, known_family, put_run, put_isolation, put_stratum, put_score,
      put_seal, one_row, one_strata, one_others;
  std::map<std::string, Statement> erasers;  // by table

  // --- families (store.cpp) ---
  void keep_family(const std::string& id, const std::string& identity);
  [[nodiscard]] std::string identity_of(const std::string& family);  // "" if it is not there

  // --- rows as they are (store_read.cpp) ---
  // All of a family, or one place of it, by (split, init); those that are no outcomes only of a
  // place.
  [[nodiscard]] std::vector<Row> rows_of(const std::string& family);
  [[nodiscard]] std::optional<Row> row_at(const std::string& family, int split, int init);
  // The same, and each is what was kept: throws DamagedFile that names the run if not.
  [[nodiscard]] std::vector<Row> checked_rows(const std::string& family);
  // Looks at all rows of a family once; what this process adds needs no look.
  void check_family(const std::string& family);
  void check_none_lost(const std::string& family);  // throws DamagedFile
  [[noreturn]] void not_as_kept(const Row& row, const std::string& fault);

  // --- cells (store_cells.cpp) ---
  // Cells of a version of a protocol that are not as they were kept, a phrase each.
  [[nodiscard]] std::vector<std::string> cell_faults(const std::string& version);
  void check_cells(const std::string& version);  // throws DamagedFile that names one
  // Inside a transaction: who changes cells checks them, says whether new ones are sealed, and
  // seals all of the version in the end. What was unsealed stays so.
  void put_cell_seal(std::int64_t cell, bool sealed);
  void seal_cells(const std::string& version);

  // --- writing, inside a transaction (store.cpp) ---
  // Puts a row into the place of whatever is there, with its seal or without one.
  void write_row(const std::string& family, const Row& row);
  void erase(const char* table, const std::string& family, int split, int init);
  void check_there();  // as of Store
  void erase_row(const std::string& family, int split, int init);

  // --- runs that ended in different ways (store_conflicts.cpp) ---
  [[nodiscard]] std::vector<std::pair<int, int>> conflict_places(const std::string& family);
  // With what is wrong with them as their fault.
  [[nodiscard]] std::vector<Row> sides_of(const std::string& family, int split, int init);
  // The place has no row and these outcomes, none of which agree.
  void keep_sides(const std::string& family, const std::vector<Row>& sides);
};

// Adds an outcome to those of a run. One that agrees with another only adds its scores to it; what
// was measured is that of the one with a seal, and a seal stays only where all scores had one.
void add_side(const std::string& family, std::vector<Row>& sides, const Row& row);

}  // namespace cupel
