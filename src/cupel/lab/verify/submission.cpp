#include "cupel/lab/verify/submission.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/words.h"
#include "cupel/base/write_file.h"
#include "cupel/data/formats/beside.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/plan/split_design.h"
#include "cupel/lab/protocol/section.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/run/group_task.h"
#include "cupel/lab/run/score_file.h"
#include "cupel/lab/run/task_files.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

std::string demand(Section& section, const char* key) {
  const auto out = section.text(key);
  if (!out || out->empty())
    fail("{}: '{}' is not said; add {} = \"...\"", section.where(), key, key);
  return *out;
}

// A path starts at the submission's folder.
std::string protocol_at(const fs::path& folder, const std::string& given) {
  const bool is_path = given.find('/') != given.npos || fs::path(given).extension() == ".toml";
  return is_path ? (absolute_path(folder) / given).string() : given;
}

// Of several tables with the data set, the one that was named.
const TableSpec& table_of(const Protocol& protocol, const std::string& where,
                          const std::string& dataset, const std::string& named) {
  std::vector<const TableSpec*> found;
  std::vector<std::string> ids;
  for (const TableSpec& table : protocol.tables) {
    if (table.kind != "scores" || table.datasets.empty() || !wanted(table.datasets, dataset))
      continue;
    ids.push_back(table.id);
    if (named.empty() || table.id == named) found.push_back(&table);
  }
  if (ids.empty())
    fail("{}: '{}' is no data set of protocol '{}'{}", where, dataset, protocol.name,
         near_or_all(dataset, columns_of(protocol)));
  if (found.empty())
    fail("{}: table '{}' of protocol '{}' has no data set '{}'; these have: {}", where, named,
         protocol.name, dataset, fmt::join(ids, ", "));
  if (found.size() > 1)
    fail("{}: several tables of protocol '{}' have data set '{}' ({}); add table = \"{}\"", where,
         protocol.name, dataset, fmt::join(ids, ", "), ids.front());
  return *found.front();
}

std::string folder_of(int split, int init) { return fmt::format("split-{}/init-{}", split, init); }

// A protocol may be a stranger's, too.
constexpr std::int64_t kMostRuns = 1'000'000;

// Scores of a part out of a file of a run's folder; false if it is not there.
bool hand_over(const fs::path& folder, const std::string& name, const View& view, std::int64_t rows,
               ScoreSink& sink) {
  const fs::path path = folder / name;
  if (!is_there(path)) return false;
  const ScoreShape shape = {rows, view.outputs(), view.kind().unit};
  const std::string bytes =
      read_small_file(path, static_cast<std::uint64_t>(most_score_bytes(shape)));
  hand_rows(scores_of(bytes, name.c_str(), shape), view.outputs(), sink);
  return true;
}

RunRecord scored(const Submission& submission, const Family& family, const Task& task,
                 const std::string& run) {
  RunRecord out;
  out.metric = family.metric;
  const std::unique_ptr<Marking> valid = task.view->mark_valid();
  const std::unique_ptr<Marking> test = task.answers->open();
  if (hand_over(submission.folder, run + "/valid_scores.npy", *task.view, task.view->valid_rows(),
                *valid))
    out.valid_score = valid->score(family.metric);
  const std::string file = run + "/scores.npy";
  if (!hand_over(submission.folder, file, *task.view, task.view->test_rows(), *test))
    fail("there is no {}", file);
  mark(*test, family.metric, {}, *task.view, out);
  return out;
}

// One table with one cell, without runs.
Results empty_results(const Submission& submission, const PlannedCell& cell) {
  const TableSpec& spec = submission.protocol.tables.front();
  TableResults table;
  table.id = spec.id;
  table.title = spec.title;
  table.delta = spec.delta;
  table.design = design_of(cell.family->split);
  table.design.first = cell.first_split;
  table.datasets = {cell.dataset};
  table.models = {submission.model};
  table.protocol_rows = 1;
  CellResults one;
  one.dataset = cell.dataset;
  one.model = submission.model;
  one.measure = {cell.family->metric};
  one.classes = static_cast<int>(cell.family->dataset->data->data().classes());
  // Not that there is less to do is the submitter's word.
  one.expected_n = std::int64_t{cell.splits} * spec.inits;
  table.cells = {std::move(one)};
  Results out;
  out.protocol = submission.protocol.name;
  out.title = submission.protocol.title;
  out.tables = {std::move(table)};
  out.published = submission.protocol.published;
  return out;
}

}  // namespace

Submission read_submission(const fs::path& folder) {
  const fs::path path = folder / kSubmissionFile;
  if (!is_there(path))
    fail("{}: holds no {}; docs/leaderboard.md says what a submission is", folder.string(),
         kSubmissionFile);
  const std::string label = path.string(), text = read_small_file(path);
  toml::table file;
  try {
    file = toml::parse(std::string_view(text), label);
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML: {}", label, error.source().begin.line, error.description());
  }
  Section section(label, "", file);
  Submission out;
  out.folder = folder;
  out.protocol = load_protocol(protocol_at(folder, demand(section, "protocol")));
  out.dataset = demand(section, "dataset");
  out.model = demand(section, "model");
  out.citation = demand(section, "citation");
  const std::string table = section.text("table").value_or("");
  out.deterministic = section.flag("deterministic").value_or(false);
  section.finish();
  // The row is a program's, of which nothing is started: predictions are what programs write.
  ModelRow row;
  row.name = row.model = out.model;
  row.external.emplace();
  row.external->command = {"predictions"};
  row.external->folder = absolute_path(folder);
  row.where = label;
  TableSpec spec = table_of(out.protocol, label, out.dataset, table);
  if (!spec.strata.empty())
    fail(
        "{}: table '{}' of the protocol scores groups of nodes, and a submission is scored on all "
        "that are tested; name another table by 'table'",
        label, spec.id);
  spec.models = {row.name};
  out.protocol.tables = {std::move(spec)};
  out.protocol.models = {std::move(row)};
  return out;
}

PlannedCell cell_of(const Submission& submission, const PlanSources& sources) {
  const Selection selection{.datasets = {submission.dataset}, .models = {}, .tables = {}};
  PlannedCell out = make_plan(submission.protocol, selection, sources).cells.at(0);
  if (out.family->task->program_questions != nullptr)
    fail(
        "{}: of {} each question tells the answer to the one before, so that no file can answer "
        "them; submit a store of a program's runs instead",
        submission.folder.string(), out.family->task->words);
  if (submission.deterministic) out.inits = 1;
  if (std::int64_t{out.splits} * out.inits > kMostRuns)
    fail("{}: the protocol asks for {} splits x {} initialisations, and submissions end at {} runs",
         submission.folder.string(), grouped(out.splits), grouped(out.inits), grouped(kMostRuns));
  return out;
}

Rescored rescore(const Submission& submission, const PlanSources& sources,
                 const RunLimits& limits) {
  const PlannedCell cell = cell_of(submission, sources);
  Rescored out;
  out.results = empty_results(submission, cell);
  CellResults& kept = out.results.tables.front().cells.front();
  out.asked = cell.splits * cell.inits;
  for (int index = 0; index < cell.splits; ++index) {
    const int split = cell.first_split + index;
    // To draw what a split asks may take long, and be for nothing.
    Task task;
    if (is_there(submission.folder / fmt::format("split-{}", split)))
      task = task_of({cell.family, split, {}, {}}, {});
    for (int init = 0; init < cell.inits; ++init) {
      limits.throw_if_interrupted();
      try {
        if (task.view == nullptr) fail("there is no {}/scores.npy", folder_of(split, init));
        RunRecord record = scored(submission, *cell.family, task, folder_of(split, init));
        record.identity = run_identity(cell.family->identity, split, init);
        kept.runs.push_back({index, init, std::move(record)});
      } catch (const Error& error) {
        out.faults.push_back({split, init, error.what()});
      }
    }
  }
  return out;
}

namespace {

bool is_text(const fs::path& path, const std::string& text) {
  return fs::is_regular_file(path) && fs::file_size(path) == text.size() &&
         read_small_file(path, text.size()) == text;
}

bool are_equal(const fs::path& a, const fs::path& b) {
  return fs::is_regular_file(a) && fs::file_size(a) == fs::file_size(b) &&
         sha256_file(a) == sha256_file(b);
}

}  // namespace

int write_tasks(const Submission& submission, const PlanSources& sources, const RunLimits& limits) {
  const PlannedCell cell = cell_of(submission, sources);
  int out = 0;
  for (int index = 0; index < cell.splits; ++index) {
    const int split = cell.first_split + index;
    const fs::path folder = submission.folder / fmt::format("split-{}", split);
    limits.throw_if_interrupted();
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) fail("folder {} cannot be made: {}", folder.string(), problem.message());
    const Task task = task_of({cell.family, split, {}, {}}, {});
    const std::string description =
        task_json(*task.view, {.split = split, .metric = cell.family->metric});
    const Beside beside(folder / "task.npz");
    write_task_npz(beside.path(), *task.view);
    if (is_there(folder / "task.json")) {
      if (!is_text(folder / "task.json", description) ||
          !are_equal(folder / "task.npz", beside.path()))
        fail(
            "{}: holds the task of another protocol or split than the submission's, and "
            "predictions "
            "for it; move the folder away, and write tasks again",
            folder.string());
      continue;
    }
    beside.move();
    write_file(folder / "task.json", description);
    ++out;
  }
  return out;
}

}  // namespace cupel
