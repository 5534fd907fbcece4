// What is said of a store: failures in one line, trials of a search, versions of a protocol.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// Seven lines of a Python that fails, and one that comes after.
constexpr const char* kTraceback = R"(#!/bin/sh
echo 'UserWarning: never mind' >&2
cat >&2 <<END
Traceback (most recent call last):
  File "/home/me/model.py", line 3, in <module>
    import numpy as np
ModuleNotFoundError: No module named 'numpy'
END
echo 'cleaning up' >&2
exit 3
)";

TEST(StoreCard, AFailureIsItsFirstLineAndTheOneThatMatters) {
  const Workplace place;
  place.write("fails.sh", kTraceback);
  place.write("plain.sh", "echo first; echo 'disk quota exceeded'; echo '-----'; exit 4\n");
  place.write("p.toml", std::string(kSmallProtocol) +
                            "[models.mine]\ncommand = [\"sh\", \"fails.sh\"]\n"
                            "[models.other]\ncommand = [\"sh\", \"plain.sh\"]\n");
  const Outcome run = place.run(
      {"run", "p.toml", "--models", "mine,other", "--splits", "1", "--inits", "1", "--no-report"});
  EXPECT_EQ(run.code, 1);
  const std::string card = place.run({"show", "p.sqlite"}).out;
  std::string joined;  // columns are wrapped
  for (const char c : card) {
    if (c != '\n' && (c != ' ' || joined.empty() || joined.back() != ' ')) joined += c;
    if (c == '\n' && !joined.empty() && joined.back() != ' ') joined += ' ';
  }
  for (const std::string& text : {run.err, joined}) {
    EXPECT_TRUE(contains(text, "exit code 3")) << text;
    EXPECT_TRUE(contains(text, "ModuleNotFoundError: No module named 'numpy'")) << text;
    EXPECT_TRUE(contains(text, "exit code 4")) << text;
    EXPECT_TRUE(contains(text, "disk quota exceeded")) << text;
    for (const char* noise : {"cleaning up", "import numpy as np", "never mind", "-----"})
      EXPECT_FALSE(contains(text, noise)) << text;
  }
}

constexpr const char* kTune = R"(
[tune]
budget = 20
splits = 2
[tune.grid.mlp]
lr = [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.02, 0.03]
)";

TEST(StoreCard, TrialsOfASearchAreATable) {
  const Workplace place;
  place.write("p.toml", std::string(kSmallProtocol) + kTune);
  const Outcome tuned = place.run({"tune", "p.toml", "--store", "t.sqlite"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_TRUE(contains(tuned.out, "Trials of mlp")) << tuned.out;
  EXPECT_TRUE(contains(tuned.out, "and 2 more (--json lists all)")) << tuned.out;
  const json found =
      json::parse(place.run({"tune", "p.toml", "--store", "t.sqlite", "--json"}).out);
  const json card = json::parse(place.run({"show", "t.sqlite", "--json"}).out);
  ASSERT_EQ(card["trials"].size(), 12u);
  // The store's own mean is that of the search, trial by trial.
  for (const json& trial : found["models"][0]["trials"]) {
    bool there = false;
    for (const json& kept : card["trials"]) {
      if (kept["settings"]["lr"] != trial["settings"]["lr"]) continue;
      there = true;
      EXPECT_NEAR(kept["valid_score"].get<double>(), trial["score"].get<double>(), 1e-12);
      EXPECT_EQ(kept["runs"], trial["runs"]);
    }
    EXPECT_TRUE(there) << trial;
  }
  for (std::size_t i = 1; i < 12; ++i)
    EXPECT_GE(card["trials"][i - 1]["valid_score"], card["trials"][i]["valid_score"]);
  const std::string text = place.run({"show", "t.sqlite"}).out;
  EXPECT_TRUE(contains(text, "Trials of searches")) << text;
  EXPECT_TRUE(contains(text, "lr=0.0")) << text;
  EXPECT_FALSE(contains(text, "hidden=")) << "settings that are the same everywhere: " << text;
  EXPECT_TRUE(contains(text, "and 2 more")) << text;
  // There is no table to report, and the way to what there is.
  const Outcome report = place.run({"report", "t.sqlite"});
  EXPECT_EQ(report.code, 2);
  EXPECT_TRUE(contains(report.err, "24 runs of 12 trials of a search")) << report.err;
  EXPECT_TRUE(contains(report.err, "`cupel show t.sqlite`")) << report.err;
}

// Runs that two versions share stand under each of them as far as it asked for them.
TEST(StoreCard, ACellHasTheRunsThatItsVersionAskedFor) {
  const Workplace place;
  std::string text = kSmallProtocol;
  for (const char* count : {"count = 3", "count = 2"}) {
    text = kSmallProtocol;
    text.replace(text.find("count = 2"), 9, count);
    place.write("p.toml", text);
    ASSERT_EQ(place.run({"run", "p.toml", "--models", "majority", "--no-report"}).code, 0);
  }
  const Outcome shown = place.run({"show", "p.sqlite", "--json"});
  const json protocols = json::parse(shown.out)["protocols"];
  ASSERT_EQ(protocols.size(), 2u) << shown.out;
  EXPECT_EQ(protocols[0]["cells"][0]["runs"].size(), 2u) << shown.out;
  EXPECT_EQ(protocols[1]["cells"][0]["runs"].size(), 3u) << shown.out;
}

TEST(StoreCard, AnEditedProtocolIsToldOfItsOlderResults) {
  const Workplace place;
  place.write("small.toml", kSmallProtocol);
  const std::string before = place.run({"run", "small.toml", "--models", "majority"}).out;
  place.write("small.toml", std::string(kSmallProtocol) + "[models.sgc]\n");
  const Outcome refused = place.run({"report", "small.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "as it was")) << refused.err;
  // The command that it names works.
  const std::size_t begin = refused.err.find("small@"), end = refused.err.find('`', begin);
  const std::string version = refused.err.substr(begin, end - begin);
  const Outcome report = place.run({"report", "small.sqlite", "--protocol", version});
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_EQ(report.out, before);
}

}  // namespace
}  // namespace cupel::test
