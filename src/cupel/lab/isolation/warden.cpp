#include "cupel/lab/isolation/warden.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cupel/lab/isolation/process_tree.h"
#include "cupel/lab/isolation/syscall_filter.h"

namespace cupel {
namespace {

constexpr const char* kName = "cupel-warden";

std::string& program_to_be() {
  static std::string path = "/proc/self/exe";
  return path;
}

void tell(const char* what, int value) {
  char line[64];
  const int size = std::snprintf(line, sizeof line, "{\"%s\": %d}\n", what, value);
  [[maybe_unused]] const auto written =
      ::write(kStatusDescriptor, line, static_cast<std::size_t>(size));
}

[[noreturn]] void become_program(char** argv) {
  const pid_t warden = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != warden) ::_exit(127);
  ::setsid();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const std::int64_t bytes = std::atoll(argv[1]);
  if (bytes > 0) {
    const rlimit value{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    ::setrlimit(RLIMIT_DATA, &value);
  }
  const auto rules = syscall_filter();
  sock_fprog filter{static_cast<unsigned short>(rules.size()),
                    const_cast<sock_filter*>(rules.data())};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  ::execv(argv[2], argv + 2);
  tell("errno", errno);
  ::_exit(127);
}

// Kills what is left until nothing is. Whatever a killed one leaves comes to us, so that no child
// is no descendant.
void end_all() {
  for (;;) {
    for (const pid_t pid : descendants(::getpid())) ::kill(pid, SIGKILL);
    for (;;) {
      const pid_t gone = ::waitpid(-1, nullptr, WNOHANG);
      if (gone == 0) break;
      if (gone < 0 && errno == ECHILD) return;
    }
    ::usleep(1000);
  }
}

// Until the program has ended (its wait status), or nobody wants it any more (-1).
int wait_for(pid_t program, int children) {
  for (;;) {
    int status = 0;
    pid_t gone = 0;
    while ((gone = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (gone == program) return status;
    }
    pollfd events[] = {{kGateDescriptor, POLLIN, 0}, {children, POLLIN, 0}};
    if (::poll(events, 2, -1) < 0) continue;
    if (events[0].revents != 0) return -1;
    signalfd_siginfo child{};
    [[maybe_unused]] const auto got = ::read(children, &child, sizeof child);
  }
}

[[noreturn]] void keep(char** argv) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(kStatusDescriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(kGateDescriptor, F_SETFD, FD_CLOEXEC);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
  const int children = ::signalfd(-1, &child, SFD_CLOEXEC);
  char byte = 0;
  if (::read(kGateDescriptor, &byte, 1) != 1) ::_exit(127);
  const pid_t program = ::fork();
  if (program == 0) become_program(argv);
  if (program < 0) {
    tell("errno", errno);
    ::_exit(127);
  }
  const int status = wait_for(program, children);
  end_all();
  if (status == -1) ::_exit(127);
  if (WIFSIGNALED(status)) {
    tell("signal", WTERMSIG(status));
  } else {
    tell("exit-code", WEXITSTATUS(status));
  }
  ::_exit(0);
}

// Before main() of whatever program this library is part of: a warden is that program started
// under another name, which no main() needs to know of.
[[gnu::constructor]] void keep_if_warden(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[0], kName) == 0) keep(argv);
}

}  // namespace

void set_warden_program(const std::string& path) { program_to_be() = path; }
const std::string& warden_program() { return program_to_be(); }

std::vector<std::string> warden_command(const std::vector<std::string>& command,
                                        std::int64_t memory_bytes) {
  std::vector<std::string> out = {kName, std::to_string(memory_bytes)};
  out.insert(out.end(), command.begin(), command.end());
  return out;
}

}  // namespace cupel
