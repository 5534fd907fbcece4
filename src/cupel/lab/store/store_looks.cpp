// What the store keeps of runs that were made until something was decided.
#include "cupel/base/error.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {

void Store::plan_looks(const std::string& version, const CellName& cell, const Looks& looks) {
  if (const auto known = this->looks(version, cell)) {
    if (*known == looks) return;
    fail(
        "{}: '{}' on '{}' was begun to be decided by at most {} splits x {} initialisations, and "
        "looks are paid for by that number; ask for the same, or use another --store",
        path_.string(), cell.model, cell.dataset, known->splits, known->inits);
  }
  const std::lock_guard lock(impl_->mutex);
  Transaction transaction(impl_->db);
  impl_->check_cells(version);
  Statement(impl_->db, "INSERT OR IGNORE INTO looks VALUES (?, ?, ?, ?, ?, ?)")
      .bind(version)
      .bind(cell.table)
      .bind(cell.dataset)
      .bind(cell.model)
      .bind(looks.splits)
      .bind(looks.inits)
      .execute();
  impl_->seal_cells(version);
  transaction.commit();
}

std::optional<Looks> Store::looks(const std::string& version, const CellName& cell) const {
  const std::lock_guard lock(impl_->mutex);
  Statement row(impl_->db,
                "SELECT splits, inits FROM looks WHERE protocol = ? AND table_id = ? AND "
                "dataset = ? AND model = ?");
  row.bind(version).bind(cell.table).bind(cell.dataset).bind(cell.model);
  if (!row.step()) return std::nullopt;
  const Looks out{row.number(0), row.number(1)};
  if (out.splits < 1 || out.inits < 1)
    throw DamagedFile(fmt::format(
        "{}: '{}' on '{}' is decided by at most {} splits x {} initialisations, as the store says, "
        "which cannot be; take a copy of the store from before",
        path_.string(), cell.model.substr(0, 80), cell.dataset.substr(0, 80), out.splits,
        out.inits));
  return out;
}

}  // namespace cupel
