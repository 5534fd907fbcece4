#include "cupel/base/error.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(NearestName, IsTheFewestSlipsAway) {
  const std::vector<std::string> models = {"egnn", "gat", "gcn", "gin", "labelprop", "gs-mean"};
  EXPECT_EQ(nearest_name("gnc", models), "gcn") << "one swap; egnn is two slips away";
  EXPECT_EQ(nearest_name("gcnn", models), "gcn");
  EXPECT_EQ(nearest_name("GCM", models), "gcn");
  EXPECT_EQ(nearest_name("labelpop", models), "labelprop");
  EXPECT_EQ(nearest_name("lablepropp", models), "labelprop");
  EXPECT_EQ(nearest_name("gs_mean", models), "gs-mean");
}

TEST(NearestName, OfEqualsIsTheOneThatBeginsAlikeThenTheFirst) {
  EXPECT_EQ(nearest_name("cat", {"bat", "car", "can"}), "car");
  EXPECT_EQ(nearest_name("cat", {"can", "car", "bat"}), "can");
  EXPECT_EQ(nearest_name("cat", {"bat", "mat"}), "bat");
}

TEST(NearestName, IsNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("gat", {"gcn", "mlp"}), "") << "two of three letters are another word";
  EXPECT_EQ(nearest_name("sage", {"sgc"}), "");
  EXPECT_EQ(nearest_name("", {"gcn"}), "");
  EXPECT_EQ(nearest_name("gcn", {}), "");
  EXPECT_EQ(nearest_name("completely-other", {"gcn"}), "");
}

}  // namespace
}  // namespace cupel
