#include "cupel/lab/run/worker.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/lab/run/program_talk.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;

// What a program gets to end by itself once nothing more comes.
constexpr auto kFarewell = std::chrono::seconds(3);

constexpr std::size_t kQuoted = 60;    // bytes of a line that a message shows
constexpr std::size_t kReason = 1500;  // of what a worker says of a run that it gives up

// No character of a text in any encoding, and nothing that a terminal is told.
bool is_no_text(char c) {
  return static_cast<unsigned char>(c) < 32 && (c < '\a' || c > '\r') && c != '\x1b';
}

// Without what some programs write around a line: the mark of UTF-8 before, blanks, and the CR of
// another system's line ends.
std::string bare(std::string_view line) {
  return std::string(trimmed(without_byte_order_mark(line), " \t\r"));
}

bool begins_like_an_answer(std::string line) {
  std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
  return line.starts_with("{\"run\"") || line.starts_with("{\"error\"");
}

// Whole characters of it.
std::string beginning(std::string text) {
  if (text.size() <= kReason) return text;
  std::size_t end = kReason;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + " ...";
}

std::string quoted_start(const std::string& line) {
  return nlohmann::json(line.substr(0, kQuoted))
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

// Whether what was heard answers run `number`. Throws Error for rubbish, for an answer to another
// run, and for a run that was given up.
bool answers(const std::string& heard, int number) {
  if (std::ranges::any_of(heard, is_no_text))
    fail("the worker wrote bytes that are no text to its standard output, where answers come");
  const std::string line = bare(heard);
  if (line.empty() || line.front() != '{') return false;
  if (heard.size() > kLineBytes && begins_like_an_answer(line))
    fail("the worker wrote {} and more than {} KB after it in one line; an answer is shorter",
         quoted_start(line), kLineBytes >> 10);
  const auto said = nlohmann::json::parse(line, nullptr, false);
  if (said.is_discarded() && begins_like_an_answer(line))
    fail("the worker wrote {}, which begins like an answer and is no JSON", quoted_start(line));
  if (!said.is_object() || !said.contains("run")) return false;
  if (said["run"] != number)
    fail("the worker answered {} when it was given run {}", said["run"].dump(), number);
  if (const auto error = said.find("error"); error != said.end())
    fail("the worker gave the run up: {}",
         beginning(error->is_string() ? error->get<std::string>() : error->dump()));
  return true;
}

}  // namespace

// Between two threads: one that has runs, and one that looks after the program.
class Worker::Conversation final : public Talk {
 public:
  // --- of the thread that looks after the program ---
  void take_counter(std::function<int()> tasks) override { count_tasks_ = std::move(tasks); }
  Reply begin() override { return next(); }
  Reply hear(const std::string& line) override {
    if (!answers(line, number_)) return questions_ == nullptr ? Reply{} : hear_step(bare(line));
    if (questions_ != nullptr && !questions_->asked().empty())
      fail("the worker answered run {} when {} was asked; a run is answered after its last step",
           number_, questions_->asked());
    demand_no_growth();
    questions_ = nullptr;  // they go with their run
    {
      const std::lock_guard lock(mutex_);
      answered_ = true;
      changed_.notify_all();
    }
    return next();
  }
  void ended(ProcessResult result) {
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
    changed_.notify_all();
  }

  // --- of the thread that has runs ---
  ProcessResult ask(int number, const std::string& line, const RunLimits& limits,
                    ProgramTalk* questions) {
    std::unique_lock lock(mutex_);
    job_ = Job{number, line, limits, questions};
    answered_ = stepped_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return answered_ || result_.has_value(); });
    if (answered_) {
      answered_before_ = true;
      return {};
    }
    ProcessResult out = *result_;
    if (out.end == ProcessResult::End::kExit && out.code == 0) {
      left_ = answered_before_ && !stepped_;
      const std::string asked = questions == nullptr ? "" : questions->asked();
      out.end = ProcessResult::End::kTalk;
      out.thrown = std::make_exception_ptr(Error(
          asked.empty()
              ? "the worker ended, and had a run to do"
              : fmt::format("the worker ended when {} was asked, and did not answer it", asked)));
    }
    return out;
  }
  // Whether the program, instead of answering anything of the run that was asked last, ended as one
  // that had enough after it had answered others.
  bool left() {
    const std::lock_guard lock(mutex_);
    return left_;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  struct Job {
    int number = 0;
    std::string line;
    RunLimits limits;
    ProgramTalk* questions = nullptr;
  };

  // What may be the answer to a step.
  Reply hear_step(const std::string& line) {
    Reply out = questions_->hear(line);
    if (out.text.empty() && !out.last) return out;  // it is none
    {
      const std::lock_guard lock(mutex_);
      stepped_ = true;
    }
    return within_run(std::move(out));
  }

  // The end of the questions is no end of the standard input.
  Reply within_run(Reply asked) const {
    if (!asked.last) return asked;
    const nlohmann::json line = {{"end", true}, {"run", number_}};
    return {line.dump() + "\n", false};
  }

  void demand_no_growth() {
    const int tasks = count_tasks_();
    grown_ = most_tasks_ > 0 && tasks > most_tasks_ ? grown_ + 1 : 0;
    most_tasks_ = std::max(most_tasks_, tasks);
    if (grown_ == kGrowingRuns)
      fail(
          "the worker leaves threads or processes running: it had more of them after each of {} "
          "runs, and has {}; a run must end what it starts before it is answered",
          kGrowingRuns, tasks);
  }

  Reply next() {
    const std::optional<Job> job = wait_for_job();
    if (!job) return {"", true, RunLimits{Clock::now() + kFarewell, nullptr}};
    number_ = job->number;
    questions_ = job->questions;
    Reply out{job->line, false, job->limits};
    if (questions_ == nullptr) return out;
    const auto begin = Clock::now();
    out.text += within_run(questions_->begin()).text;
    if (out.limits->deadline) *out.limits->deadline += Clock::now() - begin;
    return out;
  }

  // Nothing: there are no more.
  std::optional<Job> wait_for_job() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || job_.has_value(); });
    if (closed_) return {};
    // It is not looked at while it has nothing to do.
    left_ = answered_before_ && count_tasks_() == 0;
    if (left_) fail("the worker ended after it had answered");
    return std::exchange(job_, std::nullopt);
  }

  // Of the first thread alone.
  std::function<int()> count_tasks_;
  int number_ = 0, most_tasks_ = 0, grown_ = 0;
  ProgramTalk* questions_ = nullptr;  // of a run that is asked step by step

  std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  std::optional<Job> job_;
  std::optional<ProcessResult> result_;  // once the program has ended
  bool answered_ = false, answered_before_ = false, closed_ = false, left_ = false;
  bool stepped_ = false;  // a step of the run was answered
};

Worker::Worker() { folder_.renew(); }

Worker::~Worker() {
  if (conversation_) conversation_->close();
  if (thread_.joinable()) thread_.join();
}

ProcessResult Worker::run(const std::string& task, const RunLimits& limits,
                          const std::function<void()>& fill, const MakeRequest& request,
                          ProgramTalk* questions) {
  auto line = nlohmann::json::parse(task);
  const int number = line["run"] = runs_++;
  const std::string text = line.dump() + "\n";
  fill();
  if (!conversation_) start(limits, request);
  ProcessResult out = conversation_->ask(number, text, limits, questions);
  if (!conversation_->left()) return out;
  thread_.join();
  fill();
  start(limits, request);
  return conversation_->ask(number, text, limits, questions);
}

void Worker::start(const RunLimits& limits, const MakeRequest& request) {
  ProcessRequest asked = request(folder_);
  conversation_ = std::make_unique<Conversation>();
  asked.talk = conversation_.get();
  asked.deadline = limits.deadline;
  asked.interrupt = limits.interrupt;
  thread_ = std::thread([asked = std::move(asked), talk = conversation_.get()] {
    ProcessResult result;
    try {
      result = run_process(asked);
    } catch (...) {
      result.end = ProcessResult::End::kTalk;
      result.thrown = std::current_exception();
    }
    talk->ended(std::move(result));
  });
}

std::unique_ptr<Worker> WorkerPool::take(const WorkerKind& kind) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(idle_.begin(), idle_.end(), [&](const auto& one) { return one.first == kind; });
  if (found == idle_.end()) return std::make_unique<Worker>();
  std::unique_ptr<Worker> out = std::move(found->second);
  idle_.erase(found);
  return out;
}

void WorkerPool::give_back(WorkerKind kind, std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  idle_.emplace_back(std::move(kind), std::move(worker));
}

void WorkerPool::end(const ExternalCommand& program) {
  std::vector<Idle> ended;  // once the lock is open again: a farewell takes a moment
  const std::lock_guard lock(mutex_);
  const auto first = std::stable_partition(
      idle_.begin(), idle_.end(), [&](const Idle& one) { return one.first.program != program; });
  std::move(first, idle_.end(), std::back_inserter(ended));
  idle_.erase(first, idle_.end());
}

}  // namespace cupel
