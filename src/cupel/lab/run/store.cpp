#include "cupel/lab/run/store.h"

#include <mutex>
#include <set>

#include "cupel/base/error.h"
#include "cupel/lab/run/identity.h"
#include "cupel/lab/run/plan.h"
#include "cupel/lab/run/sqlite.h"

namespace cupel {
namespace {

constexpr int kApplication = 0x4375706C;  // "Cupl": tells a store from other SQLite files
constexpr int kSchema = 1;

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
  metric TEXT NOT NULL,
  family TEXT NOT NULL REFERENCES families(id),
  first_split INTEGER NOT NULL,
  deterministic INTEGER NOT NULL,  -- 1: init 0 stands for every initialisation
  full_splits INTEGER NOT NULL,    -- what the protocol asks for
  full_inits INTEGER NOT NULL,
  UNIQUE (protocol, table_id, dataset, model)
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
        "{}: the store has schema {}, this program reads schema {}; use the version of cupel that "
        "wrote it",
        db.name(), schema, kSchema);
}

}  // namespace

struct Store::Impl {
  Impl(const std::filesystem::path& path, bool create) : db(path, create) {}

  Database db;
  std::mutex mutex;
  std::set<std::string> families;  // known to be in the file
  std::optional<Statement> put, add_family;

  void keep_family(const std::string& id, const std::string& identity) {
    if (families.contains(id)) return;
    if (!add_family) add_family.emplace(db, "INSERT OR IGNORE INTO families VALUES (?, ?)");
    add_family->bind(id).bind(identity).execute();
  }
};

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
  transaction.commit();
  impl_->families.insert(family);
}

std::vector<StoredRun> Store::runs(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db, std::string(kRun) + "WHERE family = ? ORDER BY split, init");
  rows.bind(family_id);
  std::vector<StoredRun> out;
  while (rows.step()) out.push_back(read_run(rows));
  return out;
}

std::map<std::pair<int, int>, RunStatus> Store::statuses(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db, "SELECT split, init, status FROM runs WHERE family = ?");
  rows.bind(family_id);
  std::map<std::pair<int, int>, RunStatus> out;
  while (rows.step())
    out[{rows.number(0), rows.number(1)}] = static_cast<RunStatus>(rows.number(2));
  return out;
}

std::optional<RunRecord> Store::find(const std::string& id) const {
  if (id.size() < 6 || id.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db,
                 std::string(kRun) + "WHERE runs.id >= ? AND runs.id < ? ORDER BY runs.id LIMIT 2");
  rows.bind(id).bind(id + "g");  // 'g' follows every hexadecimal digit
  if (!rows.step()) return {};
  RunRecord record = read_run(rows).record;
  if (rows.step()) fail("run ids beginning with '{}' are several; give more digits", id);
  return record;
}

std::int64_t Store::run_count() const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->db, "SELECT count(*) FROM runs");
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

void Store::register_plan(const Plan& plan) {
  const std::lock_guard lock(impl_->mutex);
  Database& db = impl_->db;
  Transaction transaction(db);
  // The same version with other comments or published values: keep the newer text. The newest place
  // in the order goes to what was asked for last.
  Statement(db, "DELETE FROM protocols WHERE version = ?").bind(plan.version).execute();
  Statement(db, "INSERT INTO protocols(version, name, text, published) VALUES (?, ?, ?, ?)")
      .bind(plan.version)
      .bind(plan.protocol)
      .bind(plan.text)
      .bind(plan.published_text)
      .execute();
  Statement find(db,
                 "SELECT at, family, first_split FROM cells "
                 "WHERE protocol = ? AND table_id = ? AND dataset = ? AND model = ?");
  Statement add(
      db,
      "INSERT INTO cells(protocol, table_id, dataset, model, metric, family, first_split, "
      "deterministic, full_splits, full_inits) VALUES (?,?,?,?,?,?,?,?,?,?)");
  Statement forget(db, "DELETE FROM asked WHERE cell = ?");
  Statement update(db, "UPDATE cells SET family = ?, first_split = ? WHERE at = ?");
  Statement ask(db, "INSERT OR IGNORE INTO asked VALUES (?, ?, ?)");
  for (const PlannedCell& cell : plan.cells) {
    const Family& family = *cell.family;
    impl_->keep_family(family.id, family.identity);
    find.reset();
    find.bind(plan.version).bind(cell.table).bind(cell.dataset).bind(cell.model);
    std::int64_t at = 0;
    if (find.step()) {
      at = find.integer(0);
      const bool same = find.text(1) == family.id && find.number(2) == cell.first_split;
      find.reset();
      if (!same) {
        // The data behind the name have changed: what was asked of the old data is not mixed in.
        forget.bind(at).execute();
        update.bind(family.id).bind(cell.first_split).bind(at).execute();
      }
    } else {
      add.bind(plan.version).bind(cell.table).bind(cell.dataset).bind(cell.model);
      add.bind(family.metric).bind(family.id).bind(cell.first_split);
      add.bind(family.model.deterministic ? 1 : 0).bind(cell.full_splits).bind(cell.full_inits);
      add.execute();
      at = db.last_row();
    }
    ask.bind(at).bind(cell.splits).bind(cell.inits).execute();
  }
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
  Statement rows(impl_->db,
                 "SELECT table_id, dataset, model, metric, family, first_split, deterministic, "
                 "full_splits, full_inits, splits, inits, at FROM cells JOIN asked ON cell = at "
                 "WHERE protocol = ? ORDER BY at, splits, inits");
  rows.bind(version);
  std::vector<StoredCell> out;
  for (std::int64_t last = -1; rows.step();) {
    if (rows.integer(11) != last) {
      last = rows.integer(11);
      out.push_back({rows.text(0),
                     rows.text(1),
                     rows.text(2),
                     rows.text(3),
                     rows.text(4),
                     rows.number(5),
                     rows.number(6) != 0,
                     rows.number(7),
                     rows.number(8),
                     {}});
    }
    out.back().asked.emplace_back(rows.number(9), rows.number(10));
  }
  return out;
}

MergeSummary Store::merge(const std::filesystem::path& other) {
  std::error_code ignored;
  if (std::filesystem::equivalent(path_, other, ignored))
    fail("{}: cannot be merged into itself", other.string());
  { const Store check(other, Mode::kOpen); }
  const std::lock_guard lock(impl_->mutex);
  Database& db = impl_->db;
  Statement(db, "ATTACH ? AS other").bind(other.string()).execute();
  struct Detach {
    Database& db;
    ~Detach() { sqlite3_exec(db.handle(), "DETACH other", nullptr, nullptr, nullptr); }
  } detach{db};
  const auto scalar = [&](const std::string& sql) {
    Statement statement(db, sql);
    statement.step();
    return statement.integer(0);
  };
  MergeSummary summary;
  Transaction transaction(db);
  db.run("INSERT OR IGNORE INTO families SELECT * FROM other.families");
  const std::int64_t before = scalar("SELECT count(*) FROM runs");
  db.run("INSERT OR IGNORE INTO runs SELECT * FROM other.runs");
  summary.added = scalar("SELECT count(*) FROM runs") - before;
  // What failed here and succeeded there.
  db.run(
      "INSERT OR REPLACE INTO runs SELECT o.* FROM other.runs o JOIN main.runs r "
      "USING (family, split, init) WHERE r.status IN (2, 3) AND o.status IN (0, 1)");
  summary.replaced = db.changes();
  db.run(
      "INSERT OR IGNORE INTO protocols(version, name, text, published) "
      "SELECT version, name, text, published FROM other.protocols ORDER BY at");
  db.run(
      "INSERT OR IGNORE INTO cells(protocol, table_id, dataset, model, metric, family, "
      "first_split, deterministic, full_splits, full_inits) SELECT protocol, table_id, dataset, "
      "model, metric, family, first_split, deterministic, full_splits, full_inits "
      "FROM other.cells ORDER BY at");
  const char* same =
      " FROM other.cells o JOIN main.cells c USING (protocol, table_id, dataset, model) ";
  db.run(std::string("INSERT OR IGNORE INTO asked SELECT c.at, a.splits, a.inits") + same +
         "JOIN other.asked a ON a.cell = o.at WHERE c.family = o.family "
         "AND c.first_split = o.first_split");
  summary.conflicts = scalar(std::string("SELECT count(*)") + same +
                             "WHERE c.family <> o.family OR c.first_split <> o.first_split");
  transaction.commit();
  return summary;
}

void Store::check_integrity() const {
  const std::lock_guard lock(impl_->mutex);
  Statement rows(impl_->db, "PRAGMA integrity_check");
  std::string found;
  while (rows.step()) found += (found.empty() ? "" : "; ") + rows.text(0);
  if (found != "ok") fail("{}: the store is damaged: {}", path_.string(), found);
}

}  // namespace cupel
