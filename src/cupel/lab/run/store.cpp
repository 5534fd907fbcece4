#include "cupel/lab/run/store.h"

#include "cupel/base/error.h"
#include "cupel/lab/run/identity.h"
#include "cupel/lab/run/store_impl.h"

namespace cupel {
namespace {

constexpr int kApplication = 0x4375706C;  // "Cupl": tells a store from other SQLite files
constexpr int kSchema = 3;

constexpr const char* kTables = R"(
CREATE TABLE families (
  id TEXT PRIMARY KEY,          -- half a SHA-256 of identity
  identity TEXT NOT NULL        -- canonical JSON
) WITHOUT ROWID;
CREATE TABLE runs (
  family TEXT NOT NULL REFERENCES families(id),
  split INTEGER NOT NULL,
  init INTEGER NOT NULL,
  id TEXT NOT NULL,
  status INTEGER NOT NULL,      -- 0 ok, 1 diverged, 2 failed, 3 timeout
  metric TEXT NOT NULL,
  test_score REAL,              -- fraction
  valid_score REAL,
  valid_loss REAL,
  epochs INTEGER NOT NULL,
  best_epoch INTEGER NOT NULL,
  seconds REAL NOT NULL,
  memory_bytes INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (family, split, init)
) WITHOUT ROWID;
CREATE INDEX runs_by_id ON runs(id);
CREATE TABLE strata (                -- test scores on a group of nodes, and on the others
  family TEXT NOT NULL,
  split INTEGER NOT NULL,
  init INTEGER NOT NULL,
  stratum TEXT NOT NULL,        -- hash of the group's node ids
  inside REAL,                  -- fractions; NULL where there are no such nodes
  outside REAL,
  inside_nodes INTEGER NOT NULL,
  outside_nodes INTEGER NOT NULL,
  PRIMARY KEY (family, split, init, stratum)
) WITHOUT ROWID;
CREATE TABLE other_scores (          -- test scores by metrics that nothing was selected by
  family TEXT NOT NULL,
  split INTEGER NOT NULL,
  init INTEGER NOT NULL,
  metric TEXT NOT NULL,
  score REAL NOT NULL,          -- fraction
  PRIMARY KEY (family, split, init, metric)
) WITHOUT ROWID;
CREATE TABLE protocols (
  at INTEGER PRIMARY KEY,       -- grows; the newest is the largest
  version TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  published TEXT NOT NULL
);
CREATE TABLE cells (
  at INTEGER PRIMARY KEY,
  protocol TEXT NOT NULL REFERENCES protocols(version),
  table_id TEXT NOT NULL,
  dataset TEXT NOT NULL,
  model TEXT NOT NULL,
  configuration TEXT NOT NULL,  -- of those that the cell chooses from: "layers=3"; else ""
  metric TEXT NOT NULL,
  family TEXT NOT NULL REFERENCES families(id),
  stratum TEXT NOT NULL,        -- by which test scores are split, or ""
  first_split INTEGER NOT NULL,
  deterministic INTEGER NOT NULL,  -- 1: init 0 stands for every initialisation
  full_splits INTEGER NOT NULL,    -- what the protocol asks for
  full_inits INTEGER NOT NULL,
  classes INTEGER NOT NULL,        -- of the data set
  UNIQUE (protocol, table_id, dataset, model, configuration)
);
CREATE TABLE asked (               -- what was asked for: the first `splits` x the first `inits`
  cell INTEGER NOT NULL REFERENCES cells(at),
  splits INTEGER NOT NULL,
  inits INTEGER NOT NULL,
  PRIMARY KEY (cell, splits, inits)
) WITHOUT ROWID;
)";

// A later outcome replaces only one that failed (2) or timed out (3), and only by one that is no
// worse.
constexpr const char* kPut = R"(
INSERT INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT DO UPDATE SET status = excluded.status, metric = excluded.metric,
  test_score = excluded.test_score, valid_score = excluded.valid_score,
  valid_loss = excluded.valid_loss, epochs = excluded.epochs, best_epoch = excluded.best_epoch,
  seconds = excluded.seconds, memory_bytes = excluded.memory_bytes, message = excluded.message
WHERE runs.status IN (2, 3))";

constexpr const char* kRun =
    "SELECT split, init, runs.id, status, metric, test_score, valid_score, valid_loss, epochs, "
    "best_epoch,"
    " seconds, memory_bytes, message, identity FROM runs JOIN families ON families.id = "
    "runs.family ";

StoredRun read_run(const Statement& row) {
  StoredRun run;
  run.split = row.number(0);
  run.init = row.number(1);
  RunRecord& r = run.record;
  r.id = row.text(2);
  r.status = static_cast<RunStatus>(row.number(3));
  r.metric = row.text(4);
  r.test_score = row.optional_real(5);
  r.valid_score = row.optional_real(6);
  r.valid_loss = row.optional_real(7).value_or(0);
  r.epochs = row.number(8);
  r.best_epoch = row.number(9);
  r.seconds = row.real(10);
  r.memory_bytes = row.integer(11);
  r.message = row.text(12);
  r.identity = run_identity(row.text(13), run.split, run.init);
  return run;
}

int pragma(const Database& db, const char* name) {
  Statement statement(db, std::string("PRAGMA ") + name);
  statement.step();
  return statement.number(0);
}

bool has_tables(const Database& db) {
  Statement count(db, "SELECT count(*) FROM sqlite_master");
  count.step();
  return count.integer(0) > 0;
}

void check_schema(const Database& db) {
  if (pragma(db, "application_id") != kApplication)
    fail("{}: is a database of another program, not a store; choose another file with --store",
         db.name());
  if (const int schema = pragma(db, "user_version"); schema != kSchema)
    fail(
        "{}: the store has schema {} and this program keeps schema {}; run into a new file "
        "(--store), or use the version of cupel that wrote this one",
        db.name(), schema, kSchema);
}

std::string score_text(const std::optional<double>& score) {
  return score ? fmt::format("{}", *score) : "missing";
}

StratumScore read_stratum(const Statement& row, int first) {
  return {row.text(first), row.optional_real(first + 1), row.optional_real(first + 2),
          row.number(first + 3), row.number(first + 4)};
}

}  // namespace

void Store::Impl::keep_strata(const std::string& family, int split, int init, const std::string& id,
                              const RunRecord& record) {
  if (!known_score)
    known_score.emplace(db,
                        "SELECT test_score FROM runs WHERE family = ? AND split = ? AND init = ?");
  known_score->reset();
  known_score->bind(family).bind(split).bind(init);
  known_score->step();
  const auto before = known_score->optional_real(0);
  known_score->reset();
  if (before != record.test_score)
    fail(
        "{}: run {} was done again and its test score is {}, not {} as stored; this build, this "
        "machine or this program does not give the same bits, so run into another file (--store)",
        db.name(), id, score_text(record.test_score), score_text(before));
  if (!put_stratum)
    put_stratum.emplace(db, "INSERT OR REPLACE INTO strata VALUES (?,?,?,?,?,?,?,?)");
  for (const StratumScore& s : record.strata) {
    put_stratum->reset();
    put_stratum->bind(family).bind(split).bind(init).bind(s.stratum);
    put_stratum->bind(s.inside).bind(s.outside).bind(s.inside_nodes).bind(s.outside_nodes);
    put_stratum->execute();
  }
}

void Store::Impl::keep_other_scores(const std::string& family, int split, int init,
                                    const RunRecord& record) {
  if (!put_score) put_score.emplace(db, "INSERT OR REPLACE INTO other_scores VALUES (?,?,?,?,?)");
  for (const auto& [metric, score] : record.other_scores) {
    put_score->reset();
    put_score->bind(family).bind(split).bind(init).bind(metric).bind(score).execute();
  }
}

Store::Store(const std::filesystem::path& path, Mode mode)
    : path_(path), impl_(std::make_unique<Impl>(path, mode == Mode::kOpenOrCreate)) {
  Database& db = impl_->db;
  if (has_tables(db)) {
    check_schema(db);
  } else if (mode == Mode::kOpen) {
    fail("{}: is empty, not a store", path.string());
  }
  // With a write-ahead log a commit is one append: the death of the process loses nothing, that of
  // the machine at most the last runs, and neither damages the file.
  db.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (mode == Mode::kOpenOrCreate) {
    Transaction transaction(db);
    if (!has_tables(db)) {
      db.run(kTables);
      db.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication,
                         kSchema));
    }
    transaction.commit();
  }
  check_schema(db);
}

Store::~Store() = default;

void Store::put(const std::string& family_identity, int split, int init, const RunRecord& record) {
  const std::lock_guard lock(impl_->mutex);
  Database& db = impl_->db;
  const std::string family = identity_hash(family_identity);
  const std::string id = identity_hash(run_identity(family_identity, split, init));
  Transaction transaction(db);
  impl_->keep_family(family, family_identity);
  if (!impl_->put) impl_->put.emplace(db, kPut);
  impl_->put->reset();
  impl_->put->bind(family).bind(split).bind(init).bind(id);
  impl_->put->bind(static_cast<int>(record.status)).bind(record.metric);
  impl_->put->bind(record.test_score).bind(record.valid_score).bind(record.valid_loss);
  impl_->put->bind(record.epochs).bind(record.best_epoch).bind(record.seconds);
  impl_->put->bind(record.memory_bytes).bind(record.message).execute();
  impl_->keep_other_scores(family, split, init, record);
  if (!record.strata.empty()) impl_->keep_strata(family, split, init, id, record);
  transaction.commit();
  impl_->families.insert(family);
}

std::vector<StoredRun> Store::runs(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db,
                 fmt::format("{} WHERE family = ? AND {} ORDER BY split, init", kRun, kIsOutcome));
  rows.bind(family_id);
  std::vector<StoredRun> out;
  while (rows.step()) out.push_back(read_run(rows));
  // These lists ascend by (split, init), too.
  const auto join = [&](const char* query, auto&& add) {
    Statement parts(impl_->db, query);
    parts.bind(family_id);
    auto at = out.begin();
    while (parts.step()) {
      const std::pair place(parts.number(0), parts.number(1));
      while (at != out.end() && std::pair(at->split, at->init) < place) ++at;
      if (at != out.end() && std::pair(at->split, at->init) == place) add(at->record, parts);
    }
  };
  join(
      "SELECT split, init, stratum, inside, outside, inside_nodes, outside_nodes FROM strata "
      "WHERE family = ? ORDER BY split, init, stratum",
      [](RunRecord& record, const Statement& part) {
        record.strata.push_back(read_stratum(part, 2));
      });
  join(
      "SELECT split, init, metric, score FROM other_scores WHERE family = ? "
      "ORDER BY split, init, metric",
      [](RunRecord& record, const Statement& part) {
        record.other_scores.emplace_back(part.text(2), part.real(3));
      });
  return out;
}

std::set<std::pair<int, int>> Store::without_strata(const std::string& family_id,
                                                    const std::set<std::string>& strata) const {
  const std::lock_guard lock(impl_->mutex);
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
  Statement rows(
      impl_->db,
      fmt::format("{} WHERE runs.id >= ? AND runs.id < ? AND {} ORDER BY runs.id LIMIT 2", kRun,
                  kIsOutcome));
  rows.bind(id).bind(id + "g");  // 'g' follows every hexadecimal digit
  if (!rows.step()) return {};
  const StoredRun run = read_run(rows);
  RunRecord record = run.record;
  Statement strata(
      impl_->db,
      "SELECT stratum, inside, outside, inside_nodes, outside_nodes FROM strata s JOIN "
      "runs r USING (family, split, init) WHERE r.id = ? ORDER BY stratum");
  strata.bind(record.id);
  while (strata.step()) record.strata.push_back(read_stratum(strata, 0));
  Statement others(
      impl_->db,
      "SELECT s.metric, score FROM other_scores s JOIN runs r USING (family, split, init) "
      "WHERE r.id = ? ORDER BY s.metric");
  others.bind(record.id);
  while (others.step()) record.other_scores.emplace_back(others.text(0), others.real(1));
  if (rows.step()) fail("run ids beginning with '{}' are several; give more digits", id);
  return record;
}

std::int64_t Store::run_count() const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->db, fmt::format("SELECT count(*) FROM runs WHERE {}", kIsOutcome));
  count.step();
  return count.integer(0);
}

Store::Cost Store::cost(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  Statement row(impl_->db,
                "SELECT count(*), avg(seconds), max(memory_bytes) FROM runs "
                "WHERE family = ? AND status <= 1");
  row.bind(family_id);
  row.step();
  return {row.integer(0), row.real(1), row.integer(2)};
}

void Store::check_integrity() const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db, "PRAGMA integrity_check");
  std::string found;
  while (rows.step()) found += (found.empty() ? "" : "; ") + rows.text(0);
  if (found != "ok") fail("{}: the store is damaged: {}", path_.string(), found);
}

}  // namespace cupel
