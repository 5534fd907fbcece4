// The protocols of Wiki-CS, on a made data set in its place.
#include "cli/program.h"

namespace cupel::test {
namespace {

// Four hundred nodes of two classes, with two stored splits.
void make_data(const Workplace& place) {
  const Outcome made =
      place.run({"convert", "csbm:nodes=400,seed=3", "./made.npz", "--scheme", "stratified",
                 "--set", "train=10,valid=30", "--set", "count=2", "--splits", "s.json"});
  ASSERT_EQ(made.code, 0) << made.err;
}

TEST(WikiCs, ItsRowsRunOnADataSetOfYours) {
  const Workplace place;
  make_data(place);
  const Outcome run = place.run({"run", "wiki-cs", "--tables", "2-simple", "--datasets",
                                 "./made.npz", "--inits", "1", "--store", "s.db"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Outcome report = place.run({"report", "s.db", "--format", "csv"});
  ASSERT_EQ(report.code, 0) << report.err;
  for (const char* row : {",gcn,", ",gat,", ",appnp,"})
    EXPECT_TRUE(contains(report.out, row)) << report.out;
  for (const char* bad : {"1 failed", "1 diverged"})
    EXPECT_FALSE(contains(run.err, bad)) << run.err;
}

TEST(WikiCs, ItsSearchSharesTheStoredSplits) {
  const Workplace place;
  make_data(place);
  const Outcome tune =
      place.run({"tune", "wiki-cs", "--models", "mlp", "--datasets", "./made.npz", "--budget", "2",
                 "--splits", "2", "--store", "t.db", "--dry-run"});
  EXPECT_EQ(tune.code, 0) << tune.err;
}

TEST(WikiCs, ItsLinksRunOnADataSetOfYours) {
  const Workplace place;
  make_data(place);
  const Outcome run = place.run({"run", "wiki-cs-links", "--tables", "3-vgae", "--datasets",
                                 "./made.npz", "--inits", "2", "--store", "s.db"});
  EXPECT_EQ(run.code, 0) << run.err;
  const Outcome few = place.run({"run", "wiki-cs-links", "--tables", "4-vgae", "--datasets",
                                 "./made.npz", "--inits", "1", "--store", "s.db"});
  EXPECT_EQ(few.code, 0) << few.err;
}

TEST(WikiCs, SaysWhatDataAreMissingAndHowToGetThem) {
  const Workplace place;
  const Outcome outcome = place.run({"run", "wiki-cs", "--dry-run"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "cupel fetch wiki-cs")) << outcome.err;
  EXPECT_EQ(place.run({"show", "wiki-cs"}).code, 0);
}

}  // namespace
}  // namespace cupel::test
