// How the members of each kind of split depend on one another.
#include <gtest/gtest.h>

#include "cupel/lab/plan/split_design.h"
#include "cupel/lab/results/load.h"

namespace cupel {
namespace {

TEST(SplitDesign, IsWhatTheKindStates) {
  struct Case {
    SplitScheme scheme;
    bool shared;
    int folds;
    double test_to_train;
  };
  const SplitDesign none;
  const Case cases[] = {
      {{"per-class"}, false, none.folds, none.test_to_train},
      {{"planetoid", {{"test", 1000}}}, false, none.folds, none.test_to_train},
      {{"random", {{"train", 60}, {"valid", 15}}}, false, none.folds, 25.0 / 75},
      {{"stratified", {{"train", 48}, {"valid", 32}}}, false, none.folds, 20.0 / 80},
      {{"stratified-kfold"}, false, 10, 1.0 / 9},
      {{"stratified-kfold", {{"folds", 2}}}, false, 2, 1.0},
      {{"scaffold"}, false, none.folds, none.test_to_train},
      {{"stored"}, true, none.folds, none.test_to_train},
      {{"file", {{"file", "x.json"}}}, true, none.folds, none.test_to_train},
      {{"links"}, false, none.folds, 10.0 / 90},
      {{"links", {{"train", 50}, {"valid", 10}, {"test", 40}}}, false, none.folds, 40.0 / 60},
  };
  for (Case expected : cases) {
    SCOPED_TRACE(expected.scheme.identity());
    expected.scheme.first = 4;
    const SplitDesign design = design_of(expected.scheme);
    EXPECT_EQ(design.first, 4);
    EXPECT_EQ(design.shared, expected.shared);
    EXPECT_EQ(design.folds, expected.folds);
    EXPECT_EQ(design.test_to_train, expected.test_to_train);
  }
}

}  // namespace
}  // namespace cupel
