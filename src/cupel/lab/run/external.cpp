#include "cupel/lab/run/external.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/remove_tree.h"
#include "cupel/lab/isolation/task_folder.h"
#include "cupel/lab/plan/program.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/program_talk.h"
#include "cupel/lab/run/score_file.h"
#include "cupel/lab/run/task_files.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTailBytes = 1500;
constexpr std::int64_t kMostItem = 8;  // bytes of its widest number
constexpr std::int64_t kLargestFile = std::int64_t{1} << 30;
constexpr std::int64_t kLargestFiles = 4;  // so many in all
constexpr const char* kTaskArrays = "task.npz";
constexpr const char* kDescription = "task.json";
constexpr const char* kHowAWorkerAnswers =
    "; an answer is one line of JSON, flushed, that begins with {\"run\"";

// The end of what the program said, without what would upset a terminal.
std::string tail(const std::string& output) {
  const std::size_t take = std::min(output.size(), kTailBytes);
  std::string text = output.substr(output.size() - take);
  for (char& c : text) {
    if (c != '\n' && (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126))
      c = '?';
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // A line that was cut says nothing where another follows.
  if (const auto end = text.find('\n'); take < output.size() && end != std::string::npos)
    text.erase(0, end + 1);
  return text;
}

std::string signal_text(int number) {
  return fmt::format("signal {} ({})", number, strsignal(number));
}

// Hands the scores of `rows` rows in a file to `sink`; false if it is not there.
bool hand_over(const TaskFolder& folder, const char* name, const View& view, std::int64_t rows,
               ScoreSink& sink) {
  const Index columns = view.outputs();
  const auto values = read_scores(folder, name, {rows, columns, view.kind().unit});
  if (!values) return false;
  hand_rows(*values, columns, sink);
  return true;
}

class ExternalSession : public RunSession {
 public:
  ExternalSession(Task task, const RunGroup& group, Threads threads, std::vector<fs::path> hidden,
                  std::shared_ptr<WorkerPool> workers)
      : isolation_(isolation_for(group)),
        hidden_(std::move(hidden)),
        workers_(std::move(workers)),
        view_(std::move(task.view)),
        answers_(std::move(task.answers)),
        family_(group.family),
        strata_(group.strata),
        split_(group.split),
        threads_(threads) {
    make_folder();
  }
  ~ExternalSession() override {
    if (worker_) workers_->give_back(worker_kind(), std::move(worker_));
  }

  RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
    demand_unchanged();
    RunRecord out = outcome(init, key, limits);
    demand_unchanged();  // it may have been another program's
    return out;
  }

 private:
  // What is kept under the plan's identity is of the program that the plan was made with.
  void demand_unchanged() const {
    if (const ProgramFile* file = changed_file(family_->files))
      throw NotStarted(
          fmt::format("{}: changed since the plan was made; run again", file->path.string()));
  }

  RunRecord outcome(int init, StreamKey key, const RunLimits& limits) {
    RunRecord out;
    try {
      perform(init, key, limits, out);
    } catch (const NotStarted&) {
      worker_.reset();
      throw;
    } catch (const Interrupted&) {
      worker_.reset();
      throw;
    } catch (const Error& error) {
      out.status = RunStatus::kFailed;
      out.message = error.what();
    }
    out.isolation = isolation_.name;
    without_folder(out.message);
    if (out.status != RunStatus::kOk) {
      worker_.reset();  // the next run gets a fresh one
      out.test_score = out.valid_score = std::nullopt;
      out.strata.clear();
    }
    return out;
  }

  static Isolation isolation_for(const RunGroup& group) {
    const std::string refusal = isolation_refusal(*group.family->external);
    if (!refusal.empty()) throw NotStarted(refusal);
    return isolation_of(*group.family->external);
  }

  bool works_on() const { return family_->external->worker; }

  // Of a worker the folder is its own, and stays with it.
  void make_folder() {
    try {
      if (works_on())
        worker_ = workers_->take(worker_kind());
      else
        own_folder_ = std::make_unique<TaskFolder>();
      folder_ = works_on() ? &worker_->folder() : own_folder_.get();
      write_task_npz(folder_->path() / kTaskArrays, *view_);
    } catch (const Error& error) {
      throw NotStarted(error.what());
    }
  }

  WorkerKind worker_kind() const {
    return {*family_->external, threads_.count, file_bytes(), isolation_.name};
  }

  // The folder's name is another one each time, and means nothing to the reader.
  void without_folder(std::string& message) const {
    for (const std::string& path : {folder_->run().string(), folder_->path().string()}) {
      for (auto at = message.find(path); at != std::string::npos; at = message.find(path, at))
        message.replace(at, path.size(), "TASK");
    }
  }

  // task.json
  std::string description(int init, StreamKey key) const {
    return task_json(*view_, {.split = split_,
                              .init = init,
                              .threads = threads_.count,
                              .seed = key.low,
                              .budget_seconds = family_->external->timeout_seconds,
                              .metric = family_->metric,
                              .settings = family_->model.settings.all()});
  }

  // What the largest file may have.
  std::int64_t file_bytes() const {
    // What is asked while it runs has files of a bounded size.
    if (view_->kind().program_questions != nullptr) return kLargestFile;
    const std::int64_t scores = view_->test_rows() * view_->outputs() * kMostItem;
    return std::max(kLargestFile, 2 * scores);
  }

  ProcessRequest request(const TaskFolder& folder, std::vector<fs::path> given) const {
    ProgramStart start;
    start.task = folder.run();
    start.given = std::move(given);
    start.hidden = hidden_;
    const std::string threads = std::to_string(threads_.count);
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
      start.environment.emplace_back(name, threads);
    start.environment.emplace_back("CUPEL_TASK", task_seen(isolation_, start.task).string());
    ProcessRequest out = program_request(*family_->external, isolation_, start);
    out.file_bytes = file_bytes();
    out.disk_bytes = kLargestFiles * out.file_bytes;
    out.disk = [&folder, most = out.disk_bytes] { return folder.size(most); };
    return out;
  }

  // A fresh folder, and the program's end in it. What this machine cannot do is no outcome.
  ProcessResult start(int init, StreamKey key, const RunLimits& limits, ProgramTalk* talk) {
    try {
      if (works_on()) return hand_to_worker(init, key, limits, talk);
      folder_->renew();
      folder_->write(kDescription, description(init, key));
      if (isolation_.keeper.empty()) folder_->copy_in(kTaskArrays);
      ProcessRequest out = request(*folder_, {folder_->path() / kTaskArrays});
      out.deadline = limits.deadline;
      out.interrupt = limits.interrupt;
      out.talk = talk;
      return run_process(out);
    } catch (const Error& error) {
      throw NotStarted(error.what());
    }
  }

  // What a worker finds is its own, so that files are copied for it.
  ProcessResult hand_to_worker(int init, StreamKey key, const RunLimits& limits,
                               ProgramTalk* talk) {
    const std::string task = description(init, key);
    const auto fill = [&] {
      folder_->clear();
      folder_->write(kDescription, task);
      folder_->copy_in(kTaskArrays);
    };
    return worker_->run(
        task, limits, fill, [this](const TaskFolder& folder) { return request(folder, {}); }, talk);
  }

  // Throws what the record says of a program that did not come to a good end.
  // `when`: a question that was open.
  void demand_good_end(const ProcessResult& result, const std::string& when,
                       const std::string& last) const {
    const ExternalCommand& program = *family_->external;
    using End = ProcessResult::End;
    switch (result.end) {
      case End::kInterrupted:
        throw Interrupted();
      case End::kNotStarted:
        throw NotStarted(fmt::format(
            "'{}' cannot be started in {}: {}", program.command[0], program.folder.string(),
            result.code != 0 ? std::strerror(result.code) : tail(result.output)));
      case End::kMemory:
        fail(
            "the program was ended: its processes held more than {} MB of memory together, files "
            "in memory among it; raise memory_mb{}",
            program.memory_mb, last);
      case End::kTasks:
        fail("the program was ended: it had more than {} processes and threads{}", kMostTasks,
             last);
      case End::kDisk:
        fail(
            "the program was ended: it wrote more than {} MB or {} files into the task folder, or "
            "folders more than {} deep{}",
            grouped((kLargestFiles * file_bytes()) >> 20), grouped(kMostFiles), kMostDepth, last);
      case End::kSignal:
        fail("the program died of {}{}{}", signal_text(result.code), when, last);
      case End::kExit:
        // What was killed may be told by an exit code: by bubblewrap, or by a shell of the program.
        if (result.code > 128 && result.code <= 128 + SIGRTMAX)
          fail("the program ended with exit code {}, or died of {}{}{}", result.code,
               signal_text(result.code - 128), when, last);
        if (result.code != 0)
          fail("the program ended with exit code {}{}{}", result.code, when, last);
        break;
      case End::kTalk:
        try {
          std::rethrow_exception(result.thrown);
        } catch (const NotStarted&) {
          throw;
        } catch (const Error& error) {
          fail("{}{}", error.what(), last);
        }
      case End::kTimeout:
        break;  // told by its status
    }
  }

  void perform(int init, StreamKey key, const RunLimits& limits, RunRecord& out) {
    if (works_on() && !worker_) make_folder();
    const std::unique_ptr<Marking> valid = view_->mark_valid();
    const std::unique_ptr<Marking> test = answers_ == nullptr ? nullptr : answers_->open();
    std::optional<ProgramTalk> talk;
    if (const auto questions = view_->kind().program_questions)
      talk.emplace(*folder_, questions(*view_, *valid, test.get()));
    const ProcessResult result = start(init, key, limits, talk ? &*talk : nullptr);
    out.memory_bytes = result.memory_bytes;
    const std::string said = tail(result.output);
    const std::string last = said.empty() ? "" : "; it said:\n" + said;
    if (result.end == ProcessResult::End::kTimeout) {
      out.status = RunStatus::kTimeout;
      out.message = "the program was ended: its time was up";
      if (talk && !talk->asked().empty())
        out.message += timed_out_at(*talk);
      else if (works_on())
        out.message += kHowAWorkerAnswers;
      out.message += last;
      return;
    }
    const std::string when = talk && !talk->asked().empty()
                                 ? fmt::format(" when {} was asked", talk->asked())
                                 : std::string();
    demand_good_end(result, when, last);
    if (!when.empty()) fail("the program ended{}, and did not answer it{}", when, last);
    const bool validated =
        talk || hand_over(*folder_, "valid_scores.npy", *view_, view_->valid_rows(), *valid);
    if (validated) out.valid_score = valid->score(family_->metric);
    if (test == nullptr) {
      if (!validated)
        fail("the program wrote no valid_scores.npy, by which a search selects{}", last);
      return;
    }
    if (!talk && !hand_over(*folder_, "scores.npy", *view_, view_->test_rows(), *test))
      fail("the program wrote no scores.npy{}", last);
    mark(*test, family_->metric, strata_, *view_, out);
  }

  static std::string timed_out_at(const ProgramTalk& talk) {
    return fmt::format(
        " when {} was asked; an answer is read once its name is a line of the standard output, "
        "which must not wait in a buffer",
        talk.asked());
  }

  Isolation isolation_;
  std::vector<fs::path> hidden_;
  std::shared_ptr<WorkerPool> workers_;
  std::unique_ptr<Worker> worker_;          // of a program that is one; null after a failure
  std::unique_ptr<TaskFolder> own_folder_;  // of others
  TaskFolder* folder_ = nullptr;            // the one of these that there is
  std::shared_ptr<const View> view_;
  std::shared_ptr<const SealedAnswers> answers_;  // stay here; null in a search
  std::shared_ptr<const Family> family_;
  std::vector<std::shared_ptr<const Stratum>> strata_;
  int split_;
  Threads threads_;
};

}  // namespace

std::unique_ptr<RunSession> open_external(Task task, const RunGroup& group, Threads threads,
                                          const std::vector<fs::path>& hidden,
                                          std::shared_ptr<WorkerPool> workers) {
  return std::make_unique<ExternalSession>(std::move(task), group, threads, hidden,
                                           std::move(workers));
}

}  // namespace cupel
