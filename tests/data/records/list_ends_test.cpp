// What ends a list of authors and is nobody.
#include "cupel/data/records/list_ends.h"

#include <gtest/gtest.h>

#include <utility>

namespace cupel {
namespace {

TEST(ListEnds, AreTakenOffWithTheirSeparators) {
  const std::pair<const char*, const char*> cases[] = {{"et al.", ""},
                                                       {"Et Al", ""},
                                                       {"et. al", ""},
                                                       {"etal.", ""},
                                                       {"et alii", ""},
                                                       {"and others", ""},
                                                       {"Others", ""},
                                                       {"& 12 others.", ""},
                                                       {"Kim D., et al.", "Kim D."},
                                                       {"Kim D.; et al.;", "Kim D."},
                                                       {"Kim D. et al", "Kim D."},
                                                       {"Kim, others", "Kim"},
                                                       {"Kim and 3 others", "Kim"}};
  for (const auto& [given, left] : cases) {
    std::string text = given;
    EXPECT_TRUE(take_list_end(text)) << given;
    EXPECT_EQ(text, left) << given;
  }
}

TEST(ListEnds, AreNoneInNames) {
  for (const char* name : {"", "Al", "Kim Al", "Bet Al", "Mallet al", "Ann Others", "Smothers",
                           "Brothers and Smothers", "et al. Kim", "Ann and Bob", "7", "others 3"}) {
    std::string text = name;
    EXPECT_FALSE(take_list_end(text)) << name;
    EXPECT_EQ(text, name);
  }
}

TEST(ListEnds, LeaveNobodyOrANameWithoutThem) {
  bool cut = false;
  Author nobody{"et al.", ""}, somebody{"Kim D. et al.", ""}, other{"Ann Lee", ""};
  somebody.with_marks = "Kim D.* et al.";
  EXPECT_TRUE(is_somebody(other, cut));
  EXPECT_FALSE(cut);
  EXPECT_TRUE(is_somebody(somebody, cut));
  EXPECT_TRUE(cut);
  EXPECT_EQ(somebody.name, "Kim D.");
  EXPECT_EQ(somebody.with_marks, "Kim D.*");
  EXPECT_FALSE(is_somebody(nobody, cut = false));
  EXPECT_TRUE(cut);
}

}  // namespace
}  // namespace cupel
