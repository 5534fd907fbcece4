// Results for the Hub's leaderboards. What huggingface_hub reads is in
// tests/python/test_exchange.py.
#include <gtest/gtest.h>

#include <map>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/plain_key.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

using made::hostile_results;
using made::small_results;

std::map<std::string, std::string> files_of(const Results& results) {
  std::map<std::string, std::string> out;
  find_format("hf-evals")
      .files(make_report(results), results, [&](const std::string& path, std::string_view text) {
        EXPECT_TRUE(out.emplace(path, text).second) << path << " is written twice";
      });
  return out;
}

TEST(HfEvalsFormat, AFileForEachRow) {
  const auto files = files_of(small_results());
  ASSERT_EQ(files.size(), 3u);
  const std::string& gcn = files.at("gcn.yaml");
  EXPECT_NE(
      gcn.find("- dataset:\n    id: \"cora\"\n    task_id: \"tiny.1.accuracy\"\n  value: 81.5\n"),
      std::string::npos)
      << gcn;
  EXPECT_NE(gcn.find("Test accuracy in percent, mean of 12 runs of 12 planned"), std::string::npos);
}

TEST(HfEvalsFormat, WhatHasNoScoreIsTold) {
  Results results = small_results();
  for (CellResults& cell : results.tables[0].cells) {
    for (PlacedRun& run : cell.runs) {
      run.record.status = RunStatus::kFailed;
      run.record.test_score.reset();
    }
  }
  for (const auto& [path, text] : files_of(results)) {
    EXPECT_NE(text.find("no run has a score"), std::string::npos) << path;
    EXPECT_TRUE(text.ends_with("[]\n")) << text;
  }
}

TEST(HfEvalsFormat, NamesStayInTheirPlaces) {
  for (const auto& [path, text] : files_of(hostile_results())) {
    EXPECT_EQ(
        path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."),
        std::string::npos)
        << path;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
  EXPECT_EQ(report::file_stem("gcn"), "gcn");
  const std::vector<std::string> alike = {
      "a b", "a_b", "A_b", "a/b", "..", "", ".", std::string(300, 'a'), std::string(301, 'a')};
  std::map<std::string, std::string> stems;
  for (const std::string& name : alike) {
    const std::string stem = report::file_stem(name);
    EXPECT_TRUE(stems.emplace(stem, name).second) << name;
    EXPECT_FALSE(stem.starts_with('.')) << stem;
    EXPECT_LE(stem.size(), 200u);
  }
}

}  // namespace
}  // namespace cupel
