#include "cupel/lab/isolation/keeper.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/process_tree.h"
#include "cupel/lab/isolation/syscall_filter.h"
#include "cupel/lab/isolation/warden.h"

namespace cupel {
namespace {

constexpr int kFirstFree = 16;  // descriptors below may have a meaning for the keeper

// Takes two ends out of the way of what the keeper expects at its own numbers.
void take(const int (&ends)[2], Descriptor& ours, Descriptor& theirs) {
  const Descriptor first(ends[0]), second(ends[1]);
  ours.set(::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstFree));
  theirs.set(::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstFree));
  if (ours.get() < 0 || theirs.get() < 0)
    fail("no pipe to a process can be made: {}", std::strerror(errno));
}

void make_pipe(Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    fail("no pipe to a process can be made: {}", std::strerror(errno));
  take(ends, ours, theirs);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
}

// The other way round.
void make_input(Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    fail("no pipe to a process can be made: {}", std::strerror(errno));
  std::swap(ends[0], ends[1]);
  take(ends, ours, theirs);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
}

// A socket, as writing to one that nobody reads need not raise a signal.
void make_gate(Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail("no socket to a process can be made: {}", std::strerror(errno));
  take(ends, ours, theirs);
}

void make_filter(Descriptor& out) {
  const auto rules = syscall_filter();
  const Descriptor file(::memfd_create("cupel-filter", MFD_CLOEXEC));
  const auto size = static_cast<ssize_t>(rules.size_bytes());
  if (file.get() >= 0 && ::write(file.get(), rules.data(), rules.size_bytes()) == size &&
      ::lseek(file.get(), 0, SEEK_SET) == 0)
    out.set(::fcntl(file.get(), F_DUPFD_CLOEXEC, kFirstFree));
  if (out.get() < 0) fail("no file in memory can be made: {}", std::strerror(errno));
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

void limit(__rlimit_resource resource, std::int64_t bytes) {
  const rlimit value{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  ::setrlimit(resource, &value);
}

// The last resort against a program that multiplies faster than it is looked at: what there is now
// on the machine, and several times what it may have, as others of this user may start some too.
// The kernel asks nobody that of root.
std::int64_t most_tasks(const ProcessRequest& request) {
  if (request.tasks <= 0 || ::geteuid() == 0) return 0;
  return tasks_of_machine() + 4 * request.tasks;
}

// What the child needs between fork and exec, where only calls that are safe in a copy of a process
// with many threads are made.
struct Start {
  const ProcessRequest& request;
  char* const* command;
  const char* warden;  // the program that becomes one
  char* const* environment;
  const char* const* groups;  // of control: files to enter them by, up to a nullptr
  std::int64_t tasks;         // of this user, beyond which nothing is started; 0: any
  int output, status, gate, filter;
  int input, lines;  // -1: nothing, and as output
  pid_t parent;
};

// {"errno": 2}, without what may lock.
void tell_error(int code) {
  char text[] = "{\"errno\":    }\n";
  for (char* digit = std::strchr(text, '}') - 1; code > 0; --digit, code /= 10)
    *digit = static_cast<char>('0' + code % 10);
  [[maybe_unused]] const auto written = ::write(kStatusDescriptor, text, sizeof text - 1);
}

[[noreturn]] void become_keeper(const Start& start) {
  ::setpgid(0, 0);
  // A warden must outlive us, to end what it keeps: it sees its gate close.
  const bool wraps = start.request.keeper == Keeper::kBubblewrap;
  if (wraps) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != start.parent) ::_exit(127);  // it died before the line above
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (start.request.file_bytes > 0) limit(RLIMIT_FSIZE, start.request.file_bytes);
  if (wraps && start.request.memory_bytes > 0) limit(RLIMIT_DATA, start.request.memory_bytes);
  if (start.tasks > 0) limit(RLIMIT_NPROC, start.tasks);
  for (const char* const* entry = start.groups; *entry != nullptr; ++entry) {
    const int group = ::open(*entry, O_WRONLY | O_CLOEXEC);
    [[maybe_unused]] const auto joined = ::write(group, "0", 1);
  }
  const int input = start.input >= 0 ? start.input : ::open("/dev/null", O_RDONLY);
  ::dup2(input, 0);
  ::dup2(start.lines >= 0 ? start.lines : start.output, 1);
  ::dup2(start.output, 2);
  ::dup2(start.status, kStatusDescriptor);
  ::dup2(start.gate, kGateDescriptor);
  ::dup2(start.filter, kFilterDescriptor);
  // Nothing that we have open is for the program.
  ::close_range(kFilterDescriptor + 1, ~0U, 0);
  if (!wraps) ::close(kFilterDescriptor);
  if (::chdir(start.request.folder.c_str()) == 0)
    ::execve(wraps ? start.command[0] : start.warden, start.command, start.environment);
  tell_error(errno);
  ::_exit(127);
}

}  // namespace

pid_t start_keeper(const ProcessRequest& request, const ControlGroup* group, KeeperPipes& pipes) {
  std::vector<std::string> command = request.command;
  if (request.keeper == Keeper::kWarden) {
    if (warden_program().empty())
      fail(
          "programs that bubblewrap does not keep are kept by the program `cupel`, which was not "
          "found; put it on the PATH, or name it by $CUPEL_PROGRAM");
    command = warden_command(command, request.memory_bytes);
  }
  std::vector<std::string> environment = request.environment;
  const std::vector<char*> command_list = pointers(command);
  const std::vector<char*> environment_list = pointers(environment);
  std::vector<std::filesystem::path> members;
  if (group != nullptr) members = group->members();
  std::vector<const char*> entries;
  for (const auto& path : members) entries.push_back(path.c_str());
  entries.push_back(nullptr);
  Descriptor output_end, status_end, gate_end, lines_end, filter;
  make_pipe(pipes.output, output_end);
  make_pipe(pipes.status, status_end);
  make_gate(pipes.gate, gate_end);
  make_filter(filter);
  if (request.talk != nullptr) {
    make_pipe(pipes.lines, lines_end);
    make_input(pipes.input, pipes.input_end);
  }
  const Start start{
      request,        command_list.data(), warden_program().c_str(), environment_list.data(),
      entries.data(), most_tasks(request), output_end.get(),         status_end.get(),
      gate_end.get(), filter.get(),        pipes.input_end.get(),    lines_end.get(),
      ::getpid()};
  const pid_t child = ::fork();
  if (child == 0) become_keeper(start);
  if (child < 0) fail("no process can be started: {}", std::strerror(errno));
  ::setpgid(child, child);  // whichever of the two comes first
  return child;
}

}  // namespace cupel
