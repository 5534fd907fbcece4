// The protocol of heterophily as a user meets it without its data.
#include "cli/program.h"

namespace cupel::test {
namespace {

TEST(Heterophily, SaysWhatDataAreMissingAndHowToGetThem) {
  const Workplace place;  // CUPEL_DATA is an empty folder
  for (const auto& [table, dataset] :
       {std::pair{"1", "squirrel"}, {"2", "squirrel-directed"}, {"4", "roman-empire"}}) {
    const Outcome outcome =
        place.run({"run", "heterophily", "--tables", table, "--dry-run", "--pilot", "none"});
    EXPECT_EQ(outcome.code, 2) << table;
    EXPECT_TRUE(contains(outcome.err, std::string("cupel fetch ") + dataset)) << outcome.err;
  }
  const Outcome other = place.run({"run", "heterophily", "--tables", "D", "--datasets",
                                   "chameleon-graphmining", "--dry-run", "--pilot", "none"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "cupel fetch chameleon-graphmining")) << other.err;
}

// Of data that are partly there, what is there can be planned and run.
TEST(Available, RunsWhatIsThereAndNamesWhatIsNot) {
  const Workplace place;
  place.write("p.toml",
              "[data]\ndatasets = [\"csbm:nodes=200\", \"questions\"]\n[split]\ntrain = 2\n"
              "valid = 2\ncount = 3\n[models.labelprop]\n");
  const Outcome all = place.run({"run", "p.toml"});
  EXPECT_EQ(all.code, 2);
  EXPECT_TRUE(contains(all.err, "cupel fetch questions")) << all.err;
  EXPECT_EQ(place.files(), std::vector<std::string>{"p.toml"});
  const Outcome plan = place.run({"run", "p.toml", "--available", "--dry-run"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_TRUE(contains(plan.out, "3 runs planned")) << plan.out;
  EXPECT_TRUE(contains(plan.err, "left out: questions")) << plan.err;
  EXPECT_EQ(place.run({"run", "p.toml", "--available"}).code, 0);
}

TEST(Heterophily, TheSmallGraphsHaveCards) {
  const Workplace place;
  const Outcome card = place.run({"show", "texas"});
  EXPECT_EQ(card.code, 0) << card.err;
  EXPECT_TRUE(contains(card.out, "Geom-GCN")) << card.out;
  EXPECT_EQ(place.run({"show", "film"}).code, 0) << "Actor's other name";
  const Outcome missing = place.run({"audit", "texas"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "cupel fetch texas")) << missing.err;
}

}  // namespace
}  // namespace cupel::test
