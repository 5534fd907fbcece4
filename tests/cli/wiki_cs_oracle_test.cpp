// `build wiki-cs` beside a program that makes the same data set another way (tests/data/wiki/*.py):
// Wikipedias are made in the schemas of five years, with redirects, decoys and odd titles.
#include "cli/beside_python.h"

namespace cupel::test {
namespace {

// Without NLTK, tokens are not compared; features are then those of the recipe's own tokens.
TEST(WikiCsOracle, MakesTheSameOfMadeWikipedias) {
  if (const std::string why = needs_python(); !why.empty()) GTEST_SKIP() << why;
  const Outcome done =
      run_python("wiki/wiki_cs_trials.py", {CUPEL_PROGRAM, "--seeds", "1-12", "--pages", "80"});
  EXPECT_EQ(done.code, 0) << done.out;
}

}  // namespace
}  // namespace cupel::test
