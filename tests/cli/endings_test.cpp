// What is left when the program is ended, or its disk is full.
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "cli/program.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Waits until the current folder has a file more than `before`, or for ten seconds.
bool await_a_file(const Workplace& place, const std::vector<std::string>& before) {
  for (int i = 0; i < 10000; ++i) {
    if (place.files().size() > before.size()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

// Of a program that gets the signal while it writes to the current folder. One that was faster than
// the signal is started again; twenty in a row are not.
Outcome ended_while_writing(const Workplace& place, const std::vector<std::string>& arguments,
                            int signal) {
  const auto before = place.files();
  for (int attempt = 0; attempt < 20; ++attempt) {
    const pid_t process = place.start(arguments);
    const bool began = await_a_file(place, before);
    ::kill(process, signal);
    const Outcome ended = place.finish(process);
    if (began && ended.code != 0) return ended;
    for (const std::string& name : place.files()) {
      if (!std::count(before.begin(), before.end(), name)) fs::remove_all(place.path(name));
    }
  }
  ADD_FAILURE() << "no signal came in time";
  return {};
}

// With a limit on how large files may become.
Outcome run_with_small_files(const Workplace& place, const std::string& arguments, int kilobytes) {
  const std::string command = "cd '" + place.path("").string() + "' && ulimit -f " +
                              std::to_string(kilobytes) + " && '" + CUPEL_PROGRAM + "' " +
                              arguments + " > ../out 2> ../err";
  const int status = std::system(("bash -c \"" + command + "\"").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          read_file(place.path("../out")), read_file(place.path("../err"))};
}

constexpr const char* kLargeGraph = "csbm:nodes=200000,features=50,degree=20";

TEST(Endings, ASignalTakesTheHalfWrittenFileAlong) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const Workplace place;
    const auto before = place.files();
    const Outcome ended =
        ended_while_writing(place, {"generate", kLargeGraph, "--out", "large.npz"}, number);
    EXPECT_EQ(ended.code, 128 + number);
    EXPECT_TRUE(contains(ended.err, "what was half-written is removed")) << ended.err;
    EXPECT_EQ(place.files(), before);
  }
}

TEST(Endings, ASetOfGraphsIsWholeOrNotThere) {
  const Workplace place;
  const auto before = place.files();
  const Outcome ended =
      ended_while_writing(place, {"generate", "syn-degree:graphs=20000", "--out", "set"}, SIGTERM);
  EXPECT_EQ(ended.code, 128 + SIGTERM) << ended.err;
  EXPECT_EQ(place.files(), before);
}

TEST(Endings, AFileThatOutgrowsItsLimitIsAnErrorAndGoes) {
  for (const std::string arguments :
       {"generate csbm:nodes=3000 --out a.npz", "generate csbm:nodes=3000 --out new/",
        "generate syn-degree:graphs=400 --out set", "convert csbm:nodes=3000 out",
        "convert csbm:nodes=3000 --scheme per-class --task task",
        "convert csbm:nodes=3000 --scheme per-class --set count=30 --splits splits.json"}) {
    const Workplace place;
    const auto before = place.files();
    const Outcome outcome = run_with_small_files(place, arguments, 4);
    EXPECT_EQ(outcome.code, 2) << arguments << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "File too large")) << arguments << ": " << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(place.files(), before) << arguments;
  }
}

TEST(Endings, AMergeThatFailsLeavesNoStore) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  ASSERT_EQ(place.run({"run", "small.toml", "--store", "one.sqlite", "--no-report"}).code, 0);
  const auto before = place.files();
  // Enough for reading a store, and less than the tables of a new one take.
  const Outcome outcome = run_with_small_files(place, "merge out.sqlite one.sqlite", 40);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "out.sqlite")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(place.files(), before);
}

TEST(Endings, AFullDiskLeavesNoFolder) {
  const Workplace place;
  fs::create_directory(place.path("small"));
  const std::string mount =
      "mount -t tmpfs -o size=16k none '" + place.path("small").string() + "' 2>/dev/null";
  if (std::system(mount.c_str()) != 0) GTEST_SKIP() << "may not mount here";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"generate", "csbm:nodes=3000", "--out", "small/new/"},
        {"generate", "syn-degree:graphs=400", "--out", "small/set"},
        {"convert", "csbm:nodes=3000", "small/out"},
        {"convert", "csbm:nodes=3000", "--scheme", "per-class", "--task", "small/task"}}) {
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "No space left")) << outcome.err;
    EXPECT_TRUE(fs::is_empty(place.path("small"))) << arguments[0];
  }
  EXPECT_EQ(std::system(("umount '" + place.path("small").string() + "'").c_str()), 0);
}

TEST(Endings, AMergeOntoAFullDiskSaysSo) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  ASSERT_EQ(place.run({"run", "small.toml", "--store", "one.sqlite", "--no-report"}).code, 0);
  fs::create_directory(place.path("small"));
  const std::string folder = "'" + place.path("small").string() + "'";
  for (const int kilobytes : {4, 8, 16, 32, 64, 96}) {
    const std::string mount =
        fmt::format("mount -t tmpfs -o size={}k none {} 2>/dev/null", kilobytes, folder);
    if (std::system(mount.c_str()) != 0) GTEST_SKIP() << "may not mount here";
    const Outcome outcome = place.run({"merge", "small/out.sqlite", "one.sqlite"});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "out.sqlite: the disk is full")) << outcome.err;
    EXPECT_EQ(std::system(("umount " + folder).c_str()), 0);
  }
}

// A rename would put a file in the place of a device.
TEST(Endings, WhatIsNoFileIsNotReplaced) {
  const Workplace place;
  ASSERT_EQ(::mkfifo(place.path("pipe").c_str(), 0600), 0);
  place.write("small.toml", kSmallProtocol);
  ASSERT_EQ(place.run({"run", "small.toml"}).code, 0);
  const auto before = place.files();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"generate", "csbm:nodes=100", "--out", "pipe"},
        {"convert", "csbm:nodes=100", "pipe", "--format", "gnn-benchmark"},
        {"convert", "csbm:nodes=100", "--scheme", "per-class", "--splits", "pipe"},
        {"convert", "csbm:nodes=100", "--scheme", "per-class", "--task", "pipe"},
        {"report", "small.toml", "--format", "csv", "--out", "pipe"},
        {"report", "small.toml", "--figures", "pipe"},
        {"audit", "csbm:nodes=100", "--fix", "--out", "pipe"}}) {
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << arguments.back() << outcome.err;
    EXPECT_TRUE(fs::is_fifo(place.path("pipe"))) << arguments[0];
    EXPECT_EQ(place.files(), before) << arguments[0];
  }
}

// As when a terminal is closed over a run.
TEST(Endings, AHangUpStopsARunAsCtrlCDoes) {
  std::string text = kSmallProtocol;
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 3000000\npatience = 0");
  // A signal that comes before the first run has begun has nothing to stop: then a later one.
  bool told = false;
  for (auto wait = 200ms; !told && wait < 20s; wait *= 3) {
    const Workplace place;
    place.write("endless.toml", text);
    const auto before = place.files();
    const pid_t process = place.start({"run", "endless.toml", "--models", "mlp"});
    ASSERT_TRUE(await_a_file(place, before));
    std::this_thread::sleep_for(wait);
    ::kill(process, SIGHUP);
    const Outcome stopped = place.finish(process);
    EXPECT_EQ(stopped.code, 128 + SIGHUP) << stopped.err;
    told = contains(stopped.err, "the same command again does the rest");
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace cupel::test
