#include "cupel/lab/isolation/process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/bubblewrap.h"
#include "cupel/lab/isolation/control_group.h"
#include "cupel/lab/isolation/keeper.h"
#include "cupel/lab/isolation/process_output.h"
#include "cupel/lab/isolation/process_tree.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
using End = ProcessResult::End;

constexpr auto kLookEvery = 20ms;  // at interrupts and the clock
constexpr auto kMeasureEvery = 50ms;
constexpr int kMeasureShare = 10;  // measuring takes no more than one part in so many of the time
constexpr int kPipeReads = 64;
constexpr auto kPatience = 10s;  // with a warden that was told to end everything

// A descriptor that is readable when the process has ended; -1 and errno. By its number, as the C
// library's header is not for C++.
int watch(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

// A number that a keeper has told.
std::optional<int> told(const std::string& status, const char* name) {
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains(name) && json[name].is_number_integer())
      return json[name].get<int>();
  }
  return {};
}

class Process {
 public:
  explicit Process(const ProcessRequest& request)
      : request_(request), limits_{request.deadline, request.interrupt} {
    start();
  }
  ~Process() { reap(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  ProcessResult run() {
    while (!ended()) look();
    bool itself = end_ == End::kExit;
    if (!itself) stop();
    wait_for_all();
    // What it said last. No more than a pipe holds.
    for (int i = 0; i < kPipeReads && itself && request_.talk != nullptr && !lines_.closed(); ++i)
      hear();
    itself = end_ == End::kExit;
    finish(itself);
    return std::move(result_);
  }

 private:
  void start();
  bool ended();
  void look();
  bool multiplies() const;
  void measure();
  void listen();
  void hear();
  template <class Speak>
  void talk(const Speak& speak);
  void say();
  void stop();
  void wait_for_all();
  void reap();
  void finish(bool itself);

  const ProcessRequest& request_;
  ProcessResult result_;
  std::unique_ptr<ControlGroup> group_;
  KeeperPipes pipes_;
  Descriptor keeper_fd_, first_fd_;  // the keeper, and bubblewrap's first process inside
  pid_t keeper_ = -1, first_ = -1;
  bool open_ = false;  // the gate
  int wait_status_ = 0, tasks_before_ = tasks_of_machine();
  Tail said_, told_;
  Lines lines_;
  std::string to_say_;
  bool said_all_ = false;  // what is in to_say_ is the last
  RunLimits limits_;
  End end_ = End::kExit;
  Clock::time_point next_measure_ = Clock::now();
  Clock::duration pause_ = 1ms;
};

void Process::start() {
  group_ = ControlGroup::make(request_.memory_bytes, request_.tasks);
  keeper_ = start_keeper(request_, group_.get(), pipes_);
  keeper_fd_.set(watch(keeper_));
  if (keeper_fd_.get() < 0) {
    const int code = errno;
    reap();
    fail("a process cannot be watched: {}", std::strerror(code));
  }
  listen();
}

// Whether it has, or must: then end_ says by what.
bool Process::ended() {
  if (end_ != End::kExit) return true;
  pollfd keeper{keeper_fd_.get(), POLLIN, 0};
  if (::poll(&keeper, 1, 0) > 0) return true;
  if (limits_.interrupted()) {
    end_ = End::kInterrupted;
  } else if (limits_.deadline && Clock::now() >= *limits_.deadline) {
    end_ = End::kTimeout;
  }
  return end_ != End::kExit;
}

void Process::look() {
  pollfd events[] = {{keeper_fd_.get(), POLLIN, 0},
                     {said_.closed() ? -1 : pipes_.output.get(), POLLIN, 0},
                     {told_.closed() ? -1 : pipes_.status.get(), POLLIN, 0},
                     {lines_.closed() ? -1 : pipes_.lines.get(), POLLIN, 0},
                     {to_say_.empty() ? -1 : pipes_.input.get(), POLLOUT, 0}};
  const auto left = std::clamp<Clock::duration>(next_measure_ - Clock::now(), 0ms, kLookEvery);
  const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
  if (::poll(events, 5, static_cast<int>(wait) + 1) > 0) listen();
  if (Clock::now() >= next_measure_) measure();
}

// Takes what was said, and lets the program begin once we can be sure to see its end.
void Process::listen() {
  said_.take(pipes_.output.get());
  told_.take(pipes_.status.get());
  if (open_) return hear();
  if (request_.keeper == Keeper::kBubblewrap) {
    const auto first = told(told_.text(), "child-pid");
    if (!first) return;
    first_ = *first;
    first_fd_.set(watch(first_));
    if (first_fd_.get() < 0) return;  // it has ended, and the keeper is about to
  }
  open_ = ::send(pipes_.gate.get(), "1", 1, MSG_NOSIGNAL) == 1;
  if (!open_ || request_.talk == nullptr) return;
  request_.talk->take_counter(
      [this] { return tree_use(keeper_, {}, std::numeric_limits<std::int64_t>::max()).tasks; });
  talk([&] { return request_.talk->begin(); });
}

// Takes the lines that were said, and replies.
void Process::hear() {
  if (request_.talk == nullptr) return;
  lines_.take(pipes_.lines.get(), said_, [&](const std::string& line) {
    if (end_ == End::kExit) talk([&] { return request_.talk->hear(line); });
  });
  say();
}

// Time that we take is not the program's.
template <class Speak>
void Process::talk(const Speak& speak) {
  const auto begin = Clock::now();
  try {
    const Talk::Reply reply = speak();
    if (!said_all_) to_say_ += reply.text;
    said_all_ = said_all_ || reply.last;
    if (limits_.deadline) *limits_.deadline += Clock::now() - begin;
    if (reply.limits) limits_ = *reply.limits;
  } catch (...) {
    result_.thrown = std::current_exception();
    end_ = End::kTalk;
  }
  say();
}

// As much as the pipe takes.
void Process::say() {
  while (!to_say_.empty()) {
    const ssize_t done = ::write(pipes_.input.get(), to_say_.data(), to_say_.size());
    if (done <= 0) return;
    to_say_.erase(0, static_cast<std::size_t>(done));
  }
  if (said_all_) pipes_.input.close();
}

// Whether it has too many tasks, told before anything that takes long where there are many. The
// machine's number is a first hint.
bool Process::multiplies() const {
  if (request_.tasks <= 0) return false;
  if (group_ && group_->ran_out_of_tasks()) return true;
  if (tasks_of_machine() <= tasks_before_ + request_.tasks) return false;
  if (first_ > 0) return processes_with_first(first_) > request_.tasks;
  return descendants(keeper_).size() > static_cast<std::size_t>(request_.tasks);
}

void Process::measure() {
  const auto begin = Clock::now();
  if (multiplies()) {
    end_ = End::kTasks;
    return;
  }
  // The kernel may have ended one of its processes for that; the others would only wait for it.
  if (group_ && group_->ran_out_of_memory()) {
    end_ = End::kMemory;
    return;
  }
  std::vector<std::filesystem::path> memory;
  const std::string root = fmt::format("/proc/{}/root", first_);
  if (first_ > 0 && ::access((root + kTaskMount).c_str(), F_OK) == 0) {
    for (const auto& folder : memory_folders()) memory.push_back(root + folder.string());
  }
  const bool limited = request_.memory_bytes > 0;
  const std::int64_t most =
      limited ? request_.memory_bytes : std::numeric_limits<std::int64_t>::max();
  TreeUse use;
  use.bytes = least_use(most, [&] {
    use = tree_use(keeper_, memory, most);
    return use.bytes;
  });
  result_.memory_bytes = std::max(result_.memory_bytes, use.bytes);
  if (use.bytes > most) end_ = End::kMemory;
  if (request_.tasks > 0 && use.tasks > request_.tasks) end_ = End::kTasks;
  if (request_.disk && request_.disk() > request_.disk_bytes) end_ = End::kDisk;
  // Often at first, as some programs are short.
  pause_ = std::min<Clock::duration>(2 * pause_, kMeasureEvery);
  const auto now = Clock::now();
  next_measure_ = now + std::max<Clock::duration>(pause_, kMeasureShare * (now - begin));
}

void Process::stop() {
  pipes_.gate.close();  // a warden ends everything now, and itself
  if (request_.keeper == Keeper::kBubblewrap || keeper_fd_.get() < 0) {
    ::kill(keeper_, SIGKILL);
    if (first_fd_.get() >= 0)
      ::syscall(SYS_pidfd_send_signal, first_fd_.get(), SIGKILL, nullptr, 0);
    return;
  }
  const auto give_up = Clock::now() + kPatience;
  pollfd events[] = {{keeper_fd_.get(), POLLIN, 0}, {pipes_.output.get(), POLLIN, 0}};
  while (Clock::now() < give_up && ::poll(events, 2, 10) >= 0 && events[0].revents == 0)
    said_.take(pipes_.output.get());
  if (events[0].revents != 0) return;
  // It was stopped or worse. What descends from it now is all that can be found.
  for (const pid_t pid : descendants(keeper_)) ::kill(pid, SIGKILL);
  ::kill(keeper_, SIGKILL);
}

// The first process inside is gone when all others are.
void Process::wait_for_all() {
  while (keeper_ > 0) {
    pid_t gone = ::waitpid(keeper_, &wait_status_, 0);
    if (gone == keeper_ || (gone < 0 && errno != EINTR)) keeper_ = -1;
  }
  if (first_fd_.get() < 0) return;
  pollfd first{first_fd_.get(), POLLIN, 0};
  while (::poll(&first, 1, -1) < 1) {
  }
}

void Process::reap() {
  if (keeper_ <= 0) return;
  stop();
  wait_for_all();
}

void Process::finish(bool itself) {
  // No more than pipes hold: a process that escaped its warden may write without end.
  for (int i = 0; i < kPipeReads && told_.take(pipes_.status.get()); ++i) {
  }
  for (int i = 0; i < kPipeReads && said_.take(pipes_.output.get()); ++i) {
  }
  result_.output = said_.text();
  result_.end = end_;
  if (!itself) return;
  const auto exit_code = told(told_.text(), "exit-code");
  const auto signal = told(told_.text(), "signal");
  const auto error = told(told_.text(), "errno");
  if (group_ && group_->ran_out_of_memory()) {
    result_.end = End::kMemory;
  } else if (group_ && group_->ran_out_of_tasks()) {
    result_.end = End::kTasks;
  } else if (signal) {
    result_.end = End::kSignal;
    result_.code = *signal;
  } else if (error || (!exit_code && WIFEXITED(wait_status_))) {
    result_.end = End::kNotStarted;
    result_.code = error.value_or(0);
  } else if (!exit_code) {
    result_.end = End::kSignal;
    result_.code = WTERMSIG(wait_status_);
  } else {
    result_.code = *exit_code;
  }
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) { return Process(request).run(); }

}  // namespace cupel
