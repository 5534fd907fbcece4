// Runs of the real program at a terminal: Ctrl-C, and the line that tells how far it is.
#include <pty.h>
#include <signal.h>

#include <optional>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

// Many runs that take a moment each, so that a signal falls among them.
std::string long_protocol() {
  std::string text = kSmallProtocol;
  text.replace(text.find("count = 2"), 9, "count = 50");
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 400\npatience = 400");
  return text;
}

TEST_F(RunTest, CtrlCFinishesCleanlyAndTheSameCommandResumes) {
  place_.write("long.toml", long_protocol());
  const std::vector<std::string> command = {"run", "long.toml", "--models", "mlp", "--jobs", "2"};
  const pid_t process = place_.start(command);
  await_a_run("long.sqlite");
  ::kill(process, SIGINT);
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 128 + SIGINT) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "the same command again")) << stopped.err;
  const auto after = stored("long.sqlite");
  EXPECT_GT(after, 0);
  EXPECT_LT(after, 150);
  const Outcome resumed = place_.run(command);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, std::to_string(after) + " were there")) << resumed.err;
  EXPECT_EQ(stored("long.sqlite"), 150);
}

// Training that would take minutes: what is kept at Ctrl-C are the runs of the other model.
TEST_F(RunTest, CtrlCDoesNotWaitForTheRunsInFlight) {
  std::string text = kSmallProtocol;
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 3000000\npatience = 0");
  place_.write("endless.toml", text);
  const pid_t process =
      place_.start({"run", "endless.toml", "--models", "mlp,majority", "--jobs", "2"});
  await_a_run("endless.sqlite");
  ::kill(process, SIGINT);
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 128 + SIGINT) << stopped.err;
  EXPECT_GE(stored("endless.sqlite"), 1);
  EXPECT_LE(stored("endless.sqlite"), 2);
  EXPECT_FALSE(contains(stopped.err, "failed")) << stopped.err;
}

TEST_F(RunTest, ASecondCtrlCEndsItAtOnceAndNothingIsLost) {
  place_.write("slow.toml",
               std::string(kSmallProtocol) + "[models.mine]\ncommand = [\"sleep\", \"600\"]\n");
  const pid_t process = place_.start({"run", "slow.toml", "--models", "majority,mine"});
  await_a_run("slow.sqlite");
  ::kill(process, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(process, SIGINT);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(place_.finish(process).code, 128 + SIGINT);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  Store(place_.path("slow.sqlite"), Store::Mode::kOpen).check_integrity();
  EXPECT_GT(stored("slow.sqlite"), 0);
}

// What small.toml's run writes to a terminal of 60 columns; nothing where there are none.
std::optional<std::string> seen_at_terminal(Workplace& place) {
  int terminal = -1, program = -1;
  winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::openpty(&terminal, &program, nullptr, nullptr, &size) != 0) return std::nullopt;
  const pid_t process = place.start({"run", "small.toml"}, program);
  ::close(program);
  std::string seen;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    seen.append(buffer, static_cast<std::size_t>(got));
  ::close(terminal);
  EXPECT_EQ(place.finish(process).code, 0);
  return seen;
}

TEST_F(RunTest, ATerminalGetsAProgressLine) {
  const std::optional<std::string> all = seen_at_terminal(place_);
  if (!all) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string& seen = *all;
  EXPECT_TRUE(contains(seen, "of 10 runs")) << seen;
  // Each line begins anew, fits the terminal, and the last is cleared before the summary.
  EXPECT_TRUE(contains(seen, "\r\x1b[Kcupel: 10 runs done")) << seen;
  for (std::size_t at = 0; at < seen.size();) {
    const std::size_t end = std::min(seen.find("\x1b[K", at), seen.size());
    if (seen[at] == '\r' && end < seen.size()) {
      EXPECT_LE(end - at, 60u) << seen.substr(at, 80);
    }
    at = end + 3;
  }
}

TEST_F(RunTest, ATerminalThatKnowsNoSequencesGetsNone) {
  place_.set("TERM", "dumb");
  const std::optional<std::string> seen = seen_at_terminal(place_);
  if (!seen) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_TRUE(contains(*seen, "10 runs done")) << *seen;
  EXPECT_FALSE(contains(*seen, "\x1b")) << *seen;
}

// `cupel run ... | head`: the store is closed before the program ends as such programs do.
TEST_F(RunTest, AReaderThatHasGoneLeavesAStoreThatIsWhole) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  ::close(pipe[0]);
  const pid_t process = place_.start({"run", "small.toml"}, pipe[1]);
  ::close(pipe[1]);
  EXPECT_EQ(place_.finish(process).code, 128 + SIGPIPE);
  EXPECT_FALSE(std::filesystem::exists(place_.path("small.sqlite-wal")));
  std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("copy.sqlite"));
  EXPECT_EQ(stored("copy.sqlite"), kSmallRuns);
}

// One run that would take minutes: the terminal tells from the start how far it is.
TEST_F(RunTest, ATerminalIsToldOfTheRunInFlight) {
  std::string text = kSmallProtocol;
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 3000000\npatience = 0");
  place_.write("endless.toml", text);
  int terminal = -1, program = -1;
  winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::openpty(&terminal, &program, nullptr, nullptr, &size) != 0)
    GTEST_SKIP() << "no pseudo-terminals here";
  const pid_t process = place_.start({"run", "endless.toml", "--models", "mlp"}, program);
  ::close(program);
  std::string seen;
  char buffer[4096];
  bool stopped = false;
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    seen.append(buffer, static_cast<std::size_t>(got));
    // Two different epochs are a line that goes on.
    const std::size_t first = seen.find(": epoch "), last = seen.rfind(": epoch ");
    const auto epoch = [&](std::size_t at) { return seen.substr(at, seen.find(", ", at) - at); };
    if (stopped || first == last || epoch(first) == epoch(last)) continue;
    ::kill(process, SIGINT);
    stopped = true;
  }
  ::close(terminal);
  EXPECT_EQ(place_.finish(process).code, 128 + SIGINT) << seen;
  EXPECT_TRUE(contains(seen, "reading csbm")) << seen;
  EXPECT_TRUE(contains(seen, "0 of 6 runs; mlp on csbm")) << seen;
  EXPECT_EQ(stored("endless.sqlite"), 0);
}

}  // namespace
}  // namespace cupel::test
