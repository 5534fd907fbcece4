// Counts of `build expert` and `stats` beside those of a program that takes nothing from them
// (tests/data/facts/expert_counts.py): in all, and of each part of a split.
#include "cli/beside_python.h"
#include "cli/expert_data.h"

namespace cupel::test {
namespace {

constexpr const char* kTrials = "facts/expert_trials.py";

TEST(ExpertOracle, CountsTheSameOfMadeCollections) {
  if (const std::string why = needs_python(); !why.empty()) GTEST_SKIP() << why;
  const Outcome done = run_python(kTrials, {CUPEL_PROGRAM, "--seeds", "1-10"});
  EXPECT_EQ(done.code, 0) << done.out;
}

TEST(ExpertOracle, CountsTheSameOfRealRecords) {
  if (const std::string why = needs_python(); !why.empty()) GTEST_SKIP() << why;
  for (const auto& [source, name] :
       {std::pair{"acl", "acl-anthology/xml"}, std::pair{"paperlists", "paperlists/iclr"}}) {
    const std::string place = expert_data(name);
    if (place.empty()) GTEST_SKIP() << "needs CUPEL_DATA with " << name;
    const Outcome done = run_python(kTrials, {CUPEL_PROGRAM, "--real", source, place});
    EXPECT_EQ(done.code, 0) << done.out;
  }
}

}  // namespace
}  // namespace cupel::test
