// The store: one SQLite file that keeps the outcome of every run, and what protocols asked for.
//
// Several threads may use one Store and several processes one file. A run is one transaction: after
// a kill at any instant the file holds exactly the runs whose put() returned, and perhaps one more.
// docs/protocols.md describes the tables for those who read the file without us,
// docs/reliability.md what was done to break them.
//
// A store is not believed on its word. Each run is sealed: a hash of all that is said of it stands
// beside it. Whatever gives out runs looks first whether ids are hashes of what they stand for,
// values are possible and seals are whole, and throws DamagedFile (lab/store/sqlite.h) that names
// the run if not. Seals have no key: they tell an edit by hand, not one by somebody who seals anew;
// to tell that, runs are done again (lab/verify/verify.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupel/lab/record/record.h"
#include "cupel/lab/store/looks.h"

namespace cupel {

struct Plan;

// A run with its place in its family.
struct StoredRun {
  int split = 0;  // number of the split
  int init = 0;
  RunRecord record;
};

// A cell that was asked for, see PlannedCell.
struct StoredCell {
  std::string table, dataset, model, metric, family;
  std::string configuration, stratum;  // as of PlannedCell, the latter its id; may be empty
  std::string content;                 // hash of the data
  int first_split = 0;
  bool deterministic = false;
  int full_splits = 0, full_inits = 0;
  int classes = 0;                         // of the data set
  std::vector<std::pair<int, int>> asked;  // (splits, inits) of each request
};

struct StoredProtocol {
  std::string name, version, text, published_text;
};

struct CellName {
  std::string table, dataset, model;
  friend bool operator==(const CellName&, const CellName&) = default;
};

// A trial of a search on one data set: a family whose runs have no test score.
struct StoredTrial {
  std::string family, identity;  // id, canonical JSON
  std::string dataset;           // by which a table of this store calls its data; may be empty
  int runs = 0, failed = 0;      // the latter timed-out ones too
  std::optional<double> mean_valid_score;  // over the runs that have one; a fraction
};

// One way in which a run ended, and the stores that say so: paths, as they were when these were
// merged, sorted. None: this store itself, before it took others in.
struct ConflictSide {
  RunRecord record;
  std::vector<std::string> stores;
};

// A run that ended in different ways in stores that were merged. It counts as not done; cupel run
// does it again, and keeps what comes out if it is one of these.
struct StoredConflict {
  std::string family, id;
  int split = 0, init = 0;
  std::vector<ConflictSide> sides;  // two or more, in an order that no merge decides
};

struct MergeSummary {
  std::int64_t added = 0;     // runs that were not here
  std::int64_t replaced = 0;  // failed runs that succeeded over there
  // Cells not taken, since the cell or its column asks for something else here: a phrase each.
  std::vector<std::string> cells;
  // Names of protocols whose text or published values are others over there, in the same version:
  // comments, tolerances. Kept is what comes first, ours or theirs: with published values
  // before without, then by alphabet.
  std::vector<std::string> published;
  // Versions that have another name over there: the name that is not kept, and the one that is,
  // which is first by alphabet.
  std::vector<std::pair<std::string, std::string>> renamed;
  std::vector<std::string> run_conflicts;  // ids of runs that ended in different ways, sorted
};

class Store {
 public:
  enum class Mode { kOpenOrCreate, kOpen };  // the latter to read: nothing is changed

  // Throws Error if the file cannot be opened, is not a store, or has another schema, and
  // DamagedFile if it is damaged or its tables are not as cupel makes them. A store of schema 3 is
  // read as it is, and gets what it lacks when it is opened to be written to.
  explicit Store(const std::filesystem::path& path, Mode mode = Mode::kOpenOrCreate);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Keeps a run; durable against the death of the process when it returns. A run that is there is
  // left as it is, unless it failed or timed out; its strata are added to. The record's id and
  // identity are not read: they follow from the family and the place. Throws Error if the file
  // cannot be written (disk full, ...), if the file is no longer at its path (deleted, replaced,
  // cut short), or if a run that was done again ended in another way than before: it is a pure
  // function of its identity. Of a run that is in conflict, what comes out decides.
  void put(const std::string& family_identity, int split, int init, const RunRecord& record);

  // Ids of all families, ascending.
  [[nodiscard]] std::vector<std::string> families() const;
  // What the runs of a family share, as canonical JSON; "" if there is no such family.
  [[nodiscard]] std::string identity(const std::string& family_id) const;
  // The runs of a family by (split, init).
  [[nodiscard]] std::vector<StoredRun> runs(const std::string& family_id) const;
  // Status by (split, init): what is there, without reading it all.
  [[nodiscard]] std::map<std::pair<int, int>, RunStatus> statuses(
      const std::string& family_id) const;
  // Runs with a test score that lack one of these strata.
  [[nodiscard]] std::set<std::pair<int, int>> without_strata(
      const std::string& family_id, const std::set<std::string>& strata) const;
  // The scores of one kind, and of that kind alone, of the runs that have one: what a choice of
  // configurations by validation gets to see.
  enum class ScoreKind { kValid, kTest };
  [[nodiscard]] std::map<std::pair<int, int>, double> scores(const std::string& family_id,
                                                             ScoreKind kind) const;
  // By run id; a unique beginning of at least 6 digits is enough.
  [[nodiscard]] std::optional<RunRecord> find(const std::string& id) const;
  // The same; throws Error if there is none.
  [[nodiscard]] RunRecord run(const std::string& id) const;
  [[nodiscard]] std::int64_t run_count() const;
  // Runs that were kept before there were seals.
  [[nodiscard]] std::int64_t unsealed_count() const;
  // Cells of the same kind.
  [[nodiscard]] std::int64_t unsealed_cell_count() const;
  [[nodiscard]] std::int64_t conflict_count() const;
  // Of a family, or of all; by family, split, init.
  [[nodiscard]] std::vector<StoredConflict> conflicts(const std::string& family_id = {}) const;

  struct Cost {
    std::int64_t runs = 0;
    double mean_seconds = 0;
    std::int64_t memory_bytes = 0;  // the largest
  };
  // What the finished runs of a family took; runs = 0 if there are none.
  [[nodiscard]] Cost cost(const std::string& family_id) const;

  // Notes what a plan asks for and the text of its protocol. Idempotent.
  void register_plan(const Plan& plan);
  // Newest first.
  [[nodiscard]] std::vector<StoredProtocol> protocols() const;
  // In the order in which they were first asked for.
  [[nodiscard]] std::vector<StoredCell> cells(const std::string& version) const;

  // Notes that a cell of this version of a protocol ends when it is decided. Throws Error if it was
  // noted with another size: levels of looks hold for one.
  void plan_looks(const std::string& version, const CellName& cell, const Looks& looks);
  // Nothing if the cell was not noted.
  [[nodiscard]] std::optional<Looks> looks(const std::string& version, const CellName& cell) const;
  // The trials of all searches, by family.
  [[nodiscard]] std::vector<StoredTrial> trials() const;

  // Takes in all of another store, which stays as it is. A run that was finished anywhere wins over
  // one that failed. One that ended in different ways is kept in all of them, as a conflict, and is
  // no run of the store any more. Of two sizes of looks the larger is kept, which concludes less:
  // what comes of merging does not depend on the order.
  MergeSummary merge(const std::filesystem::path& other);
  // Several, one after the other, so that each side of a conflict says which of them it is from.
  std::vector<MergeSummary> merge(const std::vector<std::filesystem::path>& others);

  // Writes all of it, as of now, to a new file at `path`, which stands for itself: no log beside
  // it. Runs may be put meanwhile. Throws Error if the file cannot be written; it is removed then.
  void copy_to(const std::filesystem::path& path) const;

  // Everything of what is kept that cannot be as it was kept, a sentence each: runs, their families
  // and conflicts, scores of runs that are not there, cells and protocols. Reads the whole store.
  [[nodiscard]] std::vector<std::string> faults() const;

  // Throws DamagedFile with SQLite's findings if the file is damaged.
  void check_integrity() const;
  // Throws Error if the file is no longer the one at path(), or was cut short: what was put would
  // be kept nowhere.
  void check_there() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  struct Impl;  // the store's own files know it

 private:
  std::filesystem::path path_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cupel
