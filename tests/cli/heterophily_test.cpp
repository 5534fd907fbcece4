// The protocol of heterophily as a user meets it without its data.
#include "cli/program.h"

namespace cupel::test {
namespace {

TEST(Heterophily, SaysWhatDataAreMissingAndHowToGetThem) {
  const Workplace place;  // CUPEL_DATA is an empty folder
  for (const auto& [table, dataset] :
       {std::pair{"1", "squirrel"}, {"2", "squirrel-directed"}, {"4", "roman-empire"}}) {
    const Outcome outcome = place.run({"run", "heterophily", "--tables", table, "--dry-run"});
    EXPECT_EQ(outcome.code, 2) << table;
    EXPECT_TRUE(contains(outcome.err, std::string("cupel fetch ") + dataset)) << outcome.err;
  }
  const Outcome other = place.run(
      {"run", "heterophily", "--tables", "D", "--datasets", "chameleon-graphmining", "--dry-run"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "cupel fetch chameleon-graphmining")) << other.err;
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
