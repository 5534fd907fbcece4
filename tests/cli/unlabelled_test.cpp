// Nodes without a label on cards and in runs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

// Two rings of twenty nodes, classes a and b; every fifth node has no label.
void write_graph(const Workplace& place) {
  std::filesystem::create_directory(place.path("rings"));
  std::string labels = "node,label\n", edges = "source,target\n", features = "node,x,y\n";
  for (int i = 0; i < 40; ++i) {
    labels += fmt::format("{},{}\n", i, i % 5 == 4 ? "" : i < 20 ? "a" : "b");
    edges += fmt::format("{},{}\n", i, i % 20 == 19 ? i - 19 : i + 1);
    features += fmt::format("{},{},{}\n", i, i % 7, i < 20 ? 1 : 0);
  }
  place.write("rings/labels.csv", labels);
  place.write("rings/edges.csv", edges);
  place.write("rings/features.csv", features);
}

TEST(Unlabelled, CardsCountThem) {
  const Workplace place;
  write_graph(place);
  const Outcome text = place.run({"stats", "./rings"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "8 nodes are without a label")) << text.out;
  EXPECT_TRUE(contains(text.out, "Classes: 2")) << text.out;
  EXPECT_TRUE(contains(text.out, "50.0 %")) << text.out;
  const auto json = nlohmann::json::parse(place.run({"stats", "./rings", "--json"}).out);
  EXPECT_EQ(json["unlabelled"], 8);
  EXPECT_EQ(json["classes"], 2);
  const Outcome card = place.run({"show", "./rings"});
  EXPECT_TRUE(contains(card.out, "nodes without a label")) << card.out;
  const Outcome audit = place.run({"audit", "./rings"});
  EXPECT_TRUE(contains(audit.out, "unlabelled-nodes")) << audit.out << audit.err;
}

TEST(Unlabelled, RunsLeaveThemOut) {
  const Workplace place;
  write_graph(place);
  place.write("small.toml", R"(title = "Small"
[data]
datasets = ["./rings"]
[split]
scheme = "random"
train = 50
valid = 25
count = 3
[train]
max_epochs = 5
[models.mlp]
hidden = 4
[models.labelprop]
)");
  const Outcome run = place.run({"run", "small.toml", "--jobs", "1"});
  EXPECT_TRUE(contains(run.out, "mlp")) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "labelprop")) << run.out;
  EXPECT_FALSE(contains(run.out, "nan")) << run.out;
}

}  // namespace
}  // namespace cupel::test
