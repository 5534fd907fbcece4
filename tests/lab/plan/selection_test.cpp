// What plans of a protocol ask for when a data set is named.
#include "cupel/lab/plan/selection.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(ReferencesOf, AreThoseOfTheNameInEverySpelling) {
  const Protocol protocol = parse_protocol("x", "x.toml", R"(
[data]
datasets = ["AmazonPhoto", "mine", "./a/b.npz"]
mine = { path = "/data/mine.npz" }
other = { path = "/data/other.npz" }
[models.majority]
)");
  using References = std::vector<std::string>;
  EXPECT_EQ(references_of(protocol, "amazon-photo"), (References{"amazon-photo", "AmazonPhoto"}));
  EXPECT_EQ(references_of(protocol, "AmazonPhoto"), (References{"AmazonPhoto"}));
  EXPECT_EQ(references_of(protocol, "Mine"), (References{"/data/mine.npz"}));
  EXPECT_EQ(references_of(protocol, "other"), (References{"/data/other.npz"}));
  EXPECT_EQ(references_of(protocol, "./a/b.npz"), (References{"./a/b.npz"}));
  EXPECT_EQ(references_of(protocol, "cora"), (References{"cora"}));
}

}  // namespace
}  // namespace cupel
