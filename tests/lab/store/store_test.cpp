#include "cupel/lab/store/store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "cupel/lab/record/identity.h"
#include "error_of.h"
#include "lab/fake.h"
#include "lab/store/store_samples.h"

namespace cupel {
namespace {

using made::family_of;
using made::TempFolder;

RunRecord record(double score, RunStatus status = RunStatus::kOk) {
  RunRecord out;
  out.status = status;
  out.metric = "accuracy";
  if (status == RunStatus::kOk) out.test_score = score;
  if (status == RunStatus::kOk) out.other_scores = {{"balanced-accuracy", score / 2}};
  out.valid_score = 0.1 + score;
  out.valid_loss = 1.0 / 3;
  out.epochs = 7;
  out.best_epoch = 5;
  out.seconds = 0.5;
  out.memory_bytes = std::int64_t{1} << 40;
  out.message = status == RunStatus::kOk ? "" : "it broke: 'quotes', \"quotes\"\nand lines";
  return out;
}

TEST(Store, GivesBackWhatItWasGiven) {
  TempFolder folder;
  const std::string family = family_of("gcn");
  {
    Store store(folder / "s.sqlite");
    store.put(family, 3, 1, record(0.8123456789012345));
    store.put(family, 2, 9, record(0, RunStatus::kFailed));
  }
  const Store store(folder / "s.sqlite", Store::Mode::kOpen);
  const auto runs = store.runs(identity_hash(family));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].split, 2);
  EXPECT_EQ(runs[0].record.status, RunStatus::kFailed);
  EXPECT_EQ(runs[0].record.test_score, std::nullopt);
  EXPECT_EQ(runs[0].record.message, record(0, RunStatus::kFailed).message);
  EXPECT_EQ(runs[1].init, 1);
  EXPECT_EQ(runs[1].record.test_score, 0.8123456789012345);
  EXPECT_TRUE(runs[0].record.other_scores.empty());
  EXPECT_EQ(runs[1].record.other_scores, record(0.8123456789012345).other_scores);
  EXPECT_EQ(store.find(runs[1].record.id)->other_scores, runs[1].record.other_scores);
  EXPECT_EQ(runs[1].record.valid_loss, 1.0 / 3);
  EXPECT_EQ(runs[1].record.memory_bytes, std::int64_t{1} << 40);
  EXPECT_EQ(runs[1].record.identity, run_identity(family, 3, 1));
  EXPECT_EQ(runs[1].record.id, identity_hash(run_identity(family, 3, 1)));
  EXPECT_EQ(store.find(runs[1].record.id)->test_score, 0.8123456789012345);
  EXPECT_EQ(store.find(runs[1].record.id.substr(0, 8))->id, runs[1].record.id);
  EXPECT_FALSE(store.find("0123"));
  EXPECT_EQ(store.cost(identity_hash(family)).runs, 1);
}

TEST(Store, AFinishedRunIsNeverOverwrittenAndAFailedOneIs) {
  TempFolder folder;
  Store store(folder / "s.sqlite");
  const std::string family = family_of("f"), id = identity_hash(family);
  store.put(family, 0, 0, record(0, RunStatus::kTimeout));
  store.put(family, 0, 0, record(0.5));
  EXPECT_EQ(store.runs(id)[0].record.test_score, 0.5);
  store.put(family, 0, 0, record(0, RunStatus::kFailed));
  store.put(family, 0, 0, record(0.5));
  EXPECT_NE(error_of([&] { store.put(family, 0, 0, record(0.7)); }).find("was done again"),
            std::string::npos);
  ASSERT_EQ(store.runs(id).size(), 1u);
  EXPECT_EQ(store.runs(id)[0].record.test_score, 0.5);
}

// As earlier versions kept what a machine's limits did not let begin.
RunRecord refusal(const std::string& message) {
  RunRecord out = record(0, RunStatus::kFailed);
  out.message = message;
  return out;
}

TEST(Store, WhatCouldNotStartIsReadAsAbsent) {
  TempFolder folder;
  Store store(folder / "s.sqlite");
  const std::string family = family_of("gcn"), id = identity_hash(family);
  store.put(family, 0, 0,
            refusal("needs about 14 MB and the limit is 10 MB; raise it with --memory"));
  store.put(family, 0, 1, refusal("'python9' cannot be started in /home: No such file"));
  store.put(family, 0, 2, refusal("the program said: needs about 14 MB and the limit is 10 MB"));
  store.put(family, 0, 3, record(0.5));
  EXPECT_EQ(store.run_count(), 2);
  EXPECT_EQ(store.statuses(id).size(), 2u);
  EXPECT_EQ(store.runs(id).size(), 2u);
  EXPECT_FALSE(store.find(identity_hash(run_identity(family, 0, 0))));
  EXPECT_TRUE(store.find(identity_hash(run_identity(family, 0, 2))));
  // A real outcome takes the place; a merge does not bring them back, nor let them stand in the
  // way.
  store.put(family, 0, 0, record(0.25));
  EXPECT_EQ(store.runs(id)[0].record.test_score, 0.25);
  Store other(folder / "t.sqlite");
  other.put(family, 0, 3, refusal("needs about 14 MB and the limit is 10 MB; or so"));
  other.put(family, 0, 1, record(0, RunStatus::kFailed));
  EXPECT_EQ(other.merge(folder / "s.sqlite").added, 3);
  EXPECT_EQ(other.runs(id).size(), 4u);
  EXPECT_EQ(other.find(identity_hash(run_identity(family, 0, 3)))->test_score, 0.5);
  EXPECT_EQ(store.merge(folder / "t.sqlite").added, 1);
  EXPECT_EQ(store.find(identity_hash(run_identity(family, 0, 1)))->message,
            record(0, RunStatus::kFailed).message);
}

TEST(Store, SaysWhyItCannotBeMade) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TempFolder folder;
  std::filesystem::permissions(
      folder / "", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const std::string error = error_of([&] { const Store store(folder / "x.sqlite"); });
  std::filesystem::permissions(folder / "", std::filesystem::perms::owner_all);
  EXPECT_NE(error.find("Permission denied"), std::string::npos) << error;
}

TEST(Store, RefusesWhatIsNotAStore) {
  TempFolder folder;
  const auto path = folder / "x.sqlite";
  EXPECT_NE(error_of([&] { Store s(path, Store::Mode::kOpen); }).find("no such store"),
            std::string::npos);
  std::ofstream(path) << "this is no database, but it is long enough to look at twice. " << 12345;
  EXPECT_NE(error_of([&] { Store s(path); }).find("is not a store"), std::string::npos);
  std::filesystem::remove(path);
  sqlite3* db = nullptr;
  sqlite3_open(path.c_str(), &db);
  sqlite3_exec(db, "CREATE TABLE people(name)", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  EXPECT_NE(error_of([&] { Store s(path); }).find("database of another program"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { Store s(path); }).find("--store"), std::string::npos)
      << "not every command has that";
  EXPECT_NE(error_of([&] { Store s(folder / "no" / "such" / "x"); }).find("does its folder exist"),
            std::string::npos);
  EXPECT_NE(error_of([&] { Store s(folder / ""); }).find("is a folder"), std::string::npos);
}

TEST(Store, RefusesAnotherSchema) {
  TempFolder folder;
  { Store store(folder / "s.sqlite"); }
  sqlite3* db = nullptr;
  sqlite3_open((folder / "s.sqlite").c_str(), &db);
  sqlite3_exec(db, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  EXPECT_NE(error_of([&] { Store s(folder / "s.sqlite"); }).find("has schema 99"),
            std::string::npos);
}

TEST(Store, DamageIsAnErrorNotAResult) {
  TempFolder folder;
  const auto path = folder / "s.sqlite";
  {
    Store store(path);
    for (int i = 0; i < 300; ++i) store.put(family_of("f"), i, 0, record(0.5));
  }
  const auto size = std::filesystem::file_size(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  for (std::uintmax_t at = 4096; at + 512 < size; at += 4096) {
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(512, 'x');
  }
  file.close();
  EXPECT_NE(error_of([&] {
              Store store(path);
              (void)store.runs(identity_hash(family_of("f")));
              store.check_integrity();
            }).find("the store is damaged"),
            std::string::npos);
}

TEST(Store, ManyWritersOnOneFile) {
  TempFolder folder;
  { Store store(folder / "s.sqlite"); }
  std::vector<std::jthread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([&, w] {
      Store store(folder / "s.sqlite");  // as another process would
      for (int i = 0; i < 50; ++i) store.put(family_of("f"), i, w % 2, record(0.5));
    });
  }
  writers.clear();
  const Store store(folder / "s.sqlite");
  EXPECT_EQ(store.run_count(), 100);
  store.check_integrity();
}

TEST(Store, MergePrefersWhatSucceeded) {
  TempFolder folder;
  {
    Store a(folder / "a.sqlite"), b(folder / "b.sqlite");
    a.put(family_of("f"), 0, 0, record(0.1));
    a.put(family_of("f"), 1, 0, record(0, RunStatus::kFailed));
    a.put(family_of("f"), 2, 0, record(0.2));
    b.put(family_of("f"), 1, 0, record(0.3));
    b.put(family_of("f"), 2, 0, record(0, RunStatus::kTimeout));
    b.put(family_of("g"), 0, 0, record(0.4));
    const MergeSummary merged = a.merge(folder / "b.sqlite");
    EXPECT_EQ(merged.added, 1);
    EXPECT_EQ(merged.replaced, 1);
    const MergeSummary again = a.merge(folder / "b.sqlite");
    EXPECT_EQ(again.added, 0);
    EXPECT_EQ(again.replaced, 0);
    const auto runs = a.runs(identity_hash(family_of("f")));
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_EQ(runs[1].record.test_score, 0.3);
    EXPECT_EQ(runs[2].record.test_score, 0.2);
    EXPECT_EQ(a.runs(identity_hash(family_of("g"))).size(), 1u);
    EXPECT_NE(error_of([&] { (void)a.merge(folder / "a.sqlite"); }).find("into itself"),
              std::string::npos);
    EXPECT_NE(error_of([&] { (void)a.merge(folder / "c.sqlite"); }).find("no such store"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace cupel
