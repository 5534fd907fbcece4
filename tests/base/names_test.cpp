#include "cupel/base/names.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(SameName, CaseAndSeparatorsDoNotMatter) {
  for (const char* name : {"amazon-photo", "Amazon_Photo", "AmazonPhoto", "AMAZON-PHOTO"})
    EXPECT_TRUE(same_name("amazon-photo", name)) << name;
  EXPECT_TRUE(same_name("REDDIT-MULTI-5K", "reddit_multi5k"));
  EXPECT_FALSE(same_name("cora", "cora-full"));
  EXPECT_FALSE(same_name("cora", "cor"));
  EXPECT_TRUE(same_name("", ""));
}

TEST(SameName, SeparatorsThatTellNamesApartStay) {
  EXPECT_FALSE(same_name("mlp-1-16", "mlp-11-6"));
  EXPECT_FALSE(same_name("h-1-2", "h-12"));
  EXPECT_TRUE(same_name("h-1-2", "H_1_2"));
  for (const char* odd : {"-", "--", "a-", "-a", "a--a"})
    EXPECT_FALSE(same_name(odd, "a") || same_name(odd, "aa") || same_name(odd, "")) << odd;
}

// A sign is no separator, and files may differ by one.
TEST(SameName, PathsAndCallsKeepTheirSeparators) {
  EXPECT_FALSE(same_name("csbm:lambda=-1", "csbm:lambda=1"));
  EXPECT_FALSE(same_name("csbm:noise=1e-5", "csbm:noise=1e5"));
  EXPECT_FALSE(same_name("./a-b", "./ab"));
  EXPECT_TRUE(same_name("./A-b", "./a_b"));
}

TEST(HasName, LooksForTheSameName) {
  EXPECT_TRUE(has_name({"cora", "amazon-photo"}, "AmazonPhoto"));
  EXPECT_FALSE(has_name({"cora"}, "citeseer"));
  EXPECT_FALSE(has_name({}, "cora"));
}

TEST(NearText, NamesTheNearestElseTheWayOut) {
  EXPECT_EQ(near_text("gnc", {"gcn", "mlp"}), "; did you mean 'gcn'?");
  EXPECT_EQ(near_text("gnc", {"gcn", "mlp"}, "see the list"), "; did you mean 'gcn'?");
  EXPECT_EQ(near_text("sage", {"gcn", "mlp"}, "see the list"), "; see the list");
  EXPECT_EQ(near_text("sage", {"gcn", "mlp"}), "");
  EXPECT_EQ(near_text("2", {"1", "3"}), "") << "one letter is not near another";
  EXPECT_EQ(near_or_all("gnc", {"gcn", "mlp"}), "; did you mean 'gcn'?");
  EXPECT_EQ(near_or_all("sage", {"gcn", "mlp"}), "; there are: gcn, mlp");
  EXPECT_EQ(near_or_all("sage", {}), "; there are none");
}

}  // namespace
}  // namespace cupel
