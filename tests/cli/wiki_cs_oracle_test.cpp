// `build wiki-cs` beside a program that makes the same data set another way (tests/data/wiki/*.py):
// Wikipedias are made in the schemas of five years, with redirects, decoys and odd titles.
#include "cli/program.h"

namespace cupel::test {
namespace {

int status_of(const std::string& command) { return std::system(command.c_str()); }

// Without NLTK, tokens are not compared; features are then those of the recipe's own tokens.
TEST(WikiCsOracle, MakesTheSameOfMadeWikipedias) {
  const std::string probe = "import sys; sys.exit(sys.version_info < (3, 9))";
  if (status_of("python3 -c '" + probe + "' >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no python3 of 3.9 or later";
  }
  const TempFolder folder;
  const std::filesystem::path out = folder / "out";
  const std::string script = std::string(CUPEL_SOURCE_DIR) + "/tests/data/wiki/wiki_cs_trials.py";
  const int status =
      status_of("PYTHONDONTWRITEBYTECODE=1 python3 '" + script + "' '" + CUPEL_PROGRAM +
                "' --seeds 1-12 --pages 80 >'" + out.string() + "' 2>&1");
  EXPECT_EQ(status, 0) << read_file(out);
}

}  // namespace
}  // namespace cupel::test
