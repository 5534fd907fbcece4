// The half of the store that knows what was asked for.
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

// Cells that a clause selects go, with what was asked of them and their seals.
class Forgetter {
 public:
  Forgetter(Database& db, const std::string& where)
      : asked_(db, "DELETE FROM asked WHERE cell IN (SELECT at FROM cells WHERE " + where + ")"),
        seals_(db,
               "DELETE FROM cell_seals WHERE cell IN (SELECT at FROM cells WHERE " + where + ")"),
        cells_(db, "DELETE FROM cells WHERE " + where) {}

  // What stands for the clause's question marks.
  void forget(const std::vector<std::string>& values) {
    for (Statement* statement : {&asked_, &seals_, &cells_}) {
      for (const std::string& value : values) statement->bind(value);
      statement->execute();
    }
  }

 private:
  Statement asked_, seals_, cells_;
};

// Where the data behind a name have changed, what was asked of the old ones is not mixed in: the
// column's cells of other data go, whichever row they are of.
void forget_other_data(Database& db, const Plan& plan) {
  Forgetter column(db, fmt::format("protocol = ? AND table_id = ? AND dataset = ? AND family IN "
                                   "(SELECT id FROM families WHERE json_valid(identity) AND {} <> "
                                   "{})",
                                   content_in("identity"), content_in("?")));
  std::set<std::pair<std::string, std::string>> seen;
  for (const PlannedCell& cell : plan.cells)
    if (seen.emplace(cell.table, cell.dataset).second)
      column.forget({plan.version, cell.table, cell.dataset, cell.family->identity});
}

// Where a row asks for another computation (of another version of the numerics, say), all
// configurations of the cell go.
void forget_changed(Database& db, const Plan& plan) {
  Statement find(db,
                 "SELECT family, stratum, first_split FROM cells WHERE protocol = ? AND "
                 "table_id = ? AND dataset = ? AND model = ? AND configuration = ?");
  Forgetter row(db, "protocol = ? AND table_id = ? AND dataset = ? AND model = ?");
  for (const PlannedCell& cell : plan.cells) {
    find.reset();
    find.bind(plan.version).bind(cell.table).bind(cell.dataset).bind(cell.model);
    find.bind(cell.configuration);
    if (!find.step()) continue;
    const bool same = find.text(0) == cell.family->id &&
                      find.text(1) == (cell.stratum ? cell.stratum->id : "") &&
                      find.number(2) == cell.first_split;
    find.reset();
    if (!same) row.forget({plan.version, cell.table, cell.dataset, cell.model});
  }
}

// A number of splits, inits or classes.
int count_of(const Database& db, const Statement& row, int column) {
  const int value = row.number(column);
  if (value < 0)
    throw DamagedFile(fmt::format(
        "{}: the store says {} where a cell counts something; take a copy of the store from before",
        db.name(), value));
  return value;
}

}  // namespace

void Store::register_plan(const Plan& plan) {
  const std::lock_guard lock(impl_->mutex);
  Database& db = impl_->db;
  Transaction transaction(db);
  impl_->check_cells(plan.version);
  // The same version with other comments or published values: keep the newer text. The newest place
  // in the order goes to what was asked for last.
  Statement(db, "DELETE FROM protocols WHERE version = ?").bind(plan.version).execute();
  Statement(db, "INSERT INTO protocols(version, name, text, published) VALUES (?, ?, ?, ?)")
      .bind(plan.version)
      .bind(plan.protocol)
      .bind(plan.text)
      .bind(plan.published_text)
      .execute();
  forget_other_data(db, plan);
  forget_changed(db, plan);
  Statement find(db,
                 "SELECT at FROM cells WHERE protocol = ? AND table_id = ? AND dataset = ? AND "
                 "model = ? AND configuration = ?");
  Statement add(
      db,
      "INSERT INTO cells(protocol, table_id, dataset, model, configuration, metric, family, "
      "stratum, first_split, deterministic, full_splits, full_inits, classes) "
      "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
  Statement ask(db, "INSERT OR IGNORE INTO asked VALUES (?, ?, ?)");
  for (const PlannedCell& cell : plan.cells) {
    const Family& family = *cell.family;
    impl_->keep_family(family.id, family.identity);
    find.reset();
    find.bind(plan.version).bind(cell.table).bind(cell.dataset).bind(cell.model);
    find.bind(cell.configuration);
    std::int64_t at = 0;
    if (find.step()) {
      at = find.integer(0);
    } else {
      add.bind(plan.version).bind(cell.table).bind(cell.dataset).bind(cell.model);
      add.bind(cell.configuration).bind(family.metric).bind(family.id);
      add.bind(cell.stratum ? cell.stratum->id : std::string()).bind(cell.first_split);
      add.bind(family.model.deterministic ? 1 : 0).bind(cell.full_splits).bind(cell.full_inits);
      add.bind(family.dataset ? family.dataset->data->data().classes() : 0);
      add.execute();
      at = db.last_row();
      impl_->put_cell_seal(at, true);
    }
    ask.bind(at).bind(cell.splits).bind(cell.inits).execute();
  }
  impl_->seal_cells(plan.version);
  transaction.commit();
  for (const PlannedCell& cell : plan.cells) impl_->families.insert(cell.family->id);
}

std::vector<StoredProtocol> Store::protocols() const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db,
                 "SELECT name, version, text, published FROM protocols ORDER BY at DESC");
  std::vector<StoredProtocol> out;
  while (rows.step()) out.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3)});
  return out;
}

std::vector<StoredCell> Store::cells(const std::string& version) const {
  const std::lock_guard lock(impl_->mutex);
  impl_->check_cells(version);
  Statement rows(
      impl_->db,
      "SELECT at, table_id, dataset, model, configuration, metric, family, stratum, "
      "first_split, deterministic, full_splits, full_inits, classes, splits, inits, "
      "(SELECT CASE WHEN json_valid(identity) THEN " +
          content_in("identity") +
          " END FROM families WHERE id = family) FROM cells JOIN asked ON cell = at WHERE protocol "
          "= ? ORDER BY at, splits, inits");
  rows.bind(version);
  std::vector<StoredCell> out;
  for (std::int64_t last = -1; rows.step();) {
    if (rows.integer(0) != last) {
      last = rows.integer(0);
      StoredCell cell;
      cell.table = rows.text(1);
      cell.dataset = rows.text(2);
      cell.model = rows.text(3);
      cell.configuration = rows.text(4);
      cell.metric = rows.text(5);
      cell.family = rows.text(6);
      cell.stratum = rows.text(7);
      cell.first_split = count_of(impl_->db, rows, 8);
      cell.deterministic = rows.number(9) != 0;
      cell.full_splits = count_of(impl_->db, rows, 10);
      cell.full_inits = count_of(impl_->db, rows, 11);
      cell.classes = count_of(impl_->db, rows, 12);
      cell.content = rows.text(15);
      out.push_back(std::move(cell));
    }
    out.back().asked.emplace_back(count_of(impl_->db, rows, 13), count_of(impl_->db, rows, 14));
  }
  return out;
}

std::vector<StoredTrial> Store::trials() const {
  const std::lock_guard lock(impl_->mutex);
  // Searches keep no names; the content of a data set may be known from a table.
  std::map<std::string, std::string> names;
  Statement known(impl_->db,
                  fmt::format("SELECT DISTINCT {}, cells.dataset FROM cells JOIN families ON "
                              "families.id = cells.family WHERE json_valid(identity)",
                              content_in("identity")));
  while (known.step()) names.emplace(known.text(0), known.text(1));
  Statement rows(impl_->db,
                 fmt::format("SELECT families.id, identity, count(*), sum(status IN (2, 3)), "
                             "avg(valid_score), {} FROM runs JOIN families ON families.id = "
                             "runs.family WHERE json_valid(identity) AND json_extract(identity, "
                             "'$.scores') = 'valid' AND {} GROUP BY families.id ORDER BY "
                             "families.id",
                             content_in("identity"), kIsOutcome));
  std::vector<StoredTrial> out;
  while (rows.step()) {
    impl_->check_family(rows.text(0));
    const auto name = names.find(rows.text(5));
    out.push_back({rows.text(0), rows.text(1), name == names.end() ? "" : name->second,
                   rows.number(2), rows.number(3), rows.optional_real(4)});
  }
  return out;
}

}  // namespace cupel
