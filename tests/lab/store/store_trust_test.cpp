// A store that somebody changed by hand is not believed.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <tuple>

// clang-format off: the targets come before Highway
#include "cupel/base/vector_targets.h"
#include "hwy/targets.h"
// clang-format on
#include "cupel/engine/kernels/fused.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/store/store.h"
#include "cupel/lab/verify/verify.h"
#include "error_of.h"
#include "lab/fake.h"
#include "lab/store/store_samples.h"
#include "raw_sql.h"

namespace cupel {
namespace {

using made::family;
using made::family_id;
using made::raw_sql;
using made::run_id;
using made::sample_run;
using made::TempFolder;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string filled(const TempFolder& folder) {
  const std::string path = (folder / "s.sqlite").string();
  Store store(path);
  for (int split = 0; split < 3; ++split) store.put(family(), split, 0, sample_run(0.25 * split));
  store.put(family(), 3, 0, sample_run(0, RunStatus::kFailed));
  RunRecord program = sample_run(0.75);
  program.isolation = "bubblewrap";
  store.put(family(), 4, 0, program);
  return path;
}

// An edit, and what is said of it.
struct Edit {
  std::string sql, said;
};

TEST(StoreTrust, EveryEditOfARunIsSeenByWhoeverReadsIt) {
  const std::string of = " WHERE split = 1 AND init = 0";
  const std::vector<Edit> edits = {
      {"UPDATE runs SET test_score = 0.26" + of, "seal"},
      {"UPDATE runs SET test_score = 5.0" + of, "fractions end at 1"},
      {"UPDATE runs SET test_score = 1.7e308" + of, "fractions end at 1"},
      {"UPDATE runs SET test_score = -0.1" + of, "fractions end at 1"},
      {"UPDATE runs SET test_score = 'much'" + of, "is no number"},
      {"UPDATE runs SET test_score = NULL" + of, "seal"},
      {"UPDATE runs SET valid_score = 0.3" + of, "seal"},
      {"UPDATE runs SET valid_loss = 0.3" + of, "seal"},
      {"UPDATE runs SET metric = 'roc-auc'" + of, "seal"},
      {"UPDATE runs SET epochs = 8" + of, "seal"},
      {"UPDATE runs SET epochs = -8" + of, "epochs is '-8'"},
      {"UPDATE runs SET best_epoch = 6" + of, "seal"},
      {"UPDATE runs SET seconds = 1" + of, "seal"},
      {"UPDATE runs SET seconds = 9e999" + of, "seconds"},
      {"UPDATE runs SET memory_bytes = 1001" + of, "seal"},
      {"UPDATE runs SET message = 'fine'" + of, "seal"},
      {"UPDATE runs SET status = 1" + of, "seal"},
      {"UPDATE runs SET status = 77" + of, "its status is 77"},
      {"UPDATE runs SET status = -1" + of, "status is '-1'"},
      {"UPDATE runs SET status = 'ok'" + of, "status is 'ok'"},
      {"UPDATE runs SET id = 'abcdef0123456789abcdef0123456789'" + of, "its id is not the hash"},
      {"UPDATE runs SET split = 9" + of, "its id is not the hash"},
      {"UPDATE other_scores SET score = 0.2" + of, "seal"},
      {"DELETE FROM other_scores" + of, "seal"},
      {"UPDATE strata SET inside = 0.9" + of, "seal"},
      {"UPDATE strata SET outside = 9" + of, "fractions end at 1"},
      {"UPDATE strata SET inside_nodes = 11" + of, "seal"},
      {"DELETE FROM strata" + of, "seal"},
      {"UPDATE seals SET hash = 'abc'" + of, "seal"},
      {"UPDATE runs SET test_score = 0.26" + of + "; DELETE FROM seals", "it has no seal"},
      {"INSERT INTO isolation SELECT family, split, init, 'bubblewrap' FROM runs" + of, "seal"},
      {"DELETE FROM isolation", "seal"},
      {"UPDATE families SET identity = replace(identity, 'gcn', 'gat')", "family is not the hash"},
  };
  for (const Edit& edit : edits) {
    TempFolder folder;
    const std::string path = filled(folder);
    raw_sql(path, edit.sql);
    const Store store(path, Store::Mode::kOpen);
    const std::vector<std::function<void()>> readers = {
        [&] { (void)store.runs(family_id()); },
        [&] { (void)store.statuses(family_id()); },
        [&] { (void)store.scores(family_id(), Store::ScoreKind::kTest); },
        [&] { (void)store.without_strata(family_id(), {"abc"}); },
        [&] { (void)store.cost(family_id()); },
        [&] { Store(folder / "other.sqlite").merge(path); },
    };
    for (const auto& reader : readers) {
      const std::string said = error_of(reader);
      EXPECT_TRUE(has(said, edit.said)) << edit.sql << ": " << said;
      EXPECT_TRUE(has(said, "run ") || has(said, "family ")) << said;
      EXPECT_THROW(reader(), DamagedFile) << edit.sql;
    }
    const StoreCheck check = check_store(path);
    ASSERT_FALSE(check.problems.empty()) << edit.sql;
    EXPECT_TRUE(has(check.problems.front(), edit.said)) << check.problems.front();
  }
}

TEST(StoreTrust, BoundsAreThoseOfTheMetric) {
  TempFolder folder;
  const std::string path = (folder / "s.sqlite").string();
  RunRecord run = sample_run(0.5);
  run.metric = "mean-rank";
  run.test_score = 12.5;
  run.valid_score = 900;
  run.other_scores = {{"mrr", 0.25}};
  run.strata.clear();  // which have scores by the same metric
  {
    Store store(path);
    store.put(family(), 1, 0, run);
    EXPECT_EQ(store.runs(family_id())[0].record.test_score, 12.5);
  }
  EXPECT_TRUE(check_store(path).problems.empty());
  raw_sql(path, "UPDATE runs SET test_score = 0.5");
  EXPECT_TRUE(has(error_of([&] { (void)Store(path).runs(family_id()); }),
                  "its test_score is 0.5, and ranks begin at 1"));
  raw_sql(path, "UPDATE runs SET test_score = 1e200");
  EXPECT_TRUE(has(error_of([&] { (void)Store(path).runs(family_id()); }),
                  "its test_score is 1e+200, and no rank is so large"));
  raw_sql(path, "UPDATE runs SET test_score = 12.5");
  raw_sql(path, "UPDATE other_scores SET score = 4");
  EXPECT_TRUE(has(error_of([&] { (void)Store(path).runs(family_id()); }),
                  "its mrr is 4, and fractions end at 1"));
}

TEST(StoreTrust, ASentenceNamesTheRunAndTheOthersAreStillThere) {
  TempFolder folder;
  const std::string path = filled(folder);
  raw_sql(path, "UPDATE runs SET test_score = 0.9 WHERE split = 1");
  const Store store(path, Store::Mode::kOpen);
  EXPECT_TRUE(has(error_of([&] { (void)store.find(run_id(1)); }), run_id(1)));
  EXPECT_EQ(store.find(identity_hash(run_identity(family(), 2, 0)))->test_score, 0.5);
  EXPECT_TRUE(store.find(identity_hash(run_identity(family(), 2, 0)))->sealed);
  const StoreCheck check = check_store(path);
  ASSERT_EQ(check.problems.size(), 1u);
  EXPECT_TRUE(has(check.problems[0], run_id(1))) << check.problems[0];
  // The way out that the sentence names: without the run it is done again.
  raw_sql(path, "DELETE FROM runs WHERE split = 1");
  Store mended(path);
  mended.put(family(), 1, 0, sample_run(0.25));
  EXPECT_EQ(mended.runs(family_id()).size(), 5u);
  EXPECT_TRUE(check_store(path).problems.empty());
}

TEST(StoreTrust, ASealedRunIsNotAddedToAfterAnEdit) {
  TempFolder folder;
  const std::string path = filled(folder);
  raw_sql(path, "UPDATE runs SET test_score = 0.9 WHERE split = 1");
  RunRecord more = sample_run(0.9);
  more.valid_score = 0.25;
  more.strata.push_back({"new", 0.5, 0.5, 1, 1});
  Store store(path);
  EXPECT_TRUE(has(error_of([&] { store.put(family(), 1, 0, more); }), "seal"));
}

TEST(StoreTrust, TheTablesAreThoseThatWeMake) {
  const std::vector<Edit> edits = {
      {"ALTER TABLE runs RENAME TO kept; CREATE VIEW runs AS SELECT * FROM kept", "'"},
      {"CREATE VIEW best AS SELECT max(test_score) FROM runs", "view 'best'"},
      {"CREATE VIEW loop AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
       "i FROM n",
       "view 'loop'"},
      {"CREATE TRIGGER one AFTER INSERT ON runs BEGIN UPDATE runs SET test_score = 1; END",
       "trigger 'one'"},
      {"CREATE TABLE more(x)", "table 'more'"},
      {"CREATE INDEX odd ON runs(test_score)", "index 'odd'"},
      {"DROP TABLE strata", "no 'strata'"},
      {"DROP TABLE seals", "no 'seals'"},
      {"DROP INDEX runs_by_id", "no 'runs_by_id'"},
      {"DROP TABLE other_scores; CREATE TABLE other_scores(family, split, init, metric, score)",
       "table 'other_scores' is not as cupel makes it"},
      {"ALTER TABLE runs ADD COLUMN more", "table 'runs' is not as cupel makes it"},
      {"ALTER TABLE strata ADD COLUMN more REAL GENERATED ALWAYS AS (1.0)", "table 'strata'"},
  };
  for (const Edit& edit : edits) {
    TempFolder folder;
    const std::string path = filled(folder);
    raw_sql(path, edit.sql);
    for (const Store::Mode mode : {Store::Mode::kOpen, Store::Mode::kOpenOrCreate}) {
      const std::string said = error_of([&] { const Store store(path, mode); });
      EXPECT_TRUE(has(said, edit.said)) << edit.sql << ": " << said;
      EXPECT_TRUE(has(said, "take a copy from before")) << said;
    }
    EXPECT_EQ(check_store(path).problems.size(), 1u) << edit.sql;
  }
}

TEST(StoreTrust, RunsThatAreGoneAreMissedByTheirSeals) {
  TempFolder folder;
  const std::string path = filled(folder);
  raw_sql(path, "DELETE FROM runs WHERE split = 1");
  EXPECT_TRUE(has(error_of([&] { (void)Store(path).statuses(family_id()); }), "lacks 1 run"));
  raw_sql(path, "DELETE FROM seals WHERE split = 1");
  EXPECT_EQ(Store(path).statuses(family_id()).size(), 4u);
}

TEST(StoreTrust, AFlippedBitChangesNoRunInSilence) {
  TempFolder folder;
  const std::string path = filled(folder);
  const auto outcomes = [&](const std::string& of) {
    std::vector<std::tuple<int, RunStatus, std::optional<double>>> out;
    const Store store(of, Store::Mode::kOpen);
    for (const StoredRun& run : store.runs(family_id()))
      out.emplace_back(run.split, run.record.status, run.record.test_score);
    return out;
  };
  const auto whole = outcomes(path);
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::string other = (folder / "flipped.sqlite").string();
  int seen = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    // All of the heads of pages, which count rows, and some of the rest.
    if (i % 53 != 0 && i % 4096 >= 12) continue;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    std::ofstream(other, std::ios::binary) << flipped;
    try {
      EXPECT_EQ(outcomes(other), whole) << "byte " << i;
    } catch (const Error&) {
      ++seen;
    }
  }
  EXPECT_GT(seen, 0);
}

TEST(StoreTrust, WhatAnalyzeLeavesDoesNoHarm) {
  TempFolder folder;
  const std::string path = filled(folder);
  raw_sql(path, "ANALYZE");
  EXPECT_TRUE(check_store(path).problems.empty());
  EXPECT_EQ(Store(path).run_count(), 5);
}

TEST(StoreTrust, AStoreFromBeforeIsReadAndSaysSo) {
  TempFolder folder;
  const std::string path = filled(folder);
  raw_sql(path, "DELETE FROM isolation");
  made::to_schema_3(path);
  const Store read(path, Store::Mode::kOpen);
  EXPECT_EQ(read.run_count(), 5);
  EXPECT_EQ(read.unsealed_count(), 5);
  const auto runs = read.runs(family_id());
  ASSERT_EQ(runs.size(), 5u);
  EXPECT_FALSE(runs[1].record.sealed);
  EXPECT_EQ(runs[1].record.test_score, 0.25);
  EXPECT_EQ(runs[1].record.strata.size(), 1u);
  EXPECT_FALSE(read.looks("v", {"1", "a", "b"}));
  EXPECT_EQ(raw_sql(path, "PRAGMA user_version"), "3") << "reading changes nothing";
  const StoreCheck check = check_store(path);
  EXPECT_TRUE(check.problems.empty()) << check.problems.front();
  EXPECT_EQ(check.unsealed, 5);
  // Writing gives it what it lacks: new runs are sealed, old ones are as they were.
  Store store(path);
  store.put(family(), 8, 0, sample_run(0.5));
  EXPECT_EQ(store.run_count(), 6);
  EXPECT_EQ(store.unsealed_count(), 5);
  EXPECT_EQ(raw_sql(path, "PRAGMA user_version"), "5");
  // A value that no run has is seen without a seal as well.
  raw_sql(path, "UPDATE runs SET test_score = 5 WHERE split = 1");
  EXPECT_TRUE(has(error_of([&] { (void)Store(path).runs(family_id()); }), "fractions end at 1"));
}

TEST(StoreTrust, WhatRunsAreMadeOfIsWhatWeWrite) {
  for (const std::string identity :
       {"", "gcn", "[]", "{}", R"({"dataset":{"content":1}})", R"({"dataset":"x"})"}) {
    TempFolder folder;
    const std::string path = (folder / "s.sqlite").string();
    {
      Store store(path);
      store.put(identity, 0, 0, sample_run(0.5));
    }
    const std::string said = error_of([&] { (void)Store(path).runs(identity_hash(identity)); });
    EXPECT_TRUE(has(said, "what its family depends on")) << identity << ": " << said;
    EXPECT_FALSE(check_store(path).problems.empty());
  }
  EXPECT_EQ(identity_fault(family()), "");
  // Deep enough to end a program that reads it by recursion.
  EXPECT_NE(identity_fault(std::string(1 << 20, '[')), "");
  std::string deep = family();
  deep.replace(deep.find("\"numerics\":"), 11,
               "\"more\":" + std::string(1000, '[') + std::string(1000, ']') + ",\"numerics\":");
  EXPECT_NE(identity_fault(deep), "");
}

TEST(StoreTrust, ATextBeyondAllMeasureIsRefused) {
  TempFolder folder;
  const std::string path = filled(folder);
  raw_sql(path, "UPDATE runs SET message = printf('%.*c', 20000000, 'x') WHERE split = 3");
  EXPECT_TRUE(has(error_of([&] { (void)Store(path).runs(family_id()); }), "more than 16 MB"));
  EXPECT_FALSE(check_store(path).problems.empty());
}

TEST(StoreTrust, OrphansAreFound) {
  for (const char* sql :
       {"INSERT INTO seals VALUES ('f', 0, 0, 'h')",
        "INSERT INTO strata VALUES ('f',0,0,'s',1,1,1,1)", "INSERT INTO asked VALUES (99, 1, 1)",
        "DELETE FROM families", "INSERT INTO conflicts VALUES ('f', 0, 0, 'h', '{}')",
        "INSERT INTO protocols VALUES (1, 'v', 'n', 'title = 1', '')",
        "INSERT INTO protocols VALUES (1, 'v', 'n', '', '')"}) {
    TempFolder folder;
    const std::string path = filled(folder);
    raw_sql(path, sql);
    EXPECT_EQ(check_store(path).problems.empty(), false) << sql;
  }
}

// --- fused multiply-add ---

TEST(Identity, AMachineThatRoundsOtherwiseHasIdsOfItsOwn) {
  FamilyFields fields;
  EXPECT_FALSE(has(family_identity(fields), "fma")) << "ids of runs from before stay";
  fields.rounding = kernels::Rounding::kFusedByFour;
  EXPECT_TRUE(has(family_identity(fields), R"("fma":"four lanes")"));
  const auto planned = [] {
    const Plan plan = make_plan(parse_protocol("small", "small.toml", made::kSmallProtocol), {},
                                made::fake_sources());
    return plan.cells.front().family->identity;
  };
  const std::string here = planned();
  hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const bool twice = kernels::rounding() == kernels::Rounding::kTwice;
  const std::string there = planned();
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_EQ(has(there, R"("fma":false)"), twice);
  EXPECT_EQ(has(here, "fma"), kernels::rounding() != kernels::Rounding::kFused);
  EXPECT_EQ(identity_fault(there), "");
}

}  // namespace
}  // namespace cupel
