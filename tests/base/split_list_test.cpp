// Lists of names in one text.
#include "cupel/base/split_list.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

TEST(SplitList, CommasPartNames) {
  EXPECT_EQ(split_list({"a,b", "c"}), (Names{"a", "b", "c"}));
  EXPECT_EQ(split_list({",a,,b,"}), (Names{"a", "b"}));
  EXPECT_EQ(split_list({}), Names{});
}

TEST(SplitList, SettingsOfAGeneratorStayWithIt) {
  EXPECT_EQ(split_list({"csbm:nodes=50,seed=3,cora,csbm:nodes=9"}),
            (Names{"csbm:nodes=50,seed=3", "cora", "csbm:nodes=9"}));
}

TEST(SplitList, ABackslashKeepsACommaInAName) {
  EXPECT_EQ(split_list({R"(my\, model,other)"}), (Names{"my, model", "other"}));
  EXPECT_EQ(split_list({R"(\,,a\,\,b)"}), (Names{",", "a,,b"}));
  EXPECT_EQ(split_list({R"(a\b)"}), (Names{R"(a\b)"}));
}

TEST(SplitList, AListedNameIsReadBackAsOne) {
  for (const char* name : {"gcn", "my, model", "csbm:nodes=50,seed=3", "./a,b", ",", "a\\,b"})
    EXPECT_EQ(split_list({listed(name), "next"}), (Names{name, "next"})) << listed(name);
  EXPECT_EQ(listed("csbm:nodes=50,seed=3"), "csbm:nodes=50,seed=3");
}

TEST(SplitList, NothingIsNotEverything) {
  EXPECT_THROW(split_list({""}), Error);
  EXPECT_THROW(split_list({","}), Error);
}

}  // namespace
}  // namespace cupel
