#include "cupel/lab/run/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "cupel/base/error.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;

// The environment of this process with what is missing added.
std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) out.emplace_back(*entry);
  for (const auto& [name, value] : added) {
    const bool set = std::any_of(out.begin(), out.end(), [&, &name = name](const auto& entry) {
      return entry.starts_with(name + "=");
    });
    if (!set) out.push_back(name + "=" + value);
  }
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

void limit(int resource, std::int64_t bytes) {
  const rlimit value{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

// Between fork and exec only calls that are safe in a copy of a process with many threads.
[[noreturn]] void become(const ProcessRequest& request, char* const* command,
                         char* const* environment, int report, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGPIPE, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (request.memory_bytes > 0) limit(RLIMIT_DATA, request.memory_bytes);
  if (request.file_bytes > 0) limit(RLIMIT_FSIZE, request.file_bytes);
  const int input = ::open("/dev/null", O_RDONLY);
  const int output = ::open(request.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (input >= 0 && output >= 0 && ::chdir(request.folder.c_str()) == 0) {
    ::dup2(input, 0);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::execvpe(command[0], command, environment);
  }
  const int code = errno;
  [[maybe_unused]] const auto written = ::write(report, &code, sizeof code);
  ::_exit(127);
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  std::vector<std::string> command = request.command;
  std::vector<std::string> environment = environment_with(request.environment);
  const std::vector<char*> command_list = pointers(command);
  const std::vector<char*> environment_list = pointers(environment);
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) fail("no pipe can be made: {}", std::strerror(errno));
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(request, command_list.data(), environment_list.data(), pipe[1], parent);
  ::close(pipe[1]);
  if (child < 0) {
    const int code = errno;
    ::close(pipe[0]);
    fail("no process can be started: {}", std::strerror(code));
  }
  ::setpgid(child, child);  // whichever of the two comes first

  ProcessResult result;
  // The other end closes when the program starts, or brings the reason why it does not.
  int code = 0;
  ssize_t got = 0;
  do {
    got = ::read(pipe[0], &code, sizeof code);
  } while (got < 0 && errno == EINTR);
  ::close(pipe[0]);
  const bool started = got != static_cast<ssize_t>(sizeof code);

  // Left unreaped (WNOWAIT) until its group is killed, so that the group's number is still its own.
  auto pause = std::chrono::milliseconds(1);
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
        info.si_pid == child)
      break;
    if (request.interrupt != nullptr && *request.interrupt) {
      result.end = ProcessResult::End::kInterrupted;
      break;
    }
    if (request.deadline && Clock::now() >= *request.deadline) {
      result.end = ProcessResult::End::kTimeout;
      break;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  ::kill(-child, SIGKILL);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.memory_bytes = std::int64_t{usage.ru_maxrss} * 1024;
  if (!started) {
    result.end = ProcessResult::End::kNotStarted;
    result.code = code;
  } else if (result.end == ProcessResult::End::kExit) {
    if (WIFSIGNALED(status)) {
      result.end = ProcessResult::End::kSignal;
      result.code = WTERMSIG(status);
    } else {
      result.code = WEXITSTATUS(status);
    }
  }
  return result;
}

}  // namespace cupel
