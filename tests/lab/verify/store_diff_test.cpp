#include "cupel/lab/verify/store_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cupel/lab/record/identity.h"
#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::TempFolder;
using Names = std::vector<std::string>;

// Three rows on two data sets, four splits, three initialisations; a row without randomness has
// one.
constexpr int kRuns = 2 * 4 * (3 + 3 + 1);

class StoreDiffTest : public testing::Test {
 protected:
  // A store of what the small protocol asks for, with other words in it.
  Store made(const std::string& name, const std::string& from = "", const std::string& to = "",
             const Selection& selection = {}, const PlanSources& sources = fake_sources()) {
    std::string text = made::kSmallProtocol;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    Store store(folder_ / name);
    execute(make_plan(parse_protocol("p", "p.toml", text), selection, sources), store,
            FakeExecutor(), {});
    return Store(folder_ / name, Store::Mode::kOpen);
  }

  static Names fields_of(const UnmatchedRuns& group) {
    Names out;
    for (const FieldDifference& one : group.fields) out.push_back(one.field);
    return out;
  }
  static std::size_t runs_of(const std::vector<UnmatchedRuns>& groups) {
    std::size_t out = 0;
    for (const UnmatchedRuns& group : groups) out += group.runs.size();
    return out;
  }

  TempFolder folder_;
};

TEST_F(StoreDiffTest, TheSameRunsAreEqual) {
  const Store a = made("a"), b = made("b");
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(diff.equal, kRuns);
  EXPECT_TRUE(diff.holds());
  EXPECT_TRUE(diff.only_a.empty() && diff.only_b.empty());
  EXPECT_EQ(diff.unfinished, 0);
}

TEST_F(StoreDiffTest, ASettingPartsTheRunsOfARow) {
  const Store a = made("a"), b = made("b", "lr = 0.1", "lr = 0.25");
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(diff.equal, 2 * 4 * (3 + 1));
  EXPECT_TRUE(diff.holds()) << "they are other runs";
  ASSERT_EQ(diff.only_a.size(), 2u);
  ASSERT_EQ(diff.only_b.size(), 2u);
  for (const UnmatchedRuns& group : diff.only_a) {
    EXPECT_EQ(group.model, "gcn");
    ASSERT_EQ(fields_of(group), Names{"family.model.settings.lr"});
    EXPECT_EQ(group.fields[0].a, "0.1");
    EXPECT_EQ(group.fields[0].b, "0.25");
    EXPECT_FALSE(group.other_split || group.other_init);
    ASSERT_EQ(group.runs.size(), 12u);
    for (const UnmatchedRuns::Run& run : group.runs) {
      EXPECT_EQ(a.run(run.id).id, run.id);
      const nlohmann::json there = nlohmann::json::parse(b.run(run.nearest).identity);
      EXPECT_EQ(there["split"], run.split);
      EXPECT_EQ(there["init"], run.init);
      EXPECT_EQ(there["family"]["model"]["settings"]["lr"], 0.25);
    }
  }
  EXPECT_EQ(diff.only_a[0].dataset, "one");
  EXPECT_EQ(diff.only_a[1].dataset, "three");
  EXPECT_EQ(diff.only_b[0].fields[0].a, "0.25") << "a is what the runs have that are told of";
}

TEST_F(StoreDiffTest, PlacesThatWereNotDone) {
  Selection some;
  some.splits = 3;
  some.inits = 2;
  const Store a = made("a"), b = made("b", "", "", some);
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(diff.equal, 2 * 3 * (2 + 2 + 1));
  EXPECT_TRUE(diff.only_b.empty());
  EXPECT_EQ(runs_of(diff.only_a), static_cast<std::size_t>(kRuns) - 2 * 3 * 5);
  for (const UnmatchedRuns& group : diff.only_a) {
    EXPECT_TRUE(group.fields.empty());
    EXPECT_EQ(group.family, group.nearest_family);
    for (const UnmatchedRuns::Run& run : group.runs) {
      EXPECT_EQ(run.split >= 3, group.other_split);
      EXPECT_EQ(run.init >= 2, group.other_init);
    }
  }
}

// Stores of one run each, whose families differ in one thing.
TEST_F(StoreDiffTest, FieldsAreNamedOneByOne) {
  const auto program = [](const char* hash) {
    FamilyFields out;
    out.model = "external";
    out.program = {{"command", "[\"mine\"]"}, {"file:mine.py", hash}};
    return out;
  };
  const auto with = [](auto&& change) {
    FamilyFields out;
    out.dataset = "0123";
    out.model = "gcn";
    out.settings = {{"l2", 0.0}, {"lr", 0.1}};
    change(out);
    return family_identity(out);
  };
  const std::string usual = with([](FamilyFields&) {});
  std::string numerics = usual;
  const std::string version = fmt::format("\"numerics\":{}", kNumericsVersion);
  numerics.replace(numerics.find(version), version.size(), "\"numerics\":1");
  struct Case {
    std::string field, b, a = "";
  };
  const std::vector<Case> cases = {
      {"family.dataset.content", with([](FamilyFields& f) { f.dataset = "4567"; })},
      {"family.dataset.preparation", with([](FamilyFields& f) { f.preparation = {"unweight"}; })},
      {"family.split", with([](FamilyFields& f) { f.split.settings["seed"] = std::int64_t{7}; })},
      {"family.metric", with([](FamilyFields& f) { f.metric = "macro-f1"; })},
      {"family.model.name", with([](FamilyFields& f) { f.model = "sgc"; })},
      {"family.model.revision", with([](FamilyFields& f) { f.revision = 2; })},
      {"family.model.settings.lr", with([](FamilyFields& f) { f.settings["lr"] = 0.2; })},
      {"family.model.settings.depth", with([](FamilyFields& f) { f.settings["depth"] = true; })},
      {"family.train.patience", with([](FamilyFields& f) { f.rule.patience = 7; })},
      {"family.scores", with([](FamilyFields& f) { f.scores_test = false; })},
      {"family.numerics", numerics},
      {"family.model.program.file:mine.py", family_identity(program("abc")),
       family_identity(program("def"))},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    RunRecord run;
    run.metric = "accuracy";
    run.valid_score = 0.5;
    Store a(folder_ / fmt::format("a{}", i)), b(folder_ / fmt::format("b{}", i));
    a.put(cases[i].a.empty() ? usual : cases[i].a, 3, 1, run);
    b.put(cases[i].b, 3, 1, run);
    const StoreDiff diff = diff_stores(a, b);
    ASSERT_EQ(diff.only_a.size(), 1u) << cases[i].field;
    EXPECT_EQ(fields_of(diff.only_a[0]), Names{cases[i].field});
    EXPECT_EQ(diff.equal, 0);
    // The same of the two runs by their ids in one store.
    a.merge(folder_ / fmt::format("b{}", i));
    const RunDiff runs = diff_runs(a, diff.only_a[0].runs[0].id, diff.only_b[0].runs[0].id);
    ASSERT_EQ(runs.identity.size(), 1u) << cases[i].field;
    EXPECT_EQ(runs.identity[0].field, cases[i].field);
    EXPECT_TRUE(runs.outcome.empty());
  }
}

// Settings that only one of two models has say nothing of what parts them.
TEST_F(StoreDiffTest, AnotherModelIsNamedAlone) {
  const Store a = made("a", "[models.mlp]\n[models.fixed]", ""),
              b = made("b", "[models.gcn]\nlr = 0.1\n[models.mlp]", "[models.mlp]\nhidden = 7");
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(runs_of(diff.only_a), 24u);
  for (const UnmatchedRuns& group : diff.only_a) {
    EXPECT_EQ(fields_of(group), Names{"family.model.name"});
    EXPECT_EQ(nlohmann::json::parse(a.identity(group.family))["dataset"],
              nlohmann::json::parse(b.identity(group.nearest_family))["dataset"]);
  }
}

TEST_F(StoreDiffTest, OtherBitsOfOneRunAreNamed) {
  const Store a = made("a");
  Store b(folder_ / "b");
  b.merge(folder_ / "a");
  const std::string family = a.families().front();
  const StoredRun kept = a.runs(family).front();
  Store c(folder_ / "c");
  RunRecord other = kept.record;
  other.test_score = *other.test_score / 2;
  other.epochs += 1;
  other.seconds += 5;  // a measurement, which contradicts nothing
  c.put(a.identity(family), kept.split, kept.init, other);
  const StoreDiff diff = diff_stores(a, c);
  EXPECT_FALSE(diff.holds());
  EXPECT_EQ(diff.equal, 0);
  ASSERT_EQ(diff.different.size(), 1u);
  EXPECT_EQ(diff.different[0].id, kept.record.id);
  ASSERT_EQ(diff.different[0].outcome.size(), 2u);
  EXPECT_EQ(diff.different[0].outcome[0].field, "test_score");
  EXPECT_EQ(std::stod(diff.different[0].outcome[0].a), *kept.record.test_score);
  EXPECT_EQ(std::stod(diff.different[0].outcome[0].b), *other.test_score);
  EXPECT_EQ(diff.different[0].outcome[1].field, "epochs");
  EXPECT_EQ(runs_of(diff.only_a), static_cast<std::size_t>(kRuns) - 1);

  // Once both are in one store it is in conflict, and in no table.
  b.merge(folder_ / "c");
  const StoreDiff merged = diff_stores(a, b);
  EXPECT_FALSE(merged.holds());
  EXPECT_EQ(merged.in_conflict, Names{kept.record.id});
  EXPECT_EQ(merged.equal, kRuns - 1);
  EXPECT_TRUE(merged.only_a.empty()) << "the other store does have it";
}

TEST_F(StoreDiffTest, WhatFailedIsNotCompared) {
  Store a(folder_ / "a"), b(folder_ / "b");
  FamilyFields fields;
  fields.dataset = "0123";
  fields.model = "gcn";
  RunRecord run;
  run.metric = "accuracy";
  run.status = RunStatus::kFailed;
  a.put(family_identity(fields), 0, 0, run);
  run.status = RunStatus::kOk;
  run.valid_score = run.test_score = 0.5;
  b.put(family_identity(fields), 0, 0, run);
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(diff.unfinished, 1);
  EXPECT_EQ(diff.equal, 0);
  EXPECT_TRUE(diff.holds());
}

TEST_F(StoreDiffTest, AnEmptyStoreHasNothingNear) {
  const Store a = made("a");
  const Store b(folder_ / "b");
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(runs_of(diff.only_a), static_cast<std::size_t>(kRuns));
  for (const UnmatchedRuns& group : diff.only_a) {
    EXPECT_EQ(group.nearest_family, "");
    EXPECT_EQ(group.runs.front().nearest, "");
    EXPECT_TRUE(group.fields.empty());
  }
}

TEST_F(StoreDiffTest, RunsThatAreNotTwo) {
  const Store a = made("a");
  const std::string id = a.runs(a.families().front()).front().record.id;
  EXPECT_NE(error_of([&] { (void)diff_runs(a, id, id.substr(0, 12)); }).find("are one run"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)diff_runs(a, id, "0000000"); }).find("there is no run '0000000'"),
            std::string::npos);
}

TEST_F(StoreDiffTest, OtherDataOfOneNameIsNearerThanOtherNames) {
  PlanSources others = fake_sources();
  others.load = [](const std::string& name) {
    return made::ring(name, static_cast<Index>(150 + name.size()));
  };
  const Store a = made("a"), b = made("b", "", "", {}, others);
  const StoreDiff diff = diff_stores(a, b);
  EXPECT_EQ(diff.equal, 0);
  ASSERT_EQ(diff.only_a.size(), 6u);
  for (const UnmatchedRuns& group : diff.only_a) {
    EXPECT_EQ(fields_of(group), Names{"family.dataset.content"});
    bool named = false;
    for (const StoredProtocol& protocol : b.protocols())
      for (const StoredCell& cell : b.cells(protocol.version))
        if (cell.family == group.nearest_family)
          named = cell.dataset == group.dataset && cell.model == group.model;
    EXPECT_TRUE(named);
  }
}

}  // namespace
}  // namespace cupel
