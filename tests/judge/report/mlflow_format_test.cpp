// MLflow's file store: files and what is in them. What MLflow itself reads is in
// tests/python/test_exchange.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cupel/judge/report/build.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

using made::hostile_results;
using made::small_results;
using made::with_identities;

using Files = std::map<std::string, std::string>;

Files files_of(const Results& results) {
  Files out;
  find_format("mlflow").files(make_report(results), results,
                              [&](const std::string& path, std::string_view content) {
                                EXPECT_TRUE(out.emplace(path, content).second) << path;
                              });
  return out;
}

// The folders of runs, "EXPERIMENT/RUN".
std::set<std::string> runs_of(const Files& files) {
  std::set<std::string> out;
  for (const auto& [path, content] : files)
    if (path.ends_with("/meta.yaml") && std::count(path.begin(), path.end(), '/') == 2)
      out.insert(path.substr(0, path.rfind('/')));
  return out;
}

std::string line_of(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key + ": ");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(MlflowFormat, RunsInConflictAreCounted) {
  Results results = small_results();
  results.tables[0].cells[0].conflicts.resize(2);
  int told = 0;
  for (const auto& [path, content] : files_of(results))
    if (path.ends_with("/tags/cupel.runs_in_conflict")) told += content == "2";
  EXPECT_EQ(told, 1);
}

TEST(MlflowFormat, HoldsEveryRunWithItsScore) {
  const Results results = with_identities(small_results());
  const Files files = files_of(results);
  std::multiset<std::string> wanted, found;
  int runs = 0, failed = 0;
  for (const CellResults& cell : results.tables[0].cells) {
    for (const PlacedRun& run : cell.runs) {
      ++runs;
      const bool bad = run.record.status == RunStatus::kFailed;
      failed += bad;
      if (!bad)
        wanted.insert(fmt::format("{}/{}/{}/0 {} 0\n", cell.dataset, cell.model, run.split,
                                  *run.record.test_score));
    }
  }
  const std::set<std::string> folders = runs_of(files);
  EXPECT_EQ(static_cast<int>(folders.size()), runs);
  int tagged = 0;
  for (const std::string& folder : folders) {
    const auto at = [&](const std::string& name) { return files.at(folder + "/" + name); };
    const bool bad = line_of(at("meta.yaml"), "status") == "status: 4";
    EXPECT_EQ(at("tags/cupel.status") == "failed", bad);
    EXPECT_EQ(files.contains(folder + "/metrics/test_accuracy"), !bad);
    EXPECT_EQ(files.contains(folder + "/tags/cupel.message"), bad);
    EXPECT_EQ(at("params/family.model.settings.lr"), "0.01");
    tagged += bad;
    if (!bad)
      found.insert(fmt::format("{}/{}/{}/{}", at("params/dataset"), at("params/model"),
                               at("params/split"), at("metrics/test_accuracy")));
  }
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(tagged, failed);
  EXPECT_EQ(failed, 3);
}

TEST(MlflowFormat, ARunOfSeveralGroupsIsOneWithSeveralMetrics) {
  Results results = small_results();
  CellResults hubs = results.tables[0].cells[0];
  hubs.measure = {"accuracy", "hubs / é"};
  for (PlacedRun& run : hubs.runs) run.record.test_score = 0.25;
  results.tables[0].cells.push_back(hubs);
  const Files files = files_of(results);
  EXPECT_EQ(runs_of(files), runs_of(files_of(small_results())));
  int both = 0;
  for (const std::string& folder : runs_of(files))
    both += files.contains(folder + "/metrics/test_accuracy") &&
            files.contains(folder + "/metrics/test_accuracy_on_hubs_____");
  EXPECT_EQ(both, 12);
}

// Paths are of a fixed form whatever names there are, and contents are one line of them.
TEST(MlflowFormat, NoKeyTakesThePlaceOfAnother) {
  Results results = with_identities(small_results());
  for (CellResults& cell : results.tables[0].cells)
    for (PlacedRun& run : cell.runs) {
      nlohmann::json identity = nlohmann::json::parse(run.record.identity);
      identity["family"]["model"]["settings"] = {{"a b", 1}, {"a/b", 2}, {"a_b", 3}};
      run.record.identity = identity.dump();
      run.record.other_scores = {{"hits@1", 0.25}, {"hits/1", 0.5}};
    }
  const Files files = files_of(results);
  for (const std::string& folder : runs_of(files)) {
    std::set<std::string> settings, scores;
    for (const auto& [path, content] : files) {
      if (path.starts_with(folder + "/params/family.model.settings.a_b")) settings.insert(content);
      if (path.starts_with(folder + "/metrics/test_hits_1")) scores.insert(content);
    }
    EXPECT_EQ(settings, (std::set<std::string>{"1", "2", "3"}));
    EXPECT_EQ(scores, (std::set<std::string>{"0 0.25 0\n", "0 0.5 0\n"}));
  }
}

TEST(MlflowFormat, NoNameLeadsElsewhere) {
  Results results = with_identities(hostile_results());
  results.protocol = "../../etc: {x: 1}\n- &a !!python/object:os.system";
  for (TableResults& table : results.tables)
    for (CellResults& cell : table.cells) cell.measure.metric = "accuracy";
  results.tables[0].cells[0].measure.group = "../../../tmp/x";
  for (const auto& [path, content] : files_of(results)) {
    for (const auto& part : std::filesystem::path(path)) EXPECT_NE(part, "..") << path;
    EXPECT_LE(std::count(path.begin(), path.end(), '/'), 3) << path;
    for (const char c : path)
      EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) ||
                  std::string("_-./").find(c) != std::string::npos)
          << path;
    if (path.ends_with("meta.yaml") || path.ends_with(".json")) continue;
    EXPECT_LE(std::count(content.begin(), content.end(), '\n'), 1) << path;
  }
}

TEST(MlflowFormat, TheSameRunsHaveTheSameNamesOfTheirOwn) {
  const Results results = small_results();
  EXPECT_EQ(files_of(results), files_of(results));
  Results other = results;
  other.protocol = "other";
  std::set<std::string> all = runs_of(files_of(results)), others = runs_of(files_of(other));
  const std::size_t sum = all.size() + others.size();
  all.merge(others);
  EXPECT_EQ(all.size(), sum);
}

}  // namespace
}  // namespace cupel
