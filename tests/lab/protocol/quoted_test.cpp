// Rows that hold published values alone: what they may say, and that nothing of them is planned.
#include <gtest/gtest.h>

#include <fstream>

#include "cupel/lab/protocol/protocol.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

constexpr const char* kText =
    "[data]\ndatasets = ['one']\n[models.gcn]\n[models.paper]\nquoted = true\n"
    "[published]\nfile = 'values.csv'\n";
constexpr const char* kValues =
    "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
    "1,one,paper,accuracy,84,0.7,sd_over_splits,10,10\n";

TEST(Quoted, IsInTheTableAndNotInThePlan) {
  const Protocol protocol = parse_protocol("p", "p.toml", kText, kValues);
  EXPECT_TRUE(protocol.find_model("paper")->quoted);
  EXPECT_FALSE(protocol.find_model("gcn")->quoted);
  EXPECT_EQ(protocol.tables[0].models, (std::vector<std::string>{"gcn", "paper"}));
  const Plan plan = make_plan(protocol, {}, made::fake_sources());
  ASSERT_EQ(plan.cells.size(), 1u);
  EXPECT_EQ(plan.cells[0].model, "gcn");
  const std::string said = error_of([&] {
    (void)make_plan(protocol, {.datasets = {}, .models = {"paper"}, .tables = {}},
                    made::fake_sources());
  });
  EXPECT_NE(said.find("quoted rows are not run: paper"), std::string::npos) << said;
}

TEST(Quoted, SaysNothingElse) {
  const auto said = [](const std::string& more) {
    return error_of([&] {
      (void)parse_protocol(
          "p", "p.toml", "[models.paper]\nquoted = true\n" + more + "[data]\ndatasets = ['one']\n");
    });
  };
  EXPECT_NE(said("hidden = 8\n").find("p.toml:3: [models.paper]: unknown key 'hidden'"),
            std::string::npos);
  EXPECT_NE(said("[models.gcn]\nreading_of = 'paper'\n")
                .find("p.toml:3: [models.gcn]: 'reading_of' names 'paper', which is quoted"),
            std::string::npos);
  EXPECT_NE(said("[tune.grid.paper]\nlr = [1]\n").find("p.toml:3: [tune.grid]: row 'paper' is"),
            std::string::npos);
  EXPECT_EQ(said(""), "no error");
}

// A row without a value would be shown nowhere, and a base's row becomes another by the word.
TEST(Quoted, NeedsAValue) {
  const TempFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  const auto load = [&](const char* name) { return load_protocol((folder / name).string()); };
  write("p.toml", kText);
  write("values.csv", kValues);
  EXPECT_EQ(load("p.toml").published.size(), 1u);
  write("mine.toml", "extends = 'p.toml'\n[models.other]\nquoted = true\n");
  EXPECT_NE(error_of([&] { (void)load("mine.toml"); })
                .find("mine.toml:2: [models.other]: a quoted row shows published values, and "
                      "[published] has none of 'other'"),
            std::string::npos);
  write("mine.toml", "extends = 'p.toml'\n[models.paper]\nmodel = 'gcn'\n");
  EXPECT_FALSE(load("mine.toml").find_model("paper")->quoted);
  EXPECT_TRUE(load("mine.toml").published.empty()) << "it is another model";
  write("own.csv", std::string(kValues) + "1,one,gcn,accuracy,81,1,sd_over_splits,10,10\n");
  write("mine.toml",
        "extends = 'p.toml'\n[models.gcn]\nquoted = true\n[models.mine]\nmodel = 'gcn'\n"
        "[published]\nfile = 'own.csv'\n");
  EXPECT_TRUE(load("mine.toml").find_model("gcn")->quoted);
  EXPECT_EQ(load("mine.toml").published.size(), 2u);
}

}  // namespace
}  // namespace cupel
