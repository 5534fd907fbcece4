// How good `resolve` is on the ACL Anthology, beside three simple rules.
#include <nlohmann/json.hpp>

#include "cli/beside_python.h"
#include "cli/expert_data.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// Rows of a table of decisions in which somebody of this name is made one with somebody.
int accepted_of(const std::string& table, const std::string& name) {
  std::istringstream lines(table);
  int out = 0;
  for (std::string line; std::getline(lines, line);)
    out += contains(line, "\"" + name + "\"") && contains(line, ",accept,");
  return out;
}

int entities_called(const std::string& entities, const std::string& name) {
  std::istringstream lines(entities);
  int out = 0;
  for (std::string line; std::getline(lines, line);) out += contains(line, ",\"" + name + "\"");
  return out;
}

class ResolveAnthology : public ::testing::Test {
 protected:
  void SetUp() override {
    xml_ = expert_data("acl-anthology/xml");
    gold_ = expert_data("acl-anthology/name_variants.yaml");
    if (xml_.empty() || gold_.empty())
      GTEST_SKIP()
          << "needs CUPEL_DATA with acl-anthology/xml and acl-anthology/name_variants.yaml";
  }

  void build(const std::string& out, const std::string& setting) const {
    const Outcome built = place_.run(
        {"build", "expert", "--from", "acl=" + xml_, "--out", out, "--set", setting, "--json"});
    ASSERT_EQ(built.code, 0) << built.err;
  }
  json judged(const std::string& folder, const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"resolve", folder, "--gold", gold_, "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome done = place_.run(all);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.code == 0 ? json::parse(done.out) : json();
  }

  const Workplace place_;
  std::string xml_, gold_;
};

// The list has a part of the persons alone, so that right merges of others count as errors.
TEST_F(ResolveAnthology, IsBetterThanSimpleRules) {
  build("acl", "identity=name");
  const json found = judged("acl", {"--out", "resolved"});
  ASSERT_TRUE(found.contains("pairwise"));
  const json &before = found["before"]["pairwise"], &pairwise = found["pairwise"];
  EXPECT_GT(before["recall"], 0.963);
  EXPECT_GE(pairwise["recall"], 0.984);
  EXPECT_GE(pairwise["precision"], 0.972);
  EXPECT_GE(found["b_cubed"]["recall"], 0.983);
  EXPECT_GE(found["b_cubed"]["precision"], 0.986);

  EXPECT_EQ(accepted_of(place_.read("resolved/decisions.csv"), "Yang Liu"), 0);
  EXPECT_EQ(entities_called(place_.read("acl/entities.csv"), "Yang Liu"), 1);

  if (const std::string why = needs_python(); !why.empty()) GTEST_SKIP() << why;
  for (const char* rule : {"first-last", "co-author"}) {
    const Outcome table = run_python("resolve/name_rules.py", {rule, place_.path("acl").string()});
    ASSERT_EQ(table.code, 0);
    place_.write(rule, table.out);
    const json of_rule = judged("acl", {"--decisions", rule, "--no-proposals"});
    for (const char* score : {"precision", "recall"})
      EXPECT_GT(pairwise[score], of_rule["pairwise"][score]) << rule << ' ' << score;
  }
}

// Ids tell fifteen people of this name apart, eleven of them up to 2021.
TEST_F(ResolveAnthology, KeepsNamesakesApart) {
  build("acl", "identity=id");
  const json found = judged("acl", {"--out", "resolved"});
  ASSERT_TRUE(found.contains("pairwise"));
  EXPECT_EQ(found["before"]["pairwise"]["precision"], 1.0);
  EXPECT_GE(found["pairwise"]["recall"], 0.984);
  EXPECT_GE(found["pairwise"]["precision"], 0.977);
  EXPECT_EQ(entities_called(place_.read("acl/entities.csv"), "Yang Liu"), 11);
  EXPECT_EQ(entities_called(place_.read("resolved/entities.csv"), "Yang Liu"), 11);
  EXPECT_EQ(accepted_of(place_.read("resolved/decisions.csv"), "Yang Liu"), 0);
}

}  // namespace
}  // namespace cupel::test
