#include "cupel/api/command_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include <fmt/ranges.h>

#include "cupel/base/error.h"

extern char** environ;

namespace cupel {
namespace {

[[noreturn]] void not_started(const std::vector<std::string>& command, int why) {
  fail("{}: cannot be started ({})", command.front(), std::system_category().message(why));
}

// The process, and the end of a pipe that has what it writes.
std::pair<pid_t, int> started(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) not_started(command, errno);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t process = 0;
  const int code =
      ::posix_spawnp(&process, words.front(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (code == 0) return {process, ends[0]};
  ::close(ends[0]);
  not_started(command, code);
}

}  // namespace

std::string output_of(const std::vector<std::string>& command) {
  const auto [process, end] = started(command);
  std::string out;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = ::read(end, block.data(), block.size())) != 0;) {
    if (got > 0) out.append(block.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  ::close(end);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail("'{}' failed; what it said is above", fmt::join(command, " "));
  return out;
}

}  // namespace cupel
