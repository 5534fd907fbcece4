// Stores that say different things of one run: no order of merging decides which is believed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/store/store.h"
#include "cupel/lab/verify/signature.h"
#include "cupel/lab/verify/verify.h"
#include "error_of.h"
#include "lab/small_plan.h"
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

// All that a store says but for what was measured, in an order of its own.
std::string all_of(const std::filesystem::path& path) {
  return raw_sql(
      path,
      "SELECT group_concat(line, '\n') FROM (SELECT split || ' ' || init || ' ' || id || "
      "' ' || status || ' ' || coalesce(test_score, '') AS line FROM runs UNION ALL "
      "SELECT 'conflict ' || split || ' ' || init || ' ' || hash FROM conflicts UNION "
      "ALL SELECT 'score ' || split || metric || score FROM other_scores UNION ALL "
      "SELECT 'stratum ' || split || stratum || coalesce(inside, '') FROM strata ORDER "
      "BY 1)");
}

TEST(StoreMerge, NoOrderDecidesBetweenOutcomes) {
  TempFolder folder;
  const std::vector<std::string> names = {"a", "b", "c"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    Store store(folder / names[i]);
    store.put(family(), 0, 0, sample_run(0.25 * static_cast<double>(i)));  // three outcomes
    store.put(family(), 1, 0, sample_run(0.5));                            // one
    // Two that agree and one that failed.
    store.put(family(), 2, 0, i == 1 ? sample_run(0, RunStatus::kTimeout) : sample_run(0.75));
  }
  std::vector<std::string> order = names;
  std::vector<std::string> results;
  do {
    std::string out = "out";
    for (const std::string& name : order) out += name;
    Store store(folder / out);
    std::size_t named = 0;
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : order) paths.push_back(folder / name);
    for (const MergeSummary& merged : store.merge(paths)) {
      named = std::max(named, merged.run_conflicts.size());
      for (const std::string& id : merged.run_conflicts) EXPECT_EQ(id, run_id(0));
    }
    EXPECT_EQ(named, 1u);
    EXPECT_EQ(store.run_count(), 2) << "a run in conflict is no run of the store";
    EXPECT_EQ(store.statuses(family_id()).count({0, 0}), 0u);
    ASSERT_EQ(store.conflicts().size(), 1u);
    EXPECT_EQ(store.conflicts()[0].id, run_id(0));
    EXPECT_EQ(store.conflicts()[0].sides.size(), 3u);
    EXPECT_EQ(store.conflicts(family_id()).size(), 1u);
    EXPECT_TRUE(check_store(folder / out).problems.empty());
    EXPECT_EQ(check_store(folder / out).conflicts, 1);
    results.push_back(all_of(folder / out));
  } while (std::next_permutation(order.begin(), order.end()));
  ASSERT_EQ(results.size(), 6u);
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
}

// What a version of a protocol does not hold: its name, comments, published values, and how large
// cells may get that end when they are decided.
TEST(StoreMerge, NoOrderDecidesWhatAVersionDoesNotHold) {
  TempFolder folder;
  const Plan plan = made::plan_of({.datasets = {}, .models = {"fixed"}, .tables = {}});
  const PlannedCell& cell = plan.cells.front();
  // By name: text behind the protocol's, published values, splits of the looks.
  const std::vector<std::tuple<std::string, std::string, std::string, int>> stores = {
      {"carl", "# z\n", "", 20}, {"ann", "# y\n", "b", 10}, {"bob", "# x\n", "c", 30}};
  std::vector<std::filesystem::path> order;
  for (const auto& [name, comment, published, splits] : stores) {
    Plan one = plan;
    one.protocol = name;
    one.text += comment;
    one.published_text = published;
    order.push_back(folder / name);
    Store store(order.back());
    store.register_plan(one);
    store.plan_looks(plan.version, {cell.table, cell.dataset, cell.model}, {splits, 1});
  }
  std::ranges::sort(order);
  std::set<std::string> signed_texts;
  int orders = 0;
  do {
    Store store(folder / fmt::format("out{}", orders++));
    std::size_t renamed = 0, other = 0;
    for (const MergeSummary& merged : store.merge(order)) {
      renamed += merged.renamed.size();
      other += merged.published.size();
    }
    EXPECT_EQ(renamed, 2u);
    EXPECT_EQ(other, 2u);
    const std::vector<StoredProtocol> kept = store.protocols();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].name, "ann");
    EXPECT_EQ(kept[0].text, plan.text + "# y\n");
    EXPECT_EQ(kept[0].published_text, "b") << "before c, and before none";
    const auto looks = store.looks(plan.version, {cell.table, cell.dataset, cell.model});
    ASSERT_TRUE(looks);
    EXPECT_EQ(looks->splits, 30);
    EXPECT_TRUE(store.faults().empty());
    signed_texts.insert(results_text(store));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 6);
  EXPECT_EQ(signed_texts.size(), 1u);
}

TEST(StoreMerge, EachSideOfAConflictKeepsWhoSaysSo) {
  TempFolder folder;
  std::vector<std::filesystem::path> paths;
  for (const char* name : {"a", "b", "c", "d"}) paths.push_back(folder / name);
  for (std::size_t i = 0; i < 4; ++i)
    Store(paths[i]).put(family(), 0, 0, sample_run(i == 2 ? 0.5 : 0.25));
  const auto said = [](const Store& store, double score) {
    const StoredConflict conflict = store.conflicts().at(0);
    for (const ConflictSide& side : conflict.sides)
      if (side.record.test_score == score) return side.stores;
    return std::vector<std::string>{"nobody"};
  };
  const std::vector<std::string> agreeing = {paths[0].string(), paths[1].string(),
                                             paths[3].string()};
  { (void)Store(folder / "all").merge(paths); }
  const Store all(folder / "all", Store::Mode::kOpen);
  EXPECT_EQ(said(all, 0.25), agreeing);
  EXPECT_EQ(said(all, 0.5), std::vector{paths[2].string()});
  // Handed on as they are; a side without a name is the store's own.
  Store other(folder / "other");
  other.put(family(), 0, 0, sample_run(0.75));
  (void)other.merge(folder / "all");
  EXPECT_EQ(said(other, 0.25), agreeing);
  EXPECT_TRUE(said(other, 0.75).empty());
  Store last(folder / "last");
  (void)last.merge(folder / "other");
  EXPECT_EQ(said(last, 0.75), std::vector{(folder / "other").string()});
  EXPECT_EQ(said(last, 0.5), std::vector{paths[2].string()});
}

TEST(StoreMerge, ConflictsAreHandedOnAndNotForgotten) {
  TempFolder folder;
  { Store(folder / "a").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "b").put(family(), 0, 0, sample_run(0.5)); }
  { Store(folder / "ab").merge(folder / "a"); }
  { EXPECT_EQ(Store(folder / "ab").merge(folder / "b").run_conflicts.size(), 1u); }
  // Again, and from a store that has the conflict, and onto one that has a side.
  { EXPECT_EQ(Store(folder / "ab").merge(folder / "a").run_conflicts.size(), 1u); }
  for (const char* target : {"fresh", "a"}) {
    Store store(folder / target);
    EXPECT_EQ(store.merge(folder / "ab").run_conflicts, std::vector{run_id(0)});
    EXPECT_EQ(store.run_count(), 0);
    EXPECT_EQ(store.conflicts().at(0).sides.size(), 2u);
  }
}

TEST(StoreMerge, DoingTheRunAgainSettlesIt) {
  TempFolder folder;
  { Store(folder / "a").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "b").put(family(), 0, 0, sample_run(0.5)); }
  Store store(folder / "a");
  (void)store.merge(folder / "b");
  EXPECT_NE(error_of([&] { store.put(family(), 0, 0, sample_run(0.75)); }).find("neither"),
            std::string::npos);
  store.put(family(), 0, 0, sample_run(0, RunStatus::kTimeout));
  EXPECT_EQ(store.conflicts().size(), 1u) << "a run that did not end settles nothing";
  store.put(family(), 0, 0, sample_run(0.5));
  EXPECT_TRUE(store.conflicts().empty());
  EXPECT_EQ(store.runs(family_id()).at(0).record.test_score, 0.5);
  EXPECT_TRUE(check_store(folder / "a").problems.empty());
}

TEST(StoreMerge, WhatWasMeasuredIsNoOutcome) {
  TempFolder folder;
  RunRecord slow = sample_run(0.25);
  slow.seconds = 99;
  slow.memory_bytes = 7;
  slow.isolation = "none";
  // Scores that only one of them was asked for.
  slow.other_scores = {{"roc-auc", 0.5}};
  slow.strata = {{"zzz", 0.5, 0.5, 1, 1}};
  { Store(folder / "a").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "b").put(family(), 0, 0, slow); }
  Store store(folder / "a");
  EXPECT_TRUE(store.merge(folder / "b").run_conflicts.empty());
  const RunRecord kept = store.runs(family_id()).at(0).record;
  EXPECT_EQ(kept.other_scores.size(), 3u);
  EXPECT_EQ(kept.strata.size(), 2u);
  EXPECT_TRUE(kept.sealed);
}

TEST(StoreMerge, ScoresOfAGroupMayContradictEachOtherToo) {
  TempFolder folder;
  RunRecord other = sample_run(0.25);
  other.strata[0].inside = 0.3;
  { Store(folder / "a").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "b").put(family(), 0, 0, other); }
  Store store(folder / "a");
  EXPECT_EQ(store.merge(folder / "b").run_conflicts.size(), 1u);
  EXPECT_EQ(store.conflicts().at(0).sides.size(), 2u);
}

TEST(StoreMerge, ALossWithoutEndKeepsItsSide) {
  TempFolder folder;
  RunRecord diverged = sample_run(0.5, RunStatus::kDiverged);
  diverged.valid_loss = INFINITY;
  { Store(folder / "a").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "b").put(family(), 0, 0, diverged); }
  Store store(folder / "a");
  (void)store.merge(folder / "b");
  EXPECT_EQ(store.conflicts().at(0).sides.size(), 2u);
  store.put(family(), 0, 0, diverged);
  EXPECT_EQ(store.runs(family_id()).at(0).record.valid_loss, INFINITY);
}

TEST(StoreMerge, AnEditedStoreIsNotTakenIn) {
  TempFolder folder;
  {
    Store a(folder / "a");
    a.put(family(), 0, 0, sample_run(0.25));
    a.put(family(), 1, 0, sample_run(0.25));
  }
  raw_sql(folder / "a", "UPDATE runs SET test_score = 0.9 WHERE split = 1");
  Store store(folder / "out");
  EXPECT_THROW((void)store.merge(folder / "a"), DamagedFile);
  EXPECT_EQ(store.run_count(), 0) << "all or nothing";
}

TEST(StoreMerge, ASealOnEitherSideSeals) {
  TempFolder folder;
  { Store(folder / "a").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "b").put(family(), 0, 0, sample_run(0.25)); }
  made::to_schema_3(folder / "a");
  for (const auto& [to, from] : {std::pair("a2", "b2"), std::pair("b2", "a2")}) {
    std::filesystem::copy_file(folder / "a", folder / "a2",
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(folder / "b", folder / "b2",
                               std::filesystem::copy_options::overwrite_existing);
    Store store(folder / to);
    (void)store.merge(folder / from);
    EXPECT_EQ(store.unsealed_count(), 0) << to;
    EXPECT_TRUE(store.runs(family_id()).at(0).record.sealed);
  }
}

TEST(StoreMerge, WhatHasNoSealIsNotSealedByOneThatAgrees) {
  TempFolder folder;
  RunRecord more = sample_run(0.25);
  more.seconds = 1e6;
  more.message = "edited";
  { Store(folder / "sealed").put(family(), 0, 0, sample_run(0.25)); }
  { Store(folder / "same").put(family(), 0, 0, more); }
  more.other_scores.emplace_back("roc-auc", 0.5);
  { Store(folder / "more").put(family(), 0, 0, more); }
  for (const char* name : {"same", "more"}) made::to_schema_3(folder / name);
  for (const char* first : {"same", "more", "sealed"}) {
    for (const char* second : {"same", "more", "sealed"}) {
      if (std::string_view(first) != "sealed" && std::string_view(second) != "sealed") continue;
      std::filesystem::remove(folder / "out");
      Store store(folder / "out");
      (void)store.merge(std::vector{folder / first, folder / second});
      const RunRecord kept = store.runs(family_id()).at(0).record;
      EXPECT_EQ(kept.seconds, 0.5) << first << ", " << second;
      EXPECT_EQ(kept.message, "");
      const bool added = std::string_view(first) == "more" || std::string_view(second) == "more";
      EXPECT_EQ(kept.sealed, !added) << first << ", " << second;
      EXPECT_EQ(kept.other_scores.size(), added ? 3u : 2u);
    }
  }
}

// Nothing is taken of a cell that is not.
TEST(StoreMerge, LooksOfCellsThatAreNotTakenAreNotEither) {
  TempFolder folder;
  const Plan plan = made::plan_of();
  PlanSources changed = made::fake_sources();
  changed.load = [](const std::string& name) { return made::ring(name, 199); };
  const CellName cell = {"1", "one", "gcn"};
  Store(folder / "none").register_plan(plan);
  const auto write = [&](const char* name, const Plan& asked) {
    Store store(folder / name);
    store.register_plan(asked);
    store.plan_looks(asked.version, cell, {4, 3});
  };
  write("same data", plan);
  write("other data", make_plan(made::small(), {}, changed));
  Store taken(folder / "taken"), not_taken(folder / "not taken");
  EXPECT_TRUE(taken.merge({folder / "none", folder / "same data"})[1].cells.empty());
  EXPECT_EQ(taken.looks(plan.version, cell), (Looks{4, 3}));
  EXPECT_FALSE(not_taken.merge({folder / "none", folder / "other data"})[1].cells.empty());
  EXPECT_EQ(not_taken.looks(plan.version, cell), std::nullopt);
  EXPECT_EQ(not_taken.faults(), std::vector<std::string>());
}

}  // namespace
}  // namespace cupel
