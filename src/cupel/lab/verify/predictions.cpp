#include "cupel/lab/verify/predictions.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/split/split.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/results/load.h"
#include "cupel/learn/class_tasks.h"
#include "cupel/learn/model.h"
#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/trainer.h"

namespace cupel {
namespace {

// A run with the column of a protocol that it stands in.
struct Place {
  RunRecord record;
  std::string version, dataset, model;  // version: name@version
};

nlohmann::json family_of(const RunRecord& record) {
  return nlohmann::json::parse(record.identity).at("family");
}

// The id of a run's family. Its text is the part of the run's that begins the same.
std::string family_id(const RunRecord& record) {
  const std::size_t from = std::string_view(R"({"family":)").size();
  return identity_hash(record.identity.substr(from, record.identity.rfind(R"(,"init":)") - from));
}

std::string content_of(const RunRecord& record) {
  return family_of(record).at("dataset").at("content");
}

std::string version_of(const StoredProtocol& protocol) {
  return fmt::format("{}@{}", protocol.name, protocol.version);
}

Place place_of(const Store& store, RunRecord record) {
  const std::string family = family_id(record);
  for (const StoredProtocol& protocol : store.protocols()) {
    for (const StoredCell& cell : store.cells(protocol.version))
      if (cell.family == family)
        return {std::move(record), version_of(protocol), cell.dataset, cell.model};
  }
  fail(
      "{}: run {} is in no table that says what it was made of, as runs of searches are; give a "
      "run of a table",
      store.path().string(), record.id);
}

// The first run of the row that has a test score.
std::optional<Place> first_run(const Store& store, const std::string& row,
                               const std::string& content, std::set<std::string>& rows) {
  for (const StoredProtocol& protocol : store.protocols()) {
    const Results results = load_results(store, version_of(protocol));
    for (const TableResults& table : results.tables) {
      for (const CellResults& cell : table.cells) {
        for (const PlacedRun& placed : cell.runs) {
          if (!placed.record.test_score) continue;
          const bool named = same_name(cell.model, row);
          if (!named && rows.contains(cell.model)) break;
          std::optional<RunRecord> record = store.find(placed.record.id);
          if (!record || !record->test_score || content_of(*record) != content) break;
          rows.insert(cell.model);
          if (!named) break;
          return Place{std::move(*record), version_of(protocol), cell.dataset, cell.model};
        }
      }
    }
  }
  return std::nullopt;
}

FoundRun planned(const Store& store, Place place, const PlanSources& sources) {
  const auto told = [&] {
    return fmt::format("{}: run {} ({} on {})", store.path().string(), place.record.id, place.model,
                       place.dataset);
  };
  const nlohmann::json identity = nlohmann::json::parse(place.record.identity);
  if (identity.at("family").at("model").contains("program"))
    fail(
        "{} is of a program, which need not predict the same again; give a run of a model that "
        "is built in",
        told());
  Selection selection{.datasets = {place.dataset}, .models = {place.model}, .tables = {}};
  const std::string id = family_id(place.record);
  for (const PlannedCell& cell :
       make_plan(stored_protocol(store, place.version), selection, sources).cells) {
    if (cell.family->id != id) continue;
    if (cell.family->task->unit != Unit::kNode)
      fail("{} predicts {}; give a run about classes of nodes", told(), cell.family->task->words);
    return {cell.family, identity.at("split"), identity.at("init"), std::move(place.record)};
  }
  fail(
      "{} cannot be done again here: data or numerics are not those it was made with; `cupel run` "
      "makes new ones",
      told());
}

// Scores of all nodes, and which class has the largest.
class AllScores final : public ScoreSink {
 public:
  void take(ConstDenseView rows) override {
    for (Index r = 0; r < rows.rows; ++r) {
      const float* const row = rows.row(r);
      values_.insert(values_.end(), row, row + rows.cols);
      largest_.push_back(static_cast<Index>(std::max_element(row, row + rows.cols) - row));
    }
    columns_ = rows.cols;
  }
  // The rows of some nodes.
  Matrix of(const std::vector<Index>& nodes) const {
    Matrix out(static_cast<Index>(nodes.size()), columns_);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(nodes[i]) * columns_, columns_,
                  out.row(static_cast<Index>(i)));
    return out;
  }
  std::vector<Index>& largest() { return largest_; }

 private:
  Index columns_ = 0;
  std::vector<float> values_;
  std::vector<Index> largest_;
};

}  // namespace

FoundRun find_run(const Store& store, const std::string& name, const std::string& content,
                  const std::string& dataset, const PlanSources& sources) {
  const std::string path = store.path().string();
  std::optional<Place> place;
  if (std::optional<RunRecord> record = store.find(name)) {
    if (content_of(*record) != content)
      fail("{}: run {} is of other data than {}; give the data set it was made with", path,
           record->id, dataset);
    if (!record->test_score)
      fail("{}: run {} has no test score ({}), and nothing to show; give one that has", path,
           record->id, to_text(record->status));
    place = place_of(store, std::move(*record));
  } else {
    std::set<std::string> rows;
    place = first_run(store, name, content, rows);
    if (!place && rows.empty())
      fail("{}: has no run on {} with a test score; `cupel run` makes some", path, dataset);
    if (!place)
      fail("{}: has no run and no row '{}' on {}{}", path, name, dataset,
           near_or_all(name, {rows.begin(), rows.end()}));
  }
  return planned(store, std::move(*place), sources);
}

std::vector<Index> predictions_of(const FoundRun& run, Threads threads, const RunLimits& limits) {
  const Family& family = *run.family;
  SplitScheme scheme = family.split;
  scheme.first = 0;
  scheme.count = run.split + 1;
  const auto& data = family.dataset->data;
  const Task task = family.task->make({.data = data,
                                       .scheme = scheme,
                                       .split = make_split(data->data(), scheme, run.split),
                                       .settings = family.task_settings,
                                       .key = task_key(*family.dataset, family.split, run.split),
                                       .threads = threads});
  TaskView view = class_view(*task.view);
  const std::vector<Index> test = view.test;
  view.test.resize(static_cast<std::size_t>(view.nodes()));
  std::iota(view.test.begin(), view.test.end(), 0);
  Trainer trainer(std::move(view), *family.model.entry, family.model.settings, family.rule,
                  family.metric, threads);
  AllScores scores;
  const TrialOutcome trial =
      trainer.run(run_key(family, run.split, family.stored_init(run.init)), limits, &scores);
  if (!trial.scored)
    fail("run {} ({} on {}) was done again and has no score: {}", run.record.id, family.row,
         family.dataset->name, trial.message);
  const std::unique_ptr<Marking> marking = task.answers->open();
  marking->take(scores.of(test));
  const double score = marking->score(trial.metric);
  if (score != run.record.test_score)
    fail(
        "run {} ({} on {}) was done again and has {} {}, not the {} of the store; `cupel verify` "
        "says whether the store holds",
        run.record.id, family.row, family.dataset->name, family.metric, score,
        *run.record.test_score);
  return std::move(scores.largest());
}

}  // namespace cupel
