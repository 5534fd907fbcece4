#include "cupel/api/settle.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cupel/base/write_file.h"
#include "error_of.h"
#include "lab/shards/place.h"

namespace cupel {
namespace {

Study study_of(const Protocol& protocol, const std::filesystem::path& store,
               Selection selection = {}) {
  StudyRequest request;
  request.protocol = protocol;
  request.selection = std::move(selection);
  request.sources = made::fake_sources();
  request.store = store;
  request.only_look = true;
  return Study(std::move(request));
}

// 2 data sets of 4 splits, 3 initialisations but of what is deterministic.
constexpr int kOfOneRow = 2 * 4 * 3, kAllRuns = 2 * kOfOneRow + 2 * 4;

TEST(Settle, ShardsAreOfWhatTheStoreLacks) {
  const TempFolder folder;
  const std::filesystem::path path = folder / "store";
  const SettleRequest request = {
      .file = folder / "p.plan", .choices = {}, .cut = {"4", "20m"}, .pilot = "none"};
  const auto never = [] { ADD_FAILURE() << "nothing is tried out"; };
  {
    Study study = study_of(made::small_protocol(), path);
    const SettledPlan settled = settle(study, request, never);
    ASSERT_TRUE(settled.plan);
    EXPECT_EQ(settled.plan->count(), kAllRuns);
    EXPECT_EQ(settled.plan->shards, 4);
    EXPECT_EQ(settled.note, "");
    EXPECT_EQ(parse_frozen("p.plan", settled.text).hash, settled.plan->hash);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_FALSE(std::filesystem::exists(request.file));
  }
  const made::FakeExecutor executor;
  const auto done = [&](const Selection& selection) {
    Store store(path);
    execute(make_plan(made::small_protocol(), selection, made::fake_sources()), store, executor,
            {});
  };
  done({.datasets = {}, .models = {"gcn"}, .tables = {}});
  {
    Study study = study_of(made::small_protocol(), path);
    const SettledPlan settled = settle(study, request, never);
    ASSERT_TRUE(settled.plan);
    EXPECT_EQ(settled.plan->count(), kAllRuns - kOfOneRow);
    const Store store(path, Store::Mode::kOpen);
    for (const FrozenRuns& runs : settled.plan->runs)
      EXPECT_TRUE(store.statuses(runs.family).empty()) << runs.model;
    const auto told = settled_json(settled, "p.plan", path);
    EXPECT_EQ(told["runs"], kAllRuns - kOfOneRow);
    EXPECT_EQ(told["plan"], settled.plan->hash);
    EXPECT_EQ(told["folder"], "p.shards");
  }
  done({});
  Study study = study_of(made::small_protocol(), path);
  const SettledPlan nothing = settle(study, request, never);
  EXPECT_FALSE(nothing.plan);
  EXPECT_EQ(nothing.note, "all of the 56 runs are in the store; there is nothing to share out");
  EXPECT_TRUE(settled_json(nothing, "p.plan", path)["file"].is_null());
}

TEST(Settle, WhatAPlanSaysOfRunsIsKept) {
  const TempFolder folder;
  SettleRequest request = {
      .file = folder / "p.plan", .choices = {}, .cut = {"2", "20m"}, .pilot = "none"};
  const auto settled = [&] {
    Study study = study_of(made::small_protocol(), folder / "store");
    return settle(study, request, nullptr);
  };
  FrozenPlan plan = settled().plan.value();
  // Seconds of these, as doubles, are a bit more than so many microseconds.
  const std::vector<std::uint64_t> times = {1015, 1981, 2030, 3949, 3962, 3975};
  std::size_t families = 0;
  std::string family;
  for (FrozenRuns& runs : plan.runs) {
    if (runs.family != std::exchange(family, runs.family)) ++families;
    runs.microseconds = times.at(families - 1);
  }
  const std::string text = frozen_text(plan);
  EXPECT_NE(settled().text, text);
  write_file(request.file, text);
  EXPECT_EQ(settled().text, text);
  request.pilot = "";  // nothing is left to try out
  EXPECT_EQ(settled().text, text);
  write_file(request.file, text.substr(0, 50));
  request.pilot = "none";
  EXPECT_NE(settled().text, text) << "what cannot be read tells nothing";
}

TEST(Settle, PathsStartWhereTheProtocolLies) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "sub");
  for (const char* name : {"mine.toml", "mine"}) {  // a path is one by its '/', too
    const std::string file = folder.path() / "sub" / name;
    write_file(file, made::kSmallProtocol);
    Selection selection;
    selection.datasets = {"./own/two"};
    Study study = study_of(load_protocol(file), folder / "store", selection);
    const SettledPlan settled =
        settle(study, {.file = {}, .choices = {}, .pilot = "none"}, nullptr);
    ASSERT_TRUE(settled.plan);
    EXPECT_EQ(settled.plan->folder, (folder / "sub").string()) << name;
    ASSERT_EQ(settled.plan->datasets.size(), 1u);
    EXPECT_TRUE(std::filesystem::path(settled.plan->datasets[0]).is_absolute());
  }
}

TEST(Settle, NoMoreShardsThanRuns) {
  const TempFolder folder;
  Study study = study_of(made::small_protocol(), folder / "store");
  SettleRequest request = {.file = {}, .choices = {}, .cut = {"1000", "20m"}, .pilot = "none"};
  const SettledPlan settled = settle(study, request, nullptr);
  EXPECT_EQ(settled.plan.value().shards, kAllRuns);
  EXPECT_EQ(settled.note, "56 runs make 56 shards at most, so that --shards 1,000 is taken for 56");
  const auto refused = [&](const SettleRequest& bad) {
    return error_of([&] { (void)settle(study, bad, nullptr); });
  };
  request.cut.shards = "0";
  EXPECT_NE(refused(request).find("--shards: '0'"), std::string::npos);
  request.cut = {"auto", "-3m"};
  EXPECT_NE(refused(request).find("--target: '-3m'"), std::string::npos);
  request.pilot = "soon";
  EXPECT_NE(refused(request).find("--pilot: 'soon'"), std::string::npos);
}

}  // namespace
}  // namespace cupel
