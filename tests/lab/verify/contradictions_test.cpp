#include "cupel/lab/verify/contradictions.h"

#include <gtest/gtest.h>

#include "lab/fake.h"

namespace cupel::testing {
namespace {

RunRecord ended(double score, double macro_f1) {
  RunRecord out;
  out.metric = "accuracy";
  out.test_score = score;
  out.valid_score = 0.5;
  out.other_scores = {{"macro-f1", macro_f1}};
  return out;
}

// Two stores agree, a third has another score by another metric alone.
TEST(Contradictions, NameTheStoresOfEachSide) {
  const TempFolder folder;
  const Plan plan =
      make_plan(parse_protocol("small", "small.toml", "[data]\ndatasets = ['one']\n[models.gcn]\n"),
                {}, fake_sources());
  const Family& family = *plan.cells.at(0).family;
  std::vector<std::string> paths;
  for (const double macro_f1 : {0.4, 0.4, 0.3}) {
    paths.push_back((folder / ("s" + std::to_string(paths.size()))).string());
    Store source(paths.back());
    source.put(family.identity, 0, 0, ended(0.6, macro_f1));
  }
  Store merged(folder / "merged");
  std::vector<std::string> ids;
  for (const std::string& path : paths)
    for (const std::string& id : merged.merge(path).run_conflicts) ids.push_back(id);
  ASSERT_EQ(ids.size(), 1u);
  const std::vector<Contradiction> found = contradictions(merged, ids, paths);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, ids[0]);
  ASSERT_EQ(found[0].sides.size(), 2u);
  for (const ContradictionSide& side : found[0].sides) {
    const bool two = side.record.other_scores.at(0).second == 0.4;
    EXPECT_EQ(side.stores, two ? std::vector<std::string>({paths[0], paths[1]})
                               : std::vector<std::string>({paths[2]}));
  }
  // Of the sources that are named alone: the other side was there before.
  for (const ContradictionSide& side : contradictions(merged, ids, {paths[2]})[0].sides)
    EXPECT_EQ(side.stores.empty(), side.record.other_scores.at(0).second == 0.4);
  EXPECT_TRUE(contradictions(merged, {}, paths).empty());
}

}  // namespace
}  // namespace cupel::testing
