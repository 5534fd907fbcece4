#include "cupel/lab/run/external.h"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/formats/npz.h"
#include "cupel/lab/run/process.h"
#include "cupel/lab/run/task_files.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTailBytes = 1500;

class TaskFolder {
 public:
  TaskFolder() {
    std::string name = (fs::temp_directory_path() / "cupel-task-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw NotStarted(fmt::format(
          "{}: no task folder can be made: {}; set TMPDIR to a folder that you may write to", name,
          std::strerror(errno)));
    path_ = name;
  }
  ~TaskFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TaskFolder(const TaskFolder&) = delete;
  TaskFolder& operator=(const TaskFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The end of what the program said, without what would upset a terminal.
std::string tail(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const auto size = static_cast<std::size_t>(in.tellg());
  const std::size_t take = std::min(size, kTailBytes);
  in.seekg(static_cast<std::streamoff>(size - take));
  std::string text(take, ' ');
  in.read(text.data(), static_cast<std::streamsize>(take));
  for (char& c : text) {
    if (c != '\n' && (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126))
      c = '?';
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // The line that was cut says nothing.
  if (take < size) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

std::optional<Scores> read_scores(const fs::path& path, std::size_t nodes, Index classes) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  const std::string name = path.filename().string();
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) fail("{}: is not a file", name);
  NpyArray array = read_npy(path);
  array.where = name;
  const std::vector<std::int64_t> wanted = {static_cast<std::int64_t>(nodes), classes};
  if (array.shape != wanted)
    fail(
        "{}: has the shape ({}) instead of ({}): one row for each node asked for, one column for "
        "each class",
        name, fmt::join(array.shape, ", "), fmt::join(wanted, ", "));
  if (array.type.kind != 'f') fail("{}: must hold floats, not {}", name, to_text(array.type));
  Scores out(static_cast<Index>(nodes), classes);
  out.values = to_floats(array);
  return out;
}

class ExternalSession : public RunSession {
 public:
  ExternalSession(NodeTask task, const RunGroup& group, Threads threads)
      : view_(std::move(task.view)),
        family_(group.family),
        strata_(group.strata),
        split_(group.split),
        threads_(threads) {
    if (family_->scores_test) {
      labels_ = std::move(task.test_labels);
    } else {
      view_.test.clear();
    }
    write_task_npz(folder_.path() / "task.npz", view_);
  }

  RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
    RunRecord out;
    try {
      perform(init, key, limits, out);
    } catch (const NotStarted&) {
      throw;
    } catch (const Error& error) {
      out.status = RunStatus::kFailed;
      out.message = error.what();
    }
    // The folder's name is another one each time, and means nothing to the reader.
    for (auto at = out.message.find(folder_.path().string()); at != std::string::npos;
         at = out.message.find(folder_.path().string()))
      out.message.replace(at, folder_.path().string().size(), "TASK");
    if (out.status != RunStatus::kOk) {
      out.test_score = out.valid_score = std::nullopt;
      out.strata.clear();
    }
    return out;
  }

 private:
  fs::path file(const char* name) const { return folder_.path() / name; }

  void write_description(int init, StreamKey key) const {
    nlohmann::json settings = nlohmann::json::object();
    for (const auto& [name, value] : family_->model.settings.all())
      std::visit([&, &at = name](const auto& v) { settings[at] = v; }, value);
    const nlohmann::json task = {
        {"budget_seconds", family_->external->timeout_seconds},
        {"classes", view_.classes()},
        {"init", init},
        {"metric", family_->metric},
        {"nodes", view_.nodes()},
        {"seed", key.low},
        {"settings", settings},
        {"split", split_},
        {"threads", threads_.count},
    };
    std::ofstream(file("task.json")) << task.dump(2) << '\n';
  }

  ProcessRequest request(const RunLimits& limits) const {
    ProcessRequest out;
    for (std::string argument : family_->external->command) {
      for (auto at = argument.find("{task}"); at != std::string::npos; at = argument.find("{task}"))
        argument.replace(at, 6, folder_.path().string());
      out.command.push_back(argument);
    }
    out.folder = family_->external->folder.empty() ? fs::current_path() : family_->external->folder;
    out.output = file("output.txt");
    const std::string threads = std::to_string(threads_.count);
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
      out.environment.emplace_back(name, threads);
    out.environment.emplace_back("CUPEL_TASK", folder_.path().string());
    out.memory_bytes = family_->external->memory_mb << 20;
    const std::int64_t scores = std::int64_t{view_.nodes()} * view_.classes() * 8;
    out.file_bytes = std::max(std::int64_t{1} << 30, 2 * scores);
    out.deadline = limits.deadline;
    out.interrupt = limits.interrupt;
    return out;
  }

  static ProcessResult started(const ProcessRequest& request) {
    try {
      return run_process(request);
    } catch (const Error& error) {
      throw NotStarted(error.what());
    }
  }

  void perform(int init, StreamKey key, const RunLimits& limits, RunRecord& out) {
    for (const char* name : {"scores.npy", "valid_scores.npy", "output.txt"}) {
      std::error_code ignored;
      fs::remove_all(file(name), ignored);
    }
    write_description(init, key);
    const ProcessRequest process = request(limits);
    const ProcessResult result = started(process);
    out.memory_bytes = result.memory_bytes;
    using End = ProcessResult::End;
    if (result.end == End::kInterrupted) throw Interrupted();
    if (result.end == End::kTimeout) {
      out.status = RunStatus::kTimeout;
      out.message = "the program was ended: its time was up";
      return;
    }
    if (result.end == End::kNotStarted)
      throw NotStarted(fmt::format("'{}' cannot be started in {}: {}", process.command[0],
                                   process.folder.string(), std::strerror(result.code)));
    const std::string said = tail(process.output);
    const std::string last = said.empty() ? "" : "; it said:\n" + said;
    if (result.end == End::kSignal)
      fail("the program died of signal {} ({}){}", result.code, strsignal(result.code), last);
    if (result.code != 0) fail("the program ended with exit code {}{}", result.code, last);

    const auto valid = read_scores(file("valid_scores.npy"), view_.valid.size(), view_.classes());
    if (valid) out.valid_score = metric(family_->metric, *valid, view_.valid_labels);
    if (!labels_) {
      if (!valid) fail("the program wrote no valid_scores.npy, by which a search selects{}", last);
      return;
    }
    const auto scores = read_scores(file("scores.npy"), view_.test.size(), view_.classes());
    if (!scores) fail("the program wrote no scores.npy{}", last);
    out.test_score = labels_->score(family_->metric, *scores);
    out.other_scores = labels_->other_scores(family_->metric, *scores);
    out.strata = score_strata(strata_, *labels_, family_->metric, *scores, view_.test);
  }

  TaskFolder folder_;
  TaskView view_;
  std::optional<SealedLabels> labels_;  // stays here
  std::shared_ptr<const Family> family_;
  std::vector<std::shared_ptr<const Stratum>> strata_;
  int split_;
  Threads threads_;
};

}  // namespace

std::unique_ptr<RunSession> open_external(NodeTask task, const RunGroup& group, Threads threads) {
  return std::make_unique<ExternalSession>(std::move(task), group, threads);
}

}  // namespace cupel
