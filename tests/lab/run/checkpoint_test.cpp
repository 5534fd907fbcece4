// Long runs put down how far they are beside the store, and go on from there.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cupel/lab/run/checkpoint_file.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using made::fake_sources;
using made::TempFolder;

void put_down(Checkpoint& checkpoint, std::string state) {
  const StateBytes bytes = std::as_writable_bytes(std::span(state));
  const StateBytes parts[] = {bytes.first(2), bytes.subspan(2)};
  checkpoint.put_down(parts);
}

TEST(CheckpointFile, GivesBackWhatWasPutDownLast) {
  TempFolder folder;
  const fs::path store = folder / "store";
  CheckpointFile first(store, "run", 0s);
  EXPECT_EQ(first.take_up(), "");
  put_down(first, "an earlier state");
  put_down(first, "a later state");
  CheckpointFile second(store, "run", 0s), other(store, "another", 0s);
  EXPECT_EQ(second.take_up(), "a later state");
  EXPECT_GT(second.seconds_before(), 0);
  EXPECT_EQ(other.take_up(), "");
  EXPECT_TRUE(second.is_there());
  EXPECT_FALSE(other.is_there());
  CheckpointFile::remove(second.path());
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_EQ(CheckpointFile(store, "run", 0s).take_up(), "");
}

TEST(CheckpointFile, IsDueOnceTheIntervalIsOver) {
  TempFolder folder;
  EXPECT_FALSE(CheckpointFile(folder / "store", "run", 1h).due());
  CheckpointFile at_once(folder / "store", "run", 0s);
  EXPECT_TRUE(at_once.due());
}

TEST(CheckpointFile, TakesNothingFromADamagedFile) {
  TempFolder folder;
  const fs::path store = folder / "store", path = folder / "store-checkpoint-run";
  CheckpointFile whole(store, "run", 0s);
  put_down(whole, "the state of a model");
  std::stringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string good = content.str();
  const auto taken = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return CheckpointFile(store, "run", 0s).take_up();
  };
  ASSERT_EQ(taken(good), "the state of a model");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    EXPECT_EQ(taken(flipped), "") << "byte " << at;
    EXPECT_EQ(taken(good.substr(0, at)), "") << "cut at " << at;
  }
  EXPECT_EQ(taken(good + "x"), "");
  // Of a run with another id, under this one's name.
  put_down(whole, "the state of a model");
  fs::rename(path, folder / "store-checkpoint-other");
  EXPECT_EQ(CheckpointFile(store, "other", 0s).take_up(), "");
}

TEST(CheckpointFile, SaysWhyItCannotBeWrittenAndKeepsTheLast) {
  TempFolder folder;
  const fs::path store = folder / "store", path = folder / "store-checkpoint-run";
  fs::create_directory(path);
  CheckpointFile file(store, "run", 0s);
  put_down(file, "a state");
  EXPECT_NE(file.problem().find(path.string()), std::string::npos) << file.problem();
  fs::remove(path);
  put_down(file, "a state");
  EXPECT_EQ(file.problem(), "");
}

TEST(CheckpointFile, WhatAKillLeftHalfWrittenIsWrittenOverOrRemoved) {
  TempFolder folder;
  const fs::path part = folder / "store-checkpoint-run.part";
  std::ofstream(part) << "half a state";
  CheckpointFile file(folder / "store", "run", 0s);
  EXPECT_EQ(file.take_up(), "");
  EXPECT_TRUE(file.is_there());
  put_down(file, "a state");
  EXPECT_FALSE(fs::exists(part));
  std::ofstream(part) << "half a state";
  CheckpointFile::remove(file.path());
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

std::vector<fs::path> checkpoints_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().find("-checkpoint-") != std::string::npos)
      out.push_back(entry.path());
  return out;
}

// A run of so many steps, each of which it puts down; stopped in the middle of the first run.
class Stepping final : public Executor {
 public:
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup&, Threads) const override {
    struct Session final : RunSession {
      explicit Session(const Stepping& all) : all_(all) {}
      RunRecord run(int, StreamKey, const RunLimits& limits) override {
        int step = 0;
        const std::string found = limits.checkpoint->take_up();
        if (found.size() == sizeof step) std::memcpy(&step, found.data(), sizeof step);
        while (step < kSteps) {
          limits.check();
          ++step;
          if (++all_.steps == all_.stop_at) all_.stop = true;
          const StateBytes part[] = {std::as_writable_bytes(std::span(&step, 1))};
          if (limits.checkpoint->due()) limits.checkpoint->put_down(part);
        }
        RunRecord out;
        out.status = all_.fails ? RunStatus::kFailed : RunStatus::kOk;
        return out;
      }
      const Stepping& all_;
    };
    return std::make_unique<Session>(*this);
  }

  static constexpr int kSteps = 5;
  mutable int steps = 0;
  mutable std::atomic<bool> stop = false;
  int stop_at = 0;
  bool fails = false;
};

TEST(Checkpoints, ARunThatIsBegunAgainGoesOnAndLeavesNoFile) {
  for (const std::string name : {"store", "elsewhere"}) {
    const bool fails = name == "store";
    TempFolder folder;
    const Plan plan = make_plan(parse_protocol("small", "small.toml", R"(
[data]
datasets = ["one"]
[split]
count = 1
[train]
inits = 2
[models.gcn]
)"),
                                {}, fake_sources());
    Store store(folder / "store");
    Stepping executor;
    executor.fails = fails;
    ExecuteOptions options;
    options.jobs = 1;
    options.checkpoint_interval = 0s;
    options.interrupt = &executor.stop;
    if (name != "store") options.checkpoints = folder / name;
    executor.stop_at = 3;
    EXPECT_TRUE(execute(plan, store, executor, options).interrupted);
    EXPECT_EQ(store.run_count(), 0);
    ASSERT_EQ(checkpoints_in(folder.path()).size(), 1u);
    EXPECT_TRUE(checkpoints_in(folder.path())[0].filename().string().starts_with(name));

    executor.stop = false;
    const ExecuteSummary rest = execute(plan, store, executor, options);
    EXPECT_EQ(rest.done, 2);
    EXPECT_EQ(rest.checkpoint_problem, "");
    EXPECT_EQ(executor.steps, 2 * Stepping::kSteps) << "steps were done again";
    EXPECT_TRUE(checkpoints_in(folder.path()).empty());
  }
}

// Who keeps results elsewhere needs the file until they are there.
TEST(Checkpoints, AreLeftToWhomIsToldOfThem) {
  TempFolder folder;
  const Plan plan =
      make_plan(parse_protocol("small", "small.toml", made::kSmallProtocol), {}, fake_sources());
  Store store(folder / "store");
  Stepping executor;
  executor.stop_at = -1;
  ExecuteOptions options;
  options.jobs = 1;
  options.checkpoint_interval = 0s;
  std::vector<fs::path> over;
  options.on_checkpoint_over = [&](const fs::path& path) { over.push_back(path); };
  const ExecuteSummary done = execute(plan, store, executor, options);
  EXPECT_EQ(static_cast<int>(over.size()), done.done);
  EXPECT_EQ(checkpoints_in(folder.path()).size(), over.size());
  for (const fs::path& path : over) EXPECT_TRUE(fs::exists(path));
}

TEST(Checkpoints, AreNotWrittenForShortRuns) {
  TempFolder folder;
  const Plan plan =
      make_plan(parse_protocol("small", "small.toml", made::kSmallProtocol), {}, fake_sources());
  Store store(folder / "store");
  Stepping executor;
  executor.stop_at = 3;
  ExecuteOptions options;
  options.jobs = 1;
  options.interrupt = &executor.stop;
  (void)execute(plan, store, executor, options);
  EXPECT_TRUE(checkpoints_in(folder.path()).empty());
}

}  // namespace
}  // namespace cupel
