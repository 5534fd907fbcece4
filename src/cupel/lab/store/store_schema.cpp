#include "cupel/lab/store/store_schema.h"

#include <map>

namespace cupel {
namespace {

constexpr int kApplication = 0x4375706C;  // "Cupl": tells a store from other SQLite files
// Schema 3 lacks the tables of kTablesOf4 but, at times, `looks`; schema 4 lacks those of
// kTablesOf5. They are read as they are, and become 5 when they are written to: the tables that
// they share are the same.
constexpr int kSchema = 5, kOldestSchema = 3;

constexpr const char* kTablesOf3 = R"(
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

constexpr const char* kTablesOf4 = R"(
CREATE TABLE looks (                 -- cells that may end early: how large they may get
  protocol TEXT NOT NULL,
  table_id TEXT NOT NULL,
  dataset TEXT NOT NULL,
  model TEXT NOT NULL,
  splits INTEGER NOT NULL,
  inits INTEGER NOT NULL,
  PRIMARY KEY (protocol, table_id, dataset, model)
) WITHOUT ROWID;
CREATE TABLE isolation (             -- of runs of programs: how they were kept apart
  family TEXT NOT NULL,
  split INTEGER NOT NULL,
  init INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- "bubblewrap", "none"
  PRIMARY KEY (family, split, init)
) WITHOUT ROWID;
CREATE TABLE seals (                 -- of each run: hash of all that the store says of it
  family TEXT NOT NULL,
  split INTEGER NOT NULL,
  init INTEGER NOT NULL,
  hash TEXT NOT NULL,           -- SHA-256
  PRIMARY KEY (family, split, init)
) WITHOUT ROWID;
CREATE TABLE conflicts (             -- runs that ended in different ways: they are not in `runs`
  family TEXT NOT NULL REFERENCES families(id),
  split INTEGER NOT NULL,
  init INTEGER NOT NULL,
  hash TEXT NOT NULL,           -- SHA-256 of the outcome
  record TEXT NOT NULL,         -- all of the row, as JSON
  PRIMARY KEY (family, split, init, hash)
) WITHOUT ROWID;
)";

constexpr const char* kTablesOf5 = R"(
CREATE TABLE cell_seals (            -- of each cell: hash of all that the store says of it
  cell INTEGER PRIMARY KEY REFERENCES cells(at),
  hash TEXT NOT NULL            -- SHA-256; "" of a cell from before cells were sealed
);
)";
// In schema 5 whatever has no seal has a mark that it is older, so that nobody takes one away.
constexpr const char* kMarkOlder = R"(
INSERT OR IGNORE INTO cell_seals SELECT at, '' FROM cells;
INSERT OR IGNORE INTO seals SELECT family, split, init, '' FROM runs;
)";

int pragma(const Database& db, const char* name) {
  Statement statement(db, std::string("PRAGMA ") + name);
  statement.step();
  return statement.number(0);
}

// A statement without comments, and with one blank wherever there are several: earlier versions
// wrote other comments.
std::string plain(std::string_view sql) {
  std::string out;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql.substr(i, 2) == "--") {
      i = std::min(sql.find('\n', i), sql.size());
    }
    const bool blank = i >= sql.size() || std::string_view(" \n\t\r").find(sql[i]) != sql.npos;
    if (!blank)
      out += sql[i];
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// By name: "CREATE TABLE families (...)".
std::map<std::string, std::string> statements_of(std::string_view text) {
  std::map<std::string, std::string> out;
  // A ';' in a comment is none of an end: comments go first.
  const std::string all = plain(text);
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = std::min(all.find(';', from), all.size());
    const std::string one = plain(std::string_view(all).substr(from, end - from));
    from = end + 1;
    if (one.empty()) continue;
    const std::size_t name = one.find(' ', one.find(' ') + 1) + 1;
    out[one.substr(name, one.find(' ', name) - name)] = one;
  }
  return out;
}

bool same_table(const std::string& ours, const std::string& found) { return ours == plain(found); }

[[noreturn]] void not_ours(const Database& db, const std::string& what) {
  throw DamagedFile(fmt::format(
      "{}: {}; somebody changed the store, so nothing of it is believed: take a copy from before",
      db.name(), what));
}

// What SQLite makes by itself: indices of keys, and what ANALYZE leaves.
bool is_internal(const std::string& type, const std::string& name, const std::string& sql) {
  if (type == "index") return name.starts_with("sqlite_autoindex_") && sql.empty();
  return type == "table" && (name == "sqlite_stat1" || name == "sqlite_stat4");
}

// The tables that a store of some schema has beyond those of 3.
std::map<std::string, std::string> later_tables(int schema) {
  std::map<std::string, std::string> out;
  if (schema >= 4) out = statements_of(kTablesOf4);
  if (schema >= 5) out.merge(statements_of(kTablesOf5));
  return out;
}

void check_tables(const Database& db, int schema) {
  std::map<std::string, std::string> left = statements_of(kTablesOf3);
  left.merge(later_tables(schema));
  std::map<std::string, std::string> known = left;
  known.merge(std::map<std::string, std::string>{*statements_of(kTablesOf4).find("looks")});
  Statement rows(db, "SELECT type, name, coalesce(sql, '') FROM sqlite_master");
  while (rows.step()) {
    const std::string type = rows.text(0), name = rows.text(1), sql = rows.text(2);
    if (is_internal(type, name, sql)) continue;
    const auto ours = known.find(name);
    if (ours == known.end() || (type != "table" && type != "index"))
      not_ours(db, fmt::format("it has a {} '{}', which no store has", type, name.substr(0, 80)));
    if (!same_table(ours->second, sql))
      not_ours(db, fmt::format("its {} '{}' is not as cupel makes it", type, name));
    left.erase(name);
  }
  if (!left.empty()) not_ours(db, fmt::format("it has no '{}'", left.begin()->first));
}

int schema_of(const Database& db) { return pragma(db, "user_version"); }

}  // namespace

bool seals_all(const Database& db) { return schema_of(db) >= 5; }

bool has_tables(const Database& db) {
  Statement count(db, "SELECT count(*) FROM sqlite_master");
  count.step();
  return count.integer(0) > 0;
}

void check_schema(const Database& db) {
  if (pragma(db, "application_id") != kApplication)
    throw NotAStore(
        fmt::format("{}: is a database of another program, not a store; give the path of one, as "
                    "`cupel run` makes them",
                    db.name()));
  const int schema = schema_of(db);
  if (schema < kOldestSchema || schema > kSchema)
    fail(
        "{}: the store has schema {} and this program keeps schema {}; run into a new file "
        "(--store), or use the version of cupel that wrote this one",
        db.name(), schema, kSchema);
  check_tables(db, schema);
}

void make_tables(Database& db) {
  if (has_tables(db) && schema_of(db) == kSchema) return;
  Transaction transaction(db);
  const bool fresh = !has_tables(db);
  if (!fresh && schema_of(db) == kSchema) return;  // another process was here in between
  if (fresh) db.run(kTablesOf3);
  for (const auto& [name, sql] : later_tables(kSchema)) {
    Statement there(db, "SELECT count(*) FROM sqlite_master WHERE name = ?");
    there.bind(name).step();
    if (there.integer(0) == 0) db.run(sql);
  }
  db.run(kMarkOlder);
  db.run(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kSchema));
  transaction.commit();
}

void stand_in_for_tables(Database& db) {
  if (schema_of(db) == kSchema) return;
  db.run("PRAGMA query_only = 0; PRAGMA temp_store = MEMORY");
  for (const auto& [name, sql] : later_tables(kSchema)) {
    Statement there(db, "SELECT count(*) FROM main.sqlite_master WHERE name = ?");
    there.bind(name).step();
    if (there.integer(0) > 0) continue;
    // A temporary table that refers to one of the file would be refused.
    std::string own = sql;
    if (const auto at = own.find(" REFERENCES "); at != own.npos)
      own.erase(at, own.find(')', at) + 1 - at);
    db.run("CREATE TEMP" + own.substr(std::string("CREATE").size()));
  }
  db.run("PRAGMA query_only = 1");
}

}  // namespace cupel
