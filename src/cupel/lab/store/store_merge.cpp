// One store from two.
#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

using Place = std::pair<int, int>;  // (split, init)

// Of two that agree: whether nothing would be new in writing one over the other.
bool same_text(const std::string& family, const Row& a, const Row& b) {
  return a.seal == b.seal && (!a.seal.empty() || seal_of(family, a) == seal_of(family, b));
}

// What a version of a protocol does not hold: comments and the like, and published values. What
// comes first is kept.
struct ProtocolTexts {
  std::string text, published;

  bool operator==(const ProtocolTexts&) const = default;
  bool operator<(const ProtocolTexts& other) const {
    const auto key = [](const ProtocolTexts& of) {
      return std::tuple<bool, const std::string&, const std::string&>(of.published.empty(),
                                                                      of.published, of.text);
    };
    return key(*this) < key(other);
  }
};

// What both stores have of one run.
struct Meeting {
  std::optional<Row> mine, theirs;
  std::vector<Row> sides;  // conflicts of both

  // The outcomes that are finished; of those that agree, one.
  std::vector<Row> outcomes(const std::string& family) const {
    std::vector<Row> out;
    for (const Row& side : sides) add_side(family, out, side);
    for (const auto& row : {mine, theirs})
      if (row && is_finished(row->run.record.status)) add_side(family, out, *row);
    return out;
  }
};

class Merger {
 public:
  // `before`: stores that were taken in a moment ago.
  Merger(Store::Impl& mine, Store::Impl& theirs, std::span<const fs::path> before)
      : mine_(mine), theirs_(theirs), before_(before) {}

  MergeSummary merge() {
    Transaction transaction(mine_.db);
    mine_.db.run(
        fmt::format("DELETE FROM seals WHERE (family, split, init) IN (SELECT family, split, init "
                    "FROM runs WHERE NOT ({0})); DELETE FROM runs WHERE NOT ({0})",
                    kIsOutcome));
    Statement families(theirs_.db, "SELECT id, identity FROM families ORDER BY id");
    while (families.step()) merge_family(families.text(0), families.text(1));
    trace();
    const std::vector<std::string> versions = merge_protocols();
    for (const std::string& version : versions) {
      mine_.check_cells(version);
      theirs_.check_cells(version);
    }
    merge_cells();
    for (const std::string& version : versions) mine_.seal_cells(version);
    transaction.commit();
    std::ranges::sort(summary_.run_conflicts);
    return summary_;
  }

 private:
  void merge_family(const std::string& id, const std::string& identity) {
    if (const std::string fault = family_fault(id, identity); !fault.empty())
      throw DamagedFile(fmt::format("{}: of family {}, {}; take a copy of the store from before",
                                    theirs_.db.name(), id.substr(0, 32), fault));
    mine_.keep_family(id, identity);
    std::map<Place, Meeting> places;
    for (Row& row : theirs_.checked_rows(id)) {
      const Place place(row.run.split, row.run.init);
      row.stores = {theirs_.db.name()};
      places[place].theirs = std::move(row);
    }
    for (Store::Impl* store : {&mine_, &theirs_}) {
      for (const Place& place : store->conflict_places(id)) {
        for (Row& side : store->sides_of(id, place.first, place.second)) {
          if (!side.fault.empty()) store->not_as_kept(side, side.fault);
          if (store == &theirs_ && side.stores.empty()) side.stores = {theirs_.db.name()};
          places[place].sides.push_back(std::move(side));
        }
      }
    }
    for (Row& row : mine_.checked_rows(id)) {
      const auto found = places.find({row.run.split, row.run.init});
      if (found != places.end()) found->second.mine = std::move(row);
    }
    for (const auto& [place, meeting] : places) merge_run(id, place, meeting);
  }

  void merge_run(const std::string& family, const Place& place, const Meeting& meeting) {
    const std::vector<Row> outcomes = meeting.outcomes(family);
    const auto& [mine, theirs, sides] = meeting;
    if (outcomes.size() > 1) {
      summary_.run_conflicts.push_back(outcomes.front().run.record.id);
      mine_.erase_row(family, place.first, place.second);
      mine_.keep_sides(family, outcomes);
      if (mine && is_finished(mine->run.record.status)) contradicted_.emplace_back(family, *mine);
    } else if (!outcomes.empty()) {
      summary_.added += !mine;
      summary_.replaced += mine && !is_finished(mine->run.record.status);
      const Row& row = outcomes.front();
      if (!mine || !same_text(family, *mine, row)) mine_.write_row(family, row);
    } else if (!mine && theirs) {
      ++summary_.added;
      mine_.write_row(family, *theirs);
    }
  }

  // What was kept here of runs that are in conflict now: from which stores it came a moment ago.
  void trace() {
    if (contradicted_.empty()) return;
    for (const fs::path& path : before_) {
      const Store store(path, Store::Mode::kOpen);
      for (auto& [family, row] : contradicted_) {
        const std::optional<RunRecord> said = store.find(row.run.record.id);
        if (said && same_outcome(*said, row.run.record)) row.stores.push_back(path.string());
      }
    }
    for (const auto& [family, row] : contradicted_) {
      std::vector<Row> sides = mine_.sides_of(family, row.run.split, row.run.init);
      add_side(family, sides, row);
      mine_.keep_sides(family, sides);
    }
  }

  // Their versions. Of what a version does not hold, that is kept which no order decides.
  std::vector<std::string> merge_protocols() {
    std::vector<std::string> out;
    Statement from(theirs_.db, "SELECT version, name, text, published FROM protocols ORDER BY at");
    Statement add(mine_.db,
                  "INSERT OR IGNORE INTO protocols(version, name, text, published) "
                  "VALUES (?,?,?,?)");
    Statement find(mine_.db, "SELECT name, text, published FROM protocols WHERE version = ?");
    Statement change(mine_.db,
                     "UPDATE protocols SET name = ?, text = ?, published = ? WHERE version = ?");
    while (from.step()) {
      const std::string version = from.text(0);
      out.push_back(version);
      for (int i = 0; i < 4; ++i) add.bind(from.text(i));
      add.execute();
      if (sqlite3_changes(mine_.db.handle()) > 0) continue;
      find.reset();
      find.bind(version).step();
      const auto [first, second] = std::minmax({find.text(0), from.text(1)});
      if (first != second) summary_.renamed.emplace_back(second, first);
      const ProtocolTexts mine{find.text(1), find.text(2)}, theirs{from.text(2), from.text(3)};
      if (mine != theirs) summary_.published.push_back(first);
      const ProtocolTexts& kept = theirs < mine ? theirs : mine;
      if (first != find.text(0) || kept != mine)
        change.bind(first).bind(kept.text).bind(kept.published).bind(version).execute();
    }
    return out;
  }

  // A cell that has another family here is not taken, nor one of other data than its column here.
  void merge_cells() {
    Statement from(theirs_.db,
                   "SELECT at, protocol, table_id, dataset, model, configuration, metric, family, "
                   "stratum, first_split, deterministic, full_splits, full_inits, classes, "
                   "coalesce(hash, '') FROM cells LEFT JOIN cell_seals ON cell = at ORDER BY at");
    Statement add(mine_.db,
                  "INSERT OR IGNORE INTO cells(protocol, table_id, dataset, model, configuration, "
                  "metric, family, stratum, first_split, deterministic, full_splits, full_inits, "
                  "classes) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    Statement find(mine_.db,
                   "SELECT at, family, stratum, first_split FROM cells WHERE protocol = ? AND "
                   "table_id = ? AND dataset = ? AND model = ? AND configuration = ?");
    Statement other_data(
        mine_.db,
        fmt::format("SELECT 1 FROM cells JOIN families ON id = family WHERE protocol = ? AND "
                    "table_id = ? AND dataset = ? AND json_valid(identity) AND {} <> (SELECT {} "
                    "FROM families WHERE id = ?) LIMIT 1",
                    content_in("identity"), content_in("identity")));
    Statement asked(theirs_.db, "SELECT splits, inits FROM asked WHERE cell = ?");
    Statement ask(mine_.db, "INSERT OR IGNORE INTO asked VALUES (?,?,?)");
    Statement looks(theirs_.db,
                    "SELECT splits, inits FROM looks WHERE protocol = ? AND table_id = ? AND "
                    "dataset = ? AND model = ?");
    Statement plan_looks(
        mine_.db,
        "INSERT INTO looks VALUES (?,?,?,?,?,?) ON CONFLICT DO UPDATE SET splits = "
        "excluded.splits, inits = excluded.inits WHERE (excluded.splits, "
        "excluded.inits) > (splits, inits)");
    while (from.step()) {
      other_data.reset();
      for (const int i : {1, 2, 3, 7}) other_data.bind(from.text(i));
      if (other_data.step()) {
        not_taken(from);
        continue;
      }
      for (int i = 1; i <= 8; ++i) add.bind(from.text(i));
      for (int i = 9; i <= 13; ++i) add.bind(from.number(i));
      add.execute();
      const bool added = sqlite3_changes(mine_.db.handle()) > 0;
      find.reset();
      for (int i = 1; i <= 5; ++i) find.bind(from.text(i));
      if (!find.step()) continue;
      if (added) mine_.put_cell_seal(find.integer(0), !from.text(14).empty());
      if (find.text(1) != from.text(7) || find.text(2) != from.text(8) ||
          find.number(3) != from.number(9)) {
        not_taken(from);
        continue;
      }
      asked.reset();
      asked.bind(from.integer(0));
      while (asked.step())
        ask.bind(find.integer(0)).bind(asked.number(0)).bind(asked.number(1)).execute();
      looks.reset();
      for (int i = 1; i <= 4; ++i) looks.bind(from.text(i));
      if (!looks.step()) continue;
      for (int i = 1; i <= 4; ++i) plan_looks.bind(from.text(i));
      plan_looks.bind(looks.number(0)).bind(looks.number(1)).execute();
    }
  }

  void not_taken(const Statement& cell) {
    summary_.cells.push_back(cell_phrase(cell.text(2), cell.text(3), cell.text(4)));
  }

  Store::Impl &mine_, &theirs_;
  std::span<const fs::path> before_;
  std::vector<std::pair<std::string, Row>> contradicted_;  // by family
  MergeSummary summary_;
};

}  // namespace

MergeSummary Store::merge(const fs::path& other) { return merge(std::vector{other}).front(); }

std::vector<MergeSummary> Store::merge(const std::vector<fs::path>& others) {
  std::vector<MergeSummary> out;
  for (const fs::path& other : others) {
    std::error_code ignored;
    if (fs::equivalent(path_, other, ignored))
      fail("{}: cannot be merged into itself", other.string());
    const Store theirs(other, Mode::kOpen);
    const std::scoped_lock lock(impl_->mutex, theirs.impl_->mutex);
    const std::span before(others.begin(), out.size());
    out.push_back(Merger(*impl_, *theirs.impl_, before).merge());
    impl_->check_there();
  }
  return out;
}

}  // namespace cupel
