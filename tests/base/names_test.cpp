#include "cupel/base/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>

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

// The rule of names.h, written down: names are the same if these are.
std::string folded(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const bool is_name = std::ranges::none_of(name, [](char c) { return c == '/' || c == '='; });
  std::string out;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const bool separates = name[k] == '-' || name[k] == '_';
    const bool inside = k > 0 && k + 1 < name.size();
    if (separates && is_name && inside && plain(name[k - 1]) && plain(name[k + 1]) &&
        (letter(name[k - 1]) || letter(name[k + 1])))
      continue;
    out += separates ? '-' : static_cast<char>(std::tolower(name[k]));
  }
  return out;
}

TEST(SameName, IsEqualityOfWhatIsCompared) {
  std::mt19937 random(1);
  const auto made = [&] {
    std::string out(random() % 6, ' ');
    for (char& c : out) c = "aaB11--_/"[random() % (random() % 8 == 0 ? 9 : 8)];
    return out;
  };
  int same = 0;
  for (int k = 0; k < 200'000; ++k) {
    const std::string a = made(), b = made();
    ASSERT_EQ(same_name(a, b), folded(a) == folded(b)) << a << " and " << b;
    same += same_name(a, b) && a != b;
  }
  EXPECT_GT(same, 500);
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
