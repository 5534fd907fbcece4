// What a terminal is for: a line that tells how work goes on, and Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

namespace cupel::cli {

// One line on standard error that is written over again and again; nothing if that is no terminal,
// or one that cannot (TERM=dumb).
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  [[nodiscard]] bool enabled() const { return enabled_; }
  // Shows it, at most ten times a second unless `now`.
  void show(const std::string& line, bool now = false);
  void clear();

 private:
  const bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

// From now on SIGINT, SIGTERM, SIGHUP and SIGUSR1 end the program as they do anyhow, but
// half-written files go before (base/leftovers.h), and a file that outgrows the limit of the shell
// is an error of writing it, with a sentence, instead of the program's end. What was ignored stays
// ignored. So does writing to a pipe that nobody reads any more only fail.
void tidy_up_on_signals();

// Whether such a pipe is to end the program: not where SIGPIPE was ignored, or before
// tidy_up_on_signals().
[[nodiscard]] bool closed_pipes_end();
// Ends it as SIGPIPE does.
[[noreturn]] void end_by_closed_pipe();

// From now on these signals end the program with this code instead.
void end_signals_with(int code);

// While it lives, the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 (by which schedulers of clusters say
// that time is nearly up) sets a flag, and the second ends the program at once. A SIGHUP that is
// ignored, as nohup arranges, stays ignored. One at a time.
class Interrupt {
 public:
  // `message` is printed at the first signal; static storage.
  explicit Interrupt(const char* message);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const;
  // 128 + the signal's number, as shells expect; kDone if there was none.
  [[nodiscard]] int exit_code() const;
};

}  // namespace cupel::cli
