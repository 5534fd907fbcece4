#include "cupel/lab/verify/submission.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/words.h"
#include "cupel/base/write_file.h"
#include "cupel/data/formats/npz.h"
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

constexpr std::size_t kFewestDigits = 6, kShownDigits = 12;  // of a version

// Scores of a part out of a file of a run's folder; nothing if it is not there.
std::optional<AlignedVector<float>> scores_in(const fs::path& folder, const std::string& name,
                                              const View& view, std::int64_t rows) {
  const fs::path path = folder / name;
  if (!is_there(path)) return {};
  const ScoreShape shape = {rows, view.outputs(), view.kind().unit};
  const std::string bytes =
      read_small_file(path, static_cast<std::uint64_t>(most_score_bytes(shape)));
  return scores_of(bytes, name.c_str(), shape);
}

std::string test_scores_of(int split, int init) { return folder_of(split, init) + "/scores.npy"; }

RunRecord scored(const Submission& submission, const Family& family, const Task& task, int split,
                 int init) {
  RunRecord out;
  out.metric = family.metric;
  const View& view = *task.view;
  if (const auto scores = scores_in(submission.folder, folder_of(split, init) + "/valid_scores.npy",
                                    view, view.valid_rows())) {
    const std::unique_ptr<Marking> valid = view.mark_valid();
    hand_rows(*scores, view.outputs(), *valid);
    out.valid_score = valid->score(family.metric);
  }
  const std::string file = test_scores_of(split, init);
  const auto scores = scores_in(submission.folder, file, view, view.test_rows());
  if (!scores) fail("there is no {}", file);
  const std::unique_ptr<Marking> test = task.answers->open();
  hand_rows(*scores, view.outputs(), *test);
  mark(*test, family.metric, {}, view, out);
  return out;
}

// Whether a model that is said to be deterministic has another init whose predictions differ: the
// first such one.
std::optional<SubmissionFault> not_deterministic(const Submission& submission, const Task& task,
                                                 int split) {
  const View& view = *task.view;
  const auto first = scores_in(submission.folder, test_scores_of(split, 0), view, view.test_rows());
  for (int init = 1; init < submission.protocol.tables.front().inits; ++init) {
    const std::string file = test_scores_of(split, init);
    try {
      const auto scores = scores_in(submission.folder, file, view, view.test_rows());
      if (!scores || scores == first) continue;
    } catch (const Error& error) {
      return SubmissionFault{split, init, error.what()};
    }
    return SubmissionFault{
        split, init,
        fmt::format("{}: has other scores than init-0, and {} says deterministic = true; take that "
                    "line out and give all initialisations, or remove this one",
                    file, kSubmissionFile)};
  }
  return std::nullopt;
}

// --- what is asked, as files say it ---

constexpr const char* kTaskArrays = "task.npz";
constexpr const char* kTaskText = "task.json";

std::string task_text(const Task& task, const Family& family, int split) {
  return task_json(*task.view, {.split = split, .metric = family.metric});
}

bool has_text(const fs::path& path, const std::string& text) {
  const auto found = nlohmann::json::parse(read_small_file(path), nullptr, false);
  if (found.is_discarded()) fail("it is no JSON");
  return found == nlohmann::json::parse(text);
}

// Which program wrote them, and how it packed them, is the same to arrays.
bool has_arrays(const fs::path& path, const NpyMembers& members) {
  const NpzFile file(path);
  return std::ranges::all_of(members, [&](const auto& member) {
    const auto& [key, array] = member;
    if (!file.has(key)) return false;
    const NpyArray found = file.read(key);
    return found.type == array.type && found.shape == array.shape &&
           found.fortran_order == array.fortran_order && found.bytes == array.bytes;
  });
}

// The files of a split's folder that say what it asks.
struct TaskFiles {
  bool arrays = false, text = false;  // are there
  std::string other;                  // the one of another task; empty: none
};

// Throws Error for a file that cannot be read.
TaskFiles task_files(const fs::path& folder, const Task& task, const std::string& text) {
  const fs::path arrays_at = folder / kTaskArrays, text_at = folder / kTaskText;
  TaskFiles out{is_there(arrays_at), is_there(text_at), ""};
  const auto look = [&](const fs::path& path, const auto& is_same) {
    try {
      if (!is_same()) out.other = path.string();
    } catch (const Error& error) {
      fail("{} cannot be read as what is asked ({}); remove it, and `cupel submit tasks` writes it",
           path.string(), error.what());
    }
  };
  if (out.arrays) look(arrays_at, [&] { return has_arrays(arrays_at, task_members(*task.view)); });
  if (out.text) look(text_at, [&] { return has_text(text_at, text); });
  return out;
}

bool has_predictions(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with("init-") &&
        is_there(entry.path() / "scores.npy"))
      return true;
  return false;
}

// Rows that answer another task fit its shape as well, and mean nothing. Throws Error.
void check_task(const fs::path& folder, const Task& task, const std::string& text) {
  const TaskFiles files = task_files(folder, task, text);
  if (files.other.empty()) return;
  fail(
      "{} is the task of another protocol, version or split than the submission's, so that these "
      "predictions are for other rows; name the protocol that was meant, or write tasks into a new "
      "folder and predict for those",
      files.other);
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
  const toml::table file = toml_of(label, text);
  Section section(label, "", file);
  Submission out;
  out.folder = folder;
  out.protocol = load_protocol(protocol_at(folder, demand(section, "protocol")));
  out.dataset = demand(section, "dataset");
  out.model = demand(section, "model");
  out.citation = demand(section, "citation");
  const std::string table = section.text("table").value_or("");
  out.deterministic = section.flag("deterministic").value_or(false);
  if (const auto version = section.text("version")) {
    out.pinned = true;
    if (version->size() < kFewestDigits || !out.protocol.version.starts_with(*version))
      fail(
          "{}: the predictions are for version '{}' of protocol '{}', which is {} here; give a "
          "protocol of that version, or predict for the one here and name its version",
          label, *version, out.protocol.name, version_text(out));
  }
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

std::string version_text(const Submission& submission) {
  return submission.protocol.version.substr(0, kShownDigits);
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
    const fs::path folder = submission.folder / fmt::format("split-{}", split);
    // To draw what a split asks may take long, and be for nothing.
    Task task;
    std::string asks_another;
    if (is_there(folder)) {
      task = task_of({cell.family, split, {}, {}}, {});
      try {
        check_task(folder, task, task_text(task, *cell.family, split));
      } catch (const Error& error) {
        asks_another = error.what();
      }
    }
    for (int init = 0; init < cell.inits; ++init) {
      limits.throw_if_interrupted();
      try {
        if (task.view == nullptr) fail("there is no {}", test_scores_of(split, init));
        if (!asks_another.empty()) fail("{}: {}", test_scores_of(split, init), asks_another);
        RunRecord record = scored(submission, *cell.family, task, split, init);
        record.identity = run_identity(cell.family->identity, split, init);
        kept.runs.push_back({index, init, std::move(record)});
        if (!submission.deterministic) continue;
        if (auto fault = not_deterministic(submission, task, split))
          out.faults.push_back(std::move(*fault));
      } catch (const Error& error) {
        out.faults.push_back({split, init, error.what()});
      }
    }
  }
  return out;
}

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
    const std::string text = task_text(task, *cell.family, split);
    const TaskFiles files = task_files(folder, task, text);
    if (!files.other.empty())
      fail(
          "{}: holds the task of another protocol, version or split than the submission's{}; move "
          "the folder away, and write tasks again",
          folder.string(), has_predictions(folder) ? ", and predictions for it" : "");
    if (!files.arrays) write_task_npz(folder / kTaskArrays, *task.view);
    if (!files.text) write_file(folder / kTaskText, text);
    out += !files.arrays || !files.text;
  }
  return out;
}

}  // namespace cupel
