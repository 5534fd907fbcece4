#include "cupel/lab/run/external.h"

#include <algorithm>
#include <cstring>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/formats/npy.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/remove_tree.h"
#include "cupel/lab/isolation/task_folder.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/task_files.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTailBytes = 1500;
constexpr std::int64_t kMostHeader = 1 << 16;  // of an array in a file, in bytes
constexpr std::int64_t kMostItem = 8;          // bytes of its widest number
constexpr std::int64_t kLargestFile = std::int64_t{1} << 30;
constexpr std::int64_t kLargestFiles = 4;  // so many in all
constexpr const char* kTaskArrays = "task.npz";

// The end of what the program said, without what would upset a terminal.
std::string tail(const std::string& output) {
  const std::size_t take = std::min(output.size(), kTailBytes);
  std::string text = output.substr(output.size() - take);
  for (char& c : text) {
    if (c != '\n' && (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126))
      c = '?';
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // The line that was cut says nothing.
  if (take < output.size() && !text.empty())
    text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

// Pairs have one score each, which may be one axis.
[[noreturn]] void refuse_shape(const char* name, const std::vector<std::int64_t>& shape,
                               const View& view, std::int64_t rows) {
  const Unit unit = view.kind().unit;
  const std::string has = fmt::format("{}: has the shape ({})", name, fmt::join(shape, ", "));
  if (unit == Unit::kPair)
    fail("{} instead of ({}, 1) or ({}): one score for each pair asked for, in their order", has,
         rows, rows);
  fail("{} instead of ({}, {}): one row for each {} asked for, one column for each class", has,
       rows, view.outputs(), unit_name(unit));
}

// Hands the scores of `rows` rows in a file to `sink`; false if it is not there.
bool hand_over(const TaskFolder& folder, const char* name, const View& view, std::int64_t rows,
               ScoreSink& sink) {
  constexpr std::int64_t kBlock = 1 << 16;
  const Index columns = view.outputs();
  const auto bytes = folder.read(name, kMostHeader + rows * columns * kMostItem);
  if (!bytes) return false;
  std::size_t at = 0;
  const NpyArray array = read_npy(name, bytes->size(), [&](void* out, std::size_t size) {
    if (size > bytes->size() - at) fail("{}: ends too soon", name);
    std::memcpy(out, bytes->data() + at, size);
    at += size;
  });
  const bool one_axis = view.kind().unit == Unit::kPair && array.shape == std::vector{rows};
  if (!one_axis && array.shape != std::vector<std::int64_t>{rows, columns})
    refuse_shape(name, array.shape, view, rows);
  if (array.type.kind != 'f') fail("{}: must hold floats, not {}", name, to_text(array.type));
  const AlignedVector<float> values = to_floats(array);
  for (std::int64_t first = 0; first < rows; first += kBlock)
    sink.take({values.data() + first * columns, static_cast<Index>(std::min(kBlock, rows - first)),
               columns, columns});
  return true;
}

class ExternalSession : public RunSession {
 public:
  ExternalSession(Task task, const RunGroup& group, Threads threads, std::vector<fs::path> hidden)
      : isolation_(isolation_for(group)),
        hidden_(std::move(hidden)),
        folder_(make_folder()),
        view_(std::move(task.view)),
        answers_(std::move(task.answers)),
        family_(group.family),
        strata_(group.strata),
        split_(group.split),
        threads_(threads) {
    write_task_npz(folder_->path() / kTaskArrays, *view_);
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
    out.isolation = isolation_.name;
    without_folder(out.message);
    if (out.status != RunStatus::kOk) {
      out.test_score = out.valid_score = std::nullopt;
      out.strata.clear();
    }
    return out;
  }

 private:
  static Isolation isolation_for(const RunGroup& group) {
    const std::string refusal = isolation_refusal(*group.family->external);
    if (!refusal.empty()) throw NotStarted(refusal);
    return isolation_of(*group.family->external);
  }

  static std::unique_ptr<TaskFolder> make_folder() {
    try {
      return std::make_unique<TaskFolder>();
    } catch (const Error& error) {
      throw NotStarted(error.what());
    }
  }

  // The folder's name is another one each time, and means nothing to the reader.
  void without_folder(std::string& message) const {
    for (const std::string& path : {folder_->run().string(), folder_->path().string()}) {
      for (auto at = message.find(path); at != std::string::npos; at = message.find(path, at))
        message.replace(at, path.size(), "TASK");
    }
  }

  void write_description(int init, StreamKey key) const {
    folder_->write("task.json",
                   task_json(*view_, {.split = split_,
                                      .init = init,
                                      .threads = threads_.count,
                                      .seed = key.low,
                                      .budget_seconds = family_->external->timeout_seconds,
                                      .metric = family_->metric,
                                      .settings = family_->model.settings.all()}));
  }

  // What the largest file may have.
  std::int64_t file_bytes() const {
    const std::int64_t scores = view_->test_rows() * view_->outputs() * kMostItem;
    return std::max(kLargestFile, 2 * scores);
  }

  ProcessRequest request(const RunLimits& limits) const {
    ProgramStart start;
    start.task = folder_->run();
    start.given = {folder_->path() / kTaskArrays};
    start.hidden = hidden_;
    const std::string threads = std::to_string(threads_.count);
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
      start.environment.emplace_back(name, threads);
    start.environment.emplace_back("CUPEL_TASK", task_seen(isolation_, start.task).string());
    ProcessRequest out = program_request(*family_->external, isolation_, start);
    out.file_bytes = file_bytes();
    out.disk_bytes = kLargestFiles * out.file_bytes;
    out.disk = [this, most = out.disk_bytes] { return folder_->size(most); };
    out.deadline = limits.deadline;
    out.interrupt = limits.interrupt;
    return out;
  }

  // A fresh folder, and the program's end in it. What this machine cannot do is no outcome.
  ProcessResult start(int init, StreamKey key, const RunLimits& limits) {
    try {
      folder_->renew();
      write_description(init, key);
      if (isolation_.keeper.empty()) folder_->copy_in(kTaskArrays);
      return run_process(request(limits));
    } catch (const Error& error) {
      throw NotStarted(error.what());
    }
  }

  // Throws what the record says of a program that did not come to a good end.
  void demand_good_end(const ProcessResult& result, const std::string& last) const {
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
        fail("the program died of signal {} ({}){}", result.code, strsignal(result.code), last);
      case End::kExit:
        if (result.code != 0) fail("the program ended with exit code {}{}", result.code, last);
        break;
      case End::kTimeout:
        break;  // told by its status
    }
  }

  void perform(int init, StreamKey key, const RunLimits& limits, RunRecord& out) {
    const ProcessResult result = start(init, key, limits);
    out.memory_bytes = result.memory_bytes;
    if (result.end == ProcessResult::End::kTimeout) {
      out.status = RunStatus::kTimeout;
      out.message = "the program was ended: its time was up";
      return;
    }
    const std::string said = tail(result.output);
    const std::string last = said.empty() ? "" : "; it said:\n" + said;
    demand_good_end(result, last);
    const std::unique_ptr<Marking> valid = view_->mark_valid();
    const bool validated =
        hand_over(*folder_, "valid_scores.npy", *view_, view_->valid_rows(), *valid);
    if (validated) out.valid_score = valid->score(family_->metric);
    if (answers_ == nullptr) {
      if (!validated)
        fail("the program wrote no valid_scores.npy, by which a search selects{}", last);
      return;
    }
    const std::unique_ptr<Marking> marking = answers_->open();
    if (!hand_over(*folder_, "scores.npy", *view_, view_->test_rows(), *marking))
      fail("the program wrote no scores.npy{}", last);
    mark(*marking, family_->metric, strata_, *view_, out);
  }

  Isolation isolation_;
  std::vector<fs::path> hidden_;
  std::unique_ptr<TaskFolder> folder_;
  std::shared_ptr<const View> view_;
  std::shared_ptr<const SealedAnswers> answers_;  // stay here; null in a search
  std::shared_ptr<const Family> family_;
  std::vector<std::shared_ptr<const Stratum>> strata_;
  int split_;
  Threads threads_;
};

}  // namespace

std::unique_ptr<RunSession> open_external(Task task, const RunGroup& group, Threads threads,
                                          const std::vector<fs::path>& hidden) {
  return std::make_unique<ExternalSession>(std::move(task), group, threads, hidden);
}

}  // namespace cupel
