// Seals of cells: which runs stand in which row and column is believed as long as it is what was
// written there.
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/words.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

// A cell as it is now, and the seal that was put on it.
struct SealedCell {
  std::int64_t at = 0;
  std::string where;  // "row 'gcn' on 'cora' in table '1'"
  std::string hash;
  std::string seal;   // empty: from before cells were sealed
  bool bare = false;  // there is no place for a seal
};

constexpr int kAt = 0, kTable = 2, kDataset = 3, kModel = 4, kFields = 14, kSeal = 15;

// Of a protocol, with looks and what was asked; or of all, by at.
std::vector<SealedCell> cells_of(const Database& db, const std::string& version) {
  Statement rows(
      db,
      "SELECT at, c.protocol, c.table_id, c.dataset, c.model, configuration, metric, family, "
      "stratum, first_split, deterministic, full_splits, full_inits, classes, "
      "coalesce(l.splits || ' x ' || l.inits, ''), s.hash FROM cells c LEFT JOIN looks l ON "
      "l.protocol = c.protocol AND l.table_id = c.table_id AND l.dataset = c.dataset AND l.model = "
      "c.model LEFT JOIN cell_seals s ON s.cell = c.at WHERE c.protocol = ? ORDER BY at");
  rows.bind(version);
  Statement asked(db, "SELECT splits, inits FROM asked WHERE cell = ? ORDER BY splits, inits");
  std::vector<SealedCell> out;
  while (rows.step()) {
    SealedCell cell;
    cell.at = rows.integer(kAt);
    cell.where = cell_phrase(rows.text(kTable), rows.text(kDataset), rows.text(kModel));
    Hasher hasher;
    hasher.field("cupel cell, 1");
    for (int i = 1; i <= kFields; ++i) hasher.field(rows.text(i));
    asked.reset();
    asked.bind(cell.at);
    while (asked.step()) hasher.field(asked.text(0)).field(asked.text(1));
    cell.hash = hasher.hex();
    cell.seal = rows.text(kSeal);
    cell.bare = rows.type(kSeal) == SQLITE_NULL;
    out.push_back(std::move(cell));
  }
  return out;
}

}  // namespace

std::string cell_phrase(const std::string& table, const std::string& dataset,
                        const std::string& model) {
  return fmt::format("row '{}' on '{}' in table '{}'", model.substr(0, 80), dataset.substr(0, 80),
                     table.substr(0, 80));
}

std::vector<std::string> Store::Impl::cell_faults(const std::string& version) {
  std::vector<std::string> out;
  for (const SealedCell& cell : cells_of(db, version)) {
    if (cell.bare && all_sealed)
      out.push_back(cell.where + ": it has no seal");
    else if (!cell.seal.empty() && cell.seal != cell.hash)
      out.push_back(cell.where + ": its seal is not that of what the store says of it");
  }
  return out;
}

void Store::Impl::check_cells(const std::string& version) {
  std::vector<std::string> faults = cell_faults(version);
  // A damaged page may hide cells; their seals lie elsewhere.
  Statement lost(db, "SELECT count(*) FROM cell_seals WHERE cell NOT IN (SELECT at FROM cells)");
  lost.step();
  if (const std::int64_t seals = lost.integer(0); seals > 0)
    faults.push_back(counted(seals, "seal") + " of cells that are not there");
  if (faults.empty()) return;
  throw DamagedFile(fmt::format(
      "{}: what stands where in a table is not as it was kept: {}; `cupel verify {}` lists all "
      "such cells; take a copy from before, or run the protocol into another file (--store)",
      db.name(), faults.front(), db.name()));
}

void Store::Impl::put_cell_seal(std::int64_t cell, bool sealed) {
  // What is sealed gets its hash when all of it is there.
  Statement(db, "INSERT OR REPLACE INTO cell_seals VALUES (?, ?)")
      .bind(cell)
      .bind(std::string(sealed ? "new" : ""))
      .execute();
}

void Store::Impl::seal_cells(const std::string& version) {
  Statement put(db, "UPDATE cell_seals SET hash = ? WHERE cell = ?");
  for (const SealedCell& cell : cells_of(db, version)) {
    if (cell.seal.empty() || cell.seal == cell.hash) continue;
    put.bind(cell.hash).bind(cell.at).execute();
  }
}

}  // namespace cupel
