#include "cupel/lab/store/store.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/store_impl.h"
#include "cupel/lab/store/store_schema.h"

namespace cupel {
namespace {

Access access_of(Store::Mode mode) {
  return mode == Store::Mode::kOpen ? Access::kRead : Access::kCreate;
}

std::string score_text(const std::optional<double>& score) {
  return score ? fmt::format("{}", *score) : "missing";
}

std::string differs_text(const Row& now, const Row& before) {
  const RunRecord &r = now.run.record, &b = before.run.record;
  if (r.test_score != b.test_score)
    return fmt::format("its test score is {}, not {} as stored", score_text(r.test_score),
                       score_text(b.test_score));
  return "its outcome is not the one that is stored, although its test score is";
}

// SQLite would take it for a store that goes with the program.
const std::filesystem::path& named(const std::filesystem::path& path) {
  if (path.empty()) fail("the path of a store is empty; give one, as runs.sqlite");
  return path;
}

// A store that a process died over, or is still at, may have everything in its log.
std::string empty_text(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return fmt::format("{}: is empty, not a store", path.string());
  return fmt::format(
      "{0}: is a database without tables, not a store; if it is a copy, its log {0}-wal may be "
      "missing, which is part of a store: copy both",
      path.string());
}

[[noreturn]] void other_bits(const Database& db, const Row& row, const std::string& what) {
  fail(
      "{}: run {} was done again and {}; this build, this machine or this program does not give "
      "the same bits, so run into another file (--store)",
      db.name(), row.run.record.id, what);
}

}  // namespace

Store::Store(const std::filesystem::path& path, Mode mode)
    : path_(named(path)), impl_(std::make_unique<Impl>(path, access_of(mode))) {
  Database& db = impl_->db;
  const bool there = has_tables(db);
  if (there) check_schema(db);
  if (mode == Mode::kOpen) {
    if (!there) throw NotAStore(empty_text(path));
    impl_->all_sealed = seals_all(db);
    stand_in_for_tables(db);
    return;
  }
  db.write_ahead();
  make_tables(db);
  check_schema(db);
}

Store::~Store() = default;

void Store::Impl::keep_family(const std::string& id, const std::string& identity) {
  if (families.contains(id)) return;
  if (!add_family) add_family.emplace(db, "INSERT OR IGNORE INTO families VALUES (?, ?)");
  add_family->reset();
  add_family->bind(id).bind(identity).execute();
  if (identity_of(id) != identity)
    throw DamagedFile(
        fmt::format("{}: what the store says that family {} depends on was changed; take a copy of "
                    "the store from before",
                    db.name(), id));
}

std::string Store::Impl::identity_of(const std::string& family) {
  if (!known_family) known_family.emplace(db, "SELECT identity FROM families WHERE id = ?");
  known_family->reset();
  known_family->bind(family);
  std::string out = known_family->step() ? known_family->text(0) : "";
  known_family->reset();
  return out;
}

void Store::Impl::erase(const char* table, const std::string& family, int split, int init) {
  auto found = erasers.find(table);
  if (found == erasers.end())
    found = erasers
                .try_emplace(table, db,
                             fmt::format("DELETE FROM {} WHERE family = ? AND split = ? AND "
                                         "init = ?",
                                         table))
                .first;
  found->second.reset();
  found->second.bind(family).bind(split).bind(init).execute();
}

void Store::Impl::erase_row(const std::string& family, int split, int init) {
  for (const char* table : {"runs", "isolation", "strata", "other_scores", "seals"})
    erase(table, family, split, init);
}

void Store::Impl::write_row(const std::string& family, const Row& row) {
  const auto [split, init, r] = std::tie(row.run.split, row.run.init, row.run.record);
  erase_row(family, split, init);
  const auto ready = [&](std::optional<Statement>& statement, const char* sql) -> Statement& {
    if (!statement) statement.emplace(db, sql);
    statement->reset();
    return statement->bind(family).bind(split).bind(init);
  };
  Statement& run = ready(put_run, "INSERT INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  run.bind(r.id).bind(static_cast<int>(r.status)).bind(r.metric);
  run.bind(r.test_score).bind(r.valid_score).bind(row.loss);
  run.bind(r.epochs).bind(r.best_epoch).bind(r.seconds);
  run.bind(r.memory_bytes).bind(r.message).execute();
  if (!r.isolation.empty())
    ready(put_isolation, "INSERT INTO isolation VALUES (?,?,?,?)").bind(r.isolation).execute();
  for (const StratumScore& s : r.strata) {
    Statement& stratum = ready(put_stratum, "INSERT INTO strata VALUES (?,?,?,?,?,?,?,?)");
    stratum.bind(s.stratum).bind(s.inside).bind(s.outside);
    stratum.bind(s.inside_nodes).bind(s.outside_nodes).execute();
  }
  for (const auto& [metric, score] : r.other_scores)
    ready(put_score, "INSERT INTO other_scores VALUES (?,?,?,?,?)")
        .bind(metric)
        .bind(score)
        .execute();
  ready(put_seal, "INSERT INTO seals VALUES (?,?,?,?)").bind(row.seal).execute();
}

void Store::put(const std::string& family_identity, int split, int init, const RunRecord& record) {
  const std::lock_guard lock(impl_->mutex);
  Database& db = impl_->db;
  const std::string family = identity_hash(family_identity);
  const Row row = row_of(family_identity, split, init, record);
  if (const std::string fault = fault_of(family, family_identity, row); !fault.empty())
    throw std::logic_error(fmt::format("run {}: {}", row.run.record.id, fault));
  Transaction transaction(db);
  impl_->keep_family(family, family_identity);
  const std::optional<Row> before = impl_->row_at(family, split, init);
  if (before) {
    if (const std::string fault = fault_of(family, family_identity, *before); !fault.empty())
      impl_->not_as_kept(*before, fault);
  }
  if (!before || !is_finished(before->run.record.status)) {
    std::vector<Row> sides = impl_->sides_of(family, split, init);
    const auto same =
        std::ranges::find_if(sides, [&](const Row& side) { return same_outcome(side, row); });
    if (!sides.empty() && is_finished(record.status)) {
      // What contradicted each other is settled: this is the one that can be done again.
      if (same == sides.end()) other_bits(db, row, "it ended in neither of the ways that are kept");
      impl_->erase("conflicts", family, split, init);
    }
    impl_->write_row(family, row);
  } else if (is_finished(record.status)) {
    if (!same_outcome(*before, row)) other_bits(db, row, differs_text(row, *before));
    Row more = *before;
    if (take_scores(more, row)) {
      if (!more.seal.empty()) more.seal = seal_of(family, more);
      impl_->write_row(family, more);
    }
  }
  transaction.commit();
  impl_->families.insert(family);
  impl_->check_there();
}

void Store::Impl::check_there() {
  if (!db.lost()) return;
  fail(
      "{}: the store was deleted, replaced or cut short while it was written to, so what is done "
      "would be kept nowhere; put it back, or name another with --store, and start again",
      db.name());
}

void Store::check_there() const {
  const std::lock_guard lock(impl_->mutex);
  impl_->check_there();
}

}  // namespace cupel
