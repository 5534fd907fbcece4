// What the store keeps of runs that were made until something was decided.
//
// The table is made when it is first needed: stores without it read as before.
#include "cupel/base/error.h"
#include "cupel/lab/run/store_impl.h"

namespace cupel {
namespace {

constexpr const char* kTable = R"(
CREATE TABLE IF NOT EXISTS looks (   -- cells that may end early: how large they may get
  protocol TEXT NOT NULL,
  table_id TEXT NOT NULL,
  dataset TEXT NOT NULL,
  model TEXT NOT NULL,
  splits INTEGER NOT NULL,
  inits INTEGER NOT NULL,
  PRIMARY KEY (protocol, table_id, dataset, model)
) WITHOUT ROWID)";

bool has_table(const Database& db, const char* schema) {
  Statement found(
      db, std::string("SELECT count(*) FROM ") + schema + ".sqlite_master WHERE name = 'looks'");
  found.step();
  return found.integer(0) > 0;
}

}  // namespace

void Store::plan_looks(const std::string& version, const CellName& cell, const Looks& looks) {
  if (const auto known = this->looks(version, cell)) {
    if (*known == looks) return;
    fail(
        "{}: '{}' on '{}' was begun to be decided by at most {} splits x {} initialisations, and "
        "looks are paid for by that number; ask for the same, or use another --store",
        path_.string(), cell.model, cell.dataset, known->splits, known->inits);
  }
  const std::lock_guard lock(impl_->mutex);
  impl_->db.run(kTable);
  Statement(impl_->db, "INSERT OR IGNORE INTO looks VALUES (?, ?, ?, ?, ?, ?)")
      .bind(version)
      .bind(cell.table)
      .bind(cell.dataset)
      .bind(cell.model)
      .bind(looks.splits)
      .bind(looks.inits)
      .execute();
}

std::optional<Looks> Store::looks(const std::string& version, const CellName& cell) const {
  const std::lock_guard lock(impl_->mutex);
  if (!has_table(impl_->db, "main")) return std::nullopt;
  Statement row(impl_->db,
                "SELECT splits, inits FROM looks WHERE protocol = ? AND table_id = ? AND "
                "dataset = ? AND model = ?");
  row.bind(version).bind(cell.table).bind(cell.dataset).bind(cell.model);
  if (!row.step()) return std::nullopt;
  return Looks{row.number(0), row.number(1)};
}

void Store::Impl::merge_looks() {
  if (!has_table(db, "other")) return;
  db.run(kTable);
  db.run("INSERT OR IGNORE INTO looks SELECT * FROM other.looks");
}

}  // namespace cupel
