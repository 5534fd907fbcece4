// Stores and runs against each other.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

using nlohmann::json;

class DiffTest : public RunTest {
 protected:
  DiffTest() { EXPECT_EQ(run_small("a.sqlite").code, 0); }
  Outcome run_small(const std::string& store, const std::string& from = "",
                    const std::string& to = "") const {
    std::string text = kSmallProtocol;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    place_.write("small.toml", text);
    return place_.run({"run", "small.toml", "--no-report", "--store", store});
  }
  // The id of the run of a row at a place.
  std::string id_of(const std::string& store, const std::string& model) const {
    const Store opened(place_.path(store), Store::Mode::kOpen);
    for (const StoredCell& cell : opened.cells(opened.protocols().front().version))
      if (cell.model == model) return opened.runs(cell.family).front().record.id;
    return "";
  }
};

TEST_F(DiffTest, AStoreMadeTwiceIsEqual) {
  ASSERT_EQ(run_small("b.sqlite").code, 0);
  const auto before = place_.files();
  const Outcome outcome = place_.run({"diff", "a.sqlite", "b.sqlite"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "10 runs, to the bit")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "Only in")) << outcome.out;
  EXPECT_EQ(place_.files(), before);
}

TEST_F(DiffTest, WhatPartsTwoRowsIsNamed) {
  ASSERT_EQ(run_small("b.sqlite", "hidden = 8", "hidden = 4").code, 0);
  const Outcome text = place_.run({"diff", "a.sqlite", "b.sqlite"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"Only in a.sqlite: 6 runs", "Only in b.sqlite: 6 runs",
                           "family.model.settings.hidden: 8 and 4",
                           "family.model.settings.hidden: 4 and 8", "mlp on csbm"})
    EXPECT_TRUE(contains(text.out, part)) << part << "\n" << text.out;
  const json diff = json::parse(place_.run({"diff", "a.sqlite", "b.sqlite", "--json"}).out);
  EXPECT_EQ(diff["equal"], 4);
  EXPECT_EQ(diff["holds"], true);
  ASSERT_EQ(diff["only_a"].size(), 1u);
  EXPECT_EQ(diff["only_a"][0]["fields"],
            json::array({{{"field", "family.model.settings.hidden"}, {"a", 8}, {"b", 4}}}));
  EXPECT_EQ(diff["only_a"][0]["runs"].size(), 6u);
  // The same of two runs of one store.
  ASSERT_EQ(place_.run({"merge", "both.sqlite", "a.sqlite", "b.sqlite"}).code, 0);
  const std::string id = diff["only_a"][0]["runs"][0]["id"];
  const std::string nearest = diff["only_a"][0]["runs"][0]["nearest"];
  const Outcome runs =
      place_.run({"diff", id.substr(0, 8), nearest, "--store", "both.sqlite", "--json"});
  ASSERT_EQ(runs.code, 0) << runs.err;
  EXPECT_EQ(json::parse(runs.out)["identity"], diff["only_a"][0]["fields"]);
  EXPECT_TRUE(contains(place_.run({"diff", id, nearest, "--store", "both.sqlite"}).out,
                       "family.model.settings.hidden: 8 and 4"));
}

TEST_F(DiffTest, OtherBitsEndWithThree) {
  std::filesystem::copy_file(place_.path("a.sqlite"), place_.path("b.sqlite"));
  const std::string id = id_of("a.sqlite", "majority");
  {
    Store store(place_.path("b.sqlite"));
    RunRecord record = store.run(id);
    const std::string family = json::parse(record.identity)["family"].dump();
    record.test_score = *record.test_score / 2;
    Store other(place_.path("c.sqlite"));
    other.put(family, json::parse(record.identity)["split"], 0, record);
  }
  const Outcome text = place_.run({"diff", "a.sqlite", "c.sqlite"});
  EXPECT_EQ(text.code, 3) << text.out << text.err;
  EXPECT_TRUE(contains(text.out, "run " + id + " (majority on")) << text.out;
  EXPECT_TRUE(contains(text.out, "test_score: ")) << text.out;
  const Outcome merged = place_.run({"merge", "m.sqlite", "a.sqlite", "c.sqlite"});
  EXPECT_EQ(merged.code, 3);
  const Outcome conflict = place_.run({"diff", "m.sqlite", "a.sqlite", "--json"});
  EXPECT_EQ(conflict.code, 3);
  EXPECT_EQ(json::parse(conflict.out)["in_conflict"], json::array({id}));
}

TEST_F(DiffTest, BadInputIsTold) {
  const std::string id = id_of("a.sqlite", "majority");
  place_.write("text.sqlite", "no store");
  const auto said = [&](const std::vector<std::string>& words) {
    const Outcome outcome = place_.run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    return outcome.err;
  };
  EXPECT_TRUE(contains(said({"diff", "a.sqlite", "none.sqlite"}), "none.sqlite"));
  EXPECT_TRUE(contains(said({"diff", "a.sqlite", "text.sqlite"}), "text.sqlite"));
  EXPECT_TRUE(contains(said({"diff", "a.sqlite"}), "B"));
  EXPECT_TRUE(contains(said({"diff", id, id, "--store", "a.sqlite"}), "are one run"));
  EXPECT_TRUE(contains(said({"diff", id, "000000", "--store", "a.sqlite"}), "no run '000000'"));
  EXPECT_TRUE(contains(said({"diff", id, "x", "--store", "none.sqlite"}), "none.sqlite"));
}

}  // namespace
}  // namespace cupel::test
