// The half of the store that reads runs. No row is given out that is not as it was kept.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

constexpr const char* kStrata =
    "SELECT split, init, stratum, inside, outside, inside_nodes, outside_nodes FROM strata WHERE "
    "family = ? ";
constexpr const char* kOthers =
    "SELECT split, init, metric, score FROM other_scores WHERE family = ? ";

std::string rows_query(bool all_sealed, const std::string& where) {
  return fmt::format("SELECT {}, {} FROM {} WHERE {} ORDER BY r.split, r.init", kRowColumns,
                     all_sealed ? "s.hash" : "coalesce(s.hash, '')", kRowTables, where);
}

void add_stratum(Row& row, const Statement& part) {
  row.run.record.strata.push_back(
      {part.text(2), read_score(part, 3, "score on a stratum", row.fault),
       read_score(part, 4, "score outside a stratum", row.fault), part.number(5), part.number(6)});
}

void add_other(Row& row, const Statement& part) {
  const auto score = read_score(part, 3, "other score", row.fault);
  row.run.record.other_scores.emplace_back(part.text(2), score.value_or(0));
}

}  // namespace

std::vector<Row> Store::Impl::rows_of(const std::string& family) {
  Statement rows(db, rows_query(all_sealed, fmt::format("r.family = ? AND {}", kIsOutcome)));
  rows.bind(family);
  std::vector<Row> out;
  while (rows.step()) out.push_back(read_row(rows));
  // These lists ascend by (split, init), too.
  const auto join = [&](const std::string& query, auto&& add) {
    Statement parts(db, query);
    parts.bind(family);
    auto at = out.begin();
    while (parts.step()) {
      const std::pair place(parts.number(0), parts.number(1));
      while (at != out.end() && std::pair(at->run.split, at->run.init) < place) ++at;
      if (at != out.end() && std::pair(at->run.split, at->run.init) == place) add(*at, parts);
    }
  };
  join(fmt::format("{}ORDER BY split, init, stratum", kStrata), add_stratum);
  join(fmt::format("{}ORDER BY split, init, metric", kOthers), add_other);
  return out;
}

std::optional<Row> Store::Impl::row_at(const std::string& family, int split, int init) {
  const auto ready = [&](std::optional<Statement> & statement, const std::string& sql) -> auto& {
    if (!statement) statement.emplace(db, sql);
    statement->reset();
    return statement->bind(family).bind(split).bind(init);
  };
  Statement& found =
      ready(one_row, rows_query(all_sealed, "r.family = ? AND r.split = ? AND r.init = ?"));
  std::optional<Row> out;
  if (found.step()) out = read_row(found);
  found.reset();
  if (!out) return out;
  const std::string here = "AND split = ? AND init = ? ORDER BY ";
  Statement& strata = ready(one_strata, kStrata + here + "stratum");
  while (strata.step()) add_stratum(*out, strata);
  strata.reset();
  Statement& others = ready(one_others, kOthers + here + "metric");
  while (others.step()) add_other(*out, others);
  others.reset();
  return out;
}

void Store::Impl::not_as_kept(const Row& row, const std::string& fault) {
  throw DamagedFile(fmt::format(
      "{}: run {} is not as it was kept: {}; `cupel verify {}` lists all such runs; take a copy "
      "from before, or delete them from the tables `runs` and `seals` and run again",
      db.name(), row.run.record.id.substr(0, 32), fault, db.name()));
}

// A damaged page may hide rows, of which no row tells; their seals lie elsewhere.
void Store::Impl::check_none_lost(const std::string& family) {
  Statement counts(db,
                   "SELECT (SELECT count(*) FROM seals WHERE family = ?), (SELECT count(*) FROM "
                   "runs WHERE family = ?)");
  counts.bind(family).bind(family).step();
  const std::int64_t lost = counts.integer(0) - counts.integer(1);
  if (lost <= 0) return;
  throw DamagedFile(fmt::format(
      "{}: family {} lacks {} that its seals tell of; take a copy of the store from before, or "
      "delete the seals of no run from the table `seals` and run again",
      db.name(), family.substr(0, 32), counted(lost, "run")));
}

std::vector<Row> Store::Impl::checked_rows(const std::string& family) {
  check_none_lost(family);
  std::vector<Row> out = rows_of(family);
  if (out.empty()) return out;
  const std::string identity = identity_of(family);
  if (const std::string fault = family_fault(family, identity); !fault.empty())
    not_as_kept(out.front(), fault);
  for (const Row& row : out) {
    if (const std::string fault = fault_of(family, identity, row); !fault.empty())
      not_as_kept(row, fault);
  }
  checked.insert(family);
  return out;
}

void Store::Impl::check_family(const std::string& family) {
  if (!checked.contains(family)) (void)checked_rows(family);
}

std::vector<std::string> Store::families() const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db, "SELECT id FROM families ORDER BY id");
  std::vector<std::string> out;
  while (rows.step()) out.push_back(rows.text(0));
  return out;
}

std::string Store::identity(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->identity_of(family_id);
}

std::vector<StoredRun> Store::runs(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<StoredRun> out;
  std::string identity;
  for (Row& row : impl_->checked_rows(family_id)) {
    if (out.empty()) identity = impl_->identity_of(family_id);
    row.run.record.identity = run_identity(identity, row.run.split, row.run.init);
    out.push_back(std::move(row.run));
  }
  return out;
}

std::set<std::pair<int, int>> Store::without_strata(const std::string& family_id,
                                                    const std::set<std::string>& strata) const {
  const std::lock_guard lock(impl_->mutex);
  impl_->check_family(family_id);
  std::set<std::pair<int, int>> out;
  for (const std::string& stratum : strata) {
    Statement rows(impl_->db,
                   "SELECT split, init FROM runs r WHERE family = ? AND test_score IS NOT NULL "
                   "AND NOT EXISTS (SELECT 1 FROM strata s WHERE s.family = r.family AND "
                   "s.split = r.split AND s.init = r.init AND s.stratum = ?)");
    rows.bind(family_id).bind(stratum);
    while (rows.step()) out.insert({rows.number(0), rows.number(1)});
  }
  return out;
}

std::map<std::pair<int, int>, double> Store::scores(const std::string& family_id,
                                                    ScoreKind kind) const {
  const std::lock_guard lock(impl_->mutex);
  impl_->check_family(family_id);
  const std::string column = kind == ScoreKind::kValid ? "valid_score" : "test_score";
  Statement rows(impl_->db, fmt::format("SELECT split, init, {0} FROM runs WHERE family = ? AND "
                                        "status <= 1 AND {0} IS NOT NULL",
                                        column));
  rows.bind(family_id);
  std::map<std::pair<int, int>, double> out;
  while (rows.step()) out[{rows.number(0), rows.number(1)}] = rows.real(2);
  return out;
}

std::map<std::pair<int, int>, RunStatus> Store::statuses(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  impl_->check_family(family_id);
  Statement rows(
      impl_->db,
      fmt::format("SELECT split, init, status FROM runs WHERE family = ? AND {}", kIsOutcome));
  rows.bind(family_id);
  std::map<std::pair<int, int>, RunStatus> out;
  while (rows.step())
    out[{rows.number(0), rows.number(1)}] = static_cast<RunStatus>(rows.number(2));
  return out;
}

std::optional<RunRecord> Store::find(const std::string& id) const {
  if (id.size() < 6 || id.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const std::lock_guard lock(impl_->mutex);
  Statement places(impl_->db,
                   fmt::format("SELECT family, split, init FROM runs WHERE id >= ? AND id < ? AND "
                               "{} ORDER BY id LIMIT 2",
                               kIsOutcome));
  places.bind(id).bind(id + "g");  // 'g' follows every hexadecimal digit
  if (!places.step()) return {};
  const std::string family = places.text(0);
  const int split = places.number(1), init = places.number(2);
  if (places.step()) fail("run ids beginning with '{}' are several; give more digits", id);
  const std::string identity = impl_->identity_of(family);
  std::optional<Row> row = impl_->row_at(family, split, init);
  if (!row) return {};
  std::string fault = family_fault(family, identity);
  if (fault.empty()) fault = fault_of(family, identity, *row);
  if (!fault.empty()) impl_->not_as_kept(*row, fault);
  row->run.record.identity = run_identity(identity, split, init);
  return row->run.record;
}

RunRecord Store::run(const std::string& id) const {
  std::optional<RunRecord> found = find(id);
  if (!found)
    fail(
        "{0}: there is no run '{1}'; `cupel show {0} --json` lists the ids, of which six digits "
        "are "
        "enough",
        path_.string(), id);
  return std::move(*found);
}

std::int64_t Store::run_count() const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->db, fmt::format("SELECT count(*) FROM runs WHERE {}", kIsOutcome));
  count.step();
  return count.integer(0);
}

std::int64_t Store::unsealed_count() const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->db,
                  fmt::format("SELECT count(*) FROM runs r LEFT JOIN seals s USING (family, split, "
                              "init) WHERE coalesce(s.hash, '') = '' AND {}",
                              kIsOutcome));
  count.step();
  return count.integer(0);
}

std::int64_t Store::unsealed_cell_count() const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->db,
                  "SELECT count(*) FROM cells c LEFT JOIN cell_seals s ON s.cell = c.at WHERE "
                  "coalesce(s.hash, '') = ''");
  count.step();
  return count.integer(0);
}

Store::Cost Store::cost(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  impl_->check_family(family_id);
  Statement row(impl_->db,
                "SELECT count(*), avg(seconds), max(memory_bytes) FROM runs "
                "WHERE family = ? AND status <= 1");
  row.bind(family_id);
  row.step();
  return {row.integer(0), row.real(1), row.integer(2)};
}

void Store::check_integrity() const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db, "PRAGMA integrity_check(5)");
  std::string found;
  while (rows.step()) found += (found.empty() ? "" : "; ") + rows.text(0);
  for (std::size_t at; (at = found.find('\n')) != std::string::npos;) found.replace(at, 1, "; ");
  if (found != "ok")
    throw DamagedFile(fmt::format("{}: the store is damaged: {}", path_.string(), found));
}

}  // namespace cupel
