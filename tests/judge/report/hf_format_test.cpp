// Metadata of a model card. What huggingface_hub reads of it is in tests/python/test_exchange.py.
#include <gtest/gtest.h>

#include "cupel/judge/report/yaml.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

using made::hostile_results;
using made::rendered;
using made::small_results;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++out;
  return out;
}

TEST(HfFormat, HasAResultForEveryCellWithAScore) {
  const std::string text = rendered("hf");
  EXPECT_TRUE(text.starts_with("model-index:\n")) << text;
  EXPECT_EQ(count(text, "- name: \""), 3u) << text;   // gcn, mlp, mine
  EXPECT_EQ(count(text, "  - task:\n"), 5u) << text;  // one of six cells has no run
  EXPECT_NE(text.find("      value: 81.5\n"), std::string::npos) << text;  // gcn on cora
  EXPECT_NE(text.find("runs: 9\n        runs_planned: 12\n        runs_failed: 3\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("name: \"Test accuracy in percent, mean of 12 runs\""), std::string::npos);
}

TEST(HfFormat, WhatHasNoScoreIsTold) {
  Results results = small_results();
  for (PlacedRun& run : results.tables[0].cells[0].runs) {
    run.record.status = RunStatus::kFailed;
    run.record.test_score.reset();
  }
  const std::string text = rendered("hf", results);
  EXPECT_TRUE(text.starts_with("# \"gcn\" on \"cora\": no run has a score; 12 failed\n")) << text;
  EXPECT_EQ(count(text, "  - task:\n"), 4u);
  EXPECT_EQ(rendered("hf", Results{}), "model-index: []\n");
}

// YAML 1.1 takes a number with an exponent and no point for a text.
TEST(HfFormat, NumbersAreNumbers) {
  EXPECT_EQ(report::yaml_number(1e-14), "1.0e-14");
  EXPECT_EQ(report::yaml_number(-2e+30), "-2.0e+30");
  EXPECT_EQ(report::yaml_number(1.5e-9), "1.5e-09");
  EXPECT_EQ(report::yaml_number(81.5), "81.5");
  EXPECT_EQ(report::yaml_number(85), "85");
  Results results = small_results();
  for (CellResults& cell : results.tables[0].cells)
    for (PlacedRun& run : cell.runs)
      if (run.record.test_score) run.record.test_score = 1e-16;
  for (const char* format : {"hf", "hf-evals"})
    EXPECT_NE(rendered(format, results).find("value: 1.0e-14\n"), std::string::npos) << format;
}

TEST(HfFormat, EveryNameIsInQuotes) {
  const std::string text = rendered("hf", hostile_results());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("a,\\\"b\\\"");
    if (at == std::string::npos) continue;
    EXPECT_EQ(line[at - 1], '"') << line;
    EXPECT_EQ(line.back(), '"') << line;
  }
}

}  // namespace
}  // namespace cupel
