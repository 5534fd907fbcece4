#include "cupel/lab/verify/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/base/shuffle.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/store/store_rows.h"

namespace cupel {
namespace {

// A run that may be done again, and the column of a protocol that it stands in.
struct Candidate {
  std::string version, dataset, model;
  std::string family, id;
  int split = 0, init = 0;
  std::vector<RunRecord> kept;  // one, or the sides of a conflict
};

// The rows of a protocol on a data set, planned as they were when the store was made.
struct PlannedColumn {
  std::map<std::string, std::shared_ptr<const Family>> families;              // by id
  std::map<std::string, std::vector<std::shared_ptr<const Stratum>>> strata;  // by family
  std::map<std::tuple<std::string, std::string, std::string>, std::string>
      cells;           // the family of a (table, row, configuration)
  std::string reason;  // why there are none
};

bool is_program(const RunRecord& record) {
  return record.identity.find(R"("program":)") != std::string::npos;
}

class Rerunner {
 public:
  Rerunner(const Store& store, const PlanSources& sources, const Executor& executor,
           const RerunOptions& options)
      : store_(store), sources_(sources), executor_(executor), options_(options) {}

  Rerun run() {
    collect();
    draw();
    while (wanted() > 0 && next_ < drawn_.size() && !interrupted()) wave();
    for (const auto& [where, column] : columns_) check_cells(where.first, where.second, column);
    const bool all = next_ == drawn_.size() && out_.unreachable == 0 && !out_.runs.empty();
    out_.enough = !interrupted() && (wanted() == 0 || all);
    return std::move(out_);
  }

 private:
  void collect() {
    std::set<std::string> seen;
    for (const StoredProtocol& protocol : store_.protocols()) {
      protocols_.emplace(protocol.version, protocol);
      for (const StoredCell& cell : store_.cells(protocol.version)) {
        if (!seen.insert(cell.family).second) continue;
        collect_cell(protocol.version, cell);
      }
    }
    std::int64_t in_cells = 0;
    for (const std::string& family : seen)
      in_cells += static_cast<std::int64_t>(store_.statuses(family).size());
    out_.searches = std::max<std::int64_t>(store_.run_count() - in_cells, 0);
  }

  void collect_cell(const std::string& version, const StoredCell& cell) {
    const auto candidate = [&](const std::string& id, int split, int init,
                               std::vector<RunRecord> kept) {
      return Candidate{version, cell.dataset, cell.model, cell.family,
                       id,      split,        init,       std::move(kept)};
    };
    for (const StoredConflict& conflict : store_.conflicts(cell.family)) {
      if (is_program(conflict.sides.front().record)) {
        ++out_.programs;
        continue;
      }
      std::vector<RunRecord> sides;
      for (const ConflictSide& side : conflict.sides) sides.push_back(side.record);
      conflicts_.push_back(candidate(conflict.id, conflict.split, conflict.init, std::move(sides)));
    }
    for (StoredRun& run : store_.runs(cell.family)) {
      const bool program = is_program(run.record);
      run.record.identity.clear();
      if (program)
        ++out_.programs;
      else if (!is_finished(run.record.status))
        ++out_.unfinished;
      else
        drawn_.push_back(candidate(run.record.id, run.split, run.init, {run.record}));
    }
  }

  // Conflicts first, then the others in an order that the seed decides.
  void draw() {
    Stream stream(stream_key("cupel verify " + options_.seed), 0);
    shuffle(drawn_, stream);
    drawn_.insert(drawn_.begin(), std::make_move_iterator(conflicts_.begin()),
                  std::make_move_iterator(conflicts_.end()));
  }

  std::size_t wanted() const {
    const auto all = static_cast<std::size_t>(options_.runs);
    return all - std::min(all, out_.runs.size());
  }

  // As many at once as are wanted still. Some may turn out not to be possible here.
  void wave() {
    std::vector<const Candidate*> chosen;
    std::map<std::pair<std::string, int>, RunGroup> groups;
    Pending pending;
    while (chosen.size() < wanted() && next_ < drawn_.size()) {
      const Candidate& candidate = drawn_[next_++];
      const std::shared_ptr<const Family> family = family_of(candidate);
      if (!family) continue;
      RunGroup& group = groups[{family->id, candidate.split}];
      group.family = family;
      group.split = candidate.split;
      group.strata = planned(candidate).strata[family->id];
      group.inits.push_back(candidate.init);
      chosen.push_back(&candidate);
    }
    pending.planned = static_cast<int>(chosen.size());
    for (auto& [place, group] : groups) pending.groups.push_back(std::move(group));
    Store now(":memory:");
    const ExecuteSummary summary = execute(pending, now, executor_, options_.execute);
    for (const NotStartedRow& row : summary.not_started_rows)
      leave(row.runs, fmt::format("{} on {}: {}", row.model, row.dataset, row.reason));
    for (const Candidate* candidate : chosen) {
      if (const auto record = now.find(candidate->id)) compare(*candidate, *record);
    }
  }

  std::shared_ptr<const Family> family_of(const Candidate& candidate) {
    PlannedColumn& column = planned(candidate);
    const auto family = column.families.find(candidate.family);
    if (family != column.families.end()) return family->second;
    leave(1, column.reason.empty()
                 ? fmt::format("{} on {} is not the same here: other data, or other numerics",
                               candidate.model, candidate.dataset)
                 : column.reason);
    return nullptr;
  }

  void compare(const Candidate& candidate, const RunRecord& now) {
    RerunRun run{candidate.id,   candidate.dataset,         candidate.model, candidate.split,
                 candidate.init, candidate.kept.size() > 1, false,           ""};
    for (const RunRecord& kept : candidate.kept) {
      const std::string difference = difference_of(now, kept);
      run.same = run.same || difference.empty();
      if (candidate.kept.size() > 1 && difference.empty())
        run.difference = fmt::format("the side whose test score is {} holds", score(kept));
      if (candidate.kept.size() == 1) run.difference = difference;
    }
    if (run.in_conflict && !run.same)
      run.difference = fmt::format("test score {} now, which is neither side", score(now));
    out_.runs.push_back(std::move(run));
  }

  static std::string score(const RunRecord& record) {
    return record.test_score ? fmt::format("{}", *record.test_score) : "missing";
  }

  static std::string difference_of(const RunRecord& now, const RunRecord& kept) {
    if (same_outcome(now, kept)) return "";
    if (now.status != kept.status)
      return fmt::format("{} now{}, {} in the store", to_text(now.status),
                         now.message.empty() ? "" : " (" + now.message + ")", to_text(kept.status));
    if (now.test_score != kept.test_score)
      return fmt::format("test score {} now, {} in the store", score(now), score(kept));
    return fmt::format(
        "the same test score, but epochs {}, validation loss {} now and {}, {} in the store, or "
        "another score by another metric",
        now.epochs, now.valid_loss, kept.epochs, kept.valid_loss);
  }

  PlannedColumn& planned(const Candidate& of) {
    const auto [found, fresh] = columns_.try_emplace({of.version, of.dataset});
    if (fresh) found->second = plan_column(of);
    return found->second;
  }

  PlannedColumn plan_column(const Candidate& of) {
    PlannedColumn out;
    const StoredProtocol& kept = protocols_.at(of.version);
    try {
      const Protocol protocol =
          stored_protocol(store_, fmt::format("{}@{}", kept.name, kept.version));
      // Rows of programs need their programs, and are not done again.
      Selection selection{.datasets = {of.dataset}, .models = {}, .tables = {}};
      for (const ModelRow& row : protocol.models)
        if (!row.external && !row.quoted) selection.models.push_back(row.name);
      if (selection.models.empty()) return out;  // which would ask for all of them
      for (const PlannedCell& cell : make_plan(protocol, selection, sources_).cells) {
        out.families.emplace(cell.family->id, cell.family);
        out.cells[{cell.table, cell.model, cell.configuration}] = cell.family->id;
        if (cell.stratum) out.strata[cell.family->id].push_back(cell.stratum);
      }
    } catch (const Error& error) {
      out.reason = fmt::format("{} of protocol '{}': {}", of.dataset, kept.name, error.what());
    }
    return out;
  }

  // A cell may stand for runs that nobody can do again here, but not for those of its neighbour.
  void check_cells(const std::string& version, const std::string& dataset,
                   const PlannedColumn& column) {
    for (const StoredCell& cell : store_.cells(version)) {
      if (cell.dataset != dataset) continue;
      const auto wanted = column.cells.find({cell.table, cell.model, cell.configuration});
      if (wanted == column.cells.end() || wanted->second == cell.family ||
          !column.families.contains(cell.family))
        continue;
      out_.misplaced.push_back(
          fmt::format("row '{}' on '{}' in table '{}' stands for runs of another row", cell.model,
                      cell.dataset, cell.table));
    }
  }

  void leave(std::int64_t runs, const std::string& reason) {
    out_.unreachable += runs;
    if (std::ranges::find(out_.reasons, reason) == out_.reasons.end())
      out_.reasons.push_back(reason);
  }

  bool interrupted() const {
    return options_.execute.interrupt != nullptr && *options_.execute.interrupt;
  }

  const Store& store_;
  const PlanSources& sources_;
  const Executor& executor_;
  const RerunOptions& options_;
  std::map<std::string, StoredProtocol> protocols_;
  std::vector<Candidate> conflicts_, drawn_;
  std::size_t next_ = 0;  // of the drawn ones, the first that was not looked at
  std::map<std::pair<std::string, std::string>, PlannedColumn> columns_;
  Rerun out_;
};

bool judges_alike(const Protocol& a, const Protocol& b) {
  return a.published_text == b.published_text &&
         std::ranges::equal(a.tables, b.tables, {}, &TableSpec::delta, &TableSpec::delta);
}

std::vector<std::string> other_published(const Store& store) {
  const std::vector<std::string> names = protocol_names();
  std::vector<std::string> out;
  for (const StoredProtocol& kept : store.protocols()) {
    if (!std::ranges::binary_search(names, kept.name)) continue;
    const Protocol ours = load_protocol(kept.name);
    if (ours.version != kept.version) continue;
    const Protocol theirs = stored_protocol(store, kept.name + "@" + kept.version);
    if (!judges_alike(ours, theirs)) out.push_back(kept.name);
  }
  return out;
}

}  // namespace

StoreCheck check_store(const std::filesystem::path& path) {
  StoreCheck out;
  try {
    const Store store(path, Store::Mode::kOpen);
    try {
      store.check_integrity();
    } catch (const DamagedFile& damage) {
      out.problems.emplace_back(damage.what());
    }
    for (std::string& fault : store.faults()) out.problems.push_back(std::move(fault));
    out.runs = store.run_count();
    out.unsealed = store.unsealed_count();
    out.unsealed_cells = store.unsealed_cell_count();
    out.conflicts = store.conflict_count();
    if (out.problems.empty()) out.other_published = other_published(store);
  } catch (const DamagedFile& damage) {
    out.problems.emplace_back(damage.what());
  }
  return out;
}

Rerun rerun(const Store& store, const PlanSources& sources, const Executor& executor,
            const RerunOptions& options) {
  return Rerunner(store, sources, executor, options).run();
}

}  // namespace cupel
