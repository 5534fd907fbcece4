// [split] of the schemes for sets of graphs and for links.
#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "cupel/lab/protocol/protocol.h"
#include "error_of.h"

namespace cupel {
namespace {

Protocol with_split(const std::string& lines, const std::filesystem::path& folder = "/protocols") {
  return parse_protocol("p", "p.toml", "[data]\ndatasets = ['d']\n[models.a]\n[split]\n" + lines,
                        {}, folder);
}

std::string error_of(const std::string& lines) {
  return cupel::error_of([&] { (void)with_split(lines); });
}

TEST(SplitSection, FoldsAreAsManySplits) {
  const SplitScheme plain = with_split("scheme = 'stratified-kfold'").split;
  EXPECT_EQ(plain.count, 10);
  EXPECT_EQ(plain.identity(), "stratified-kfold folds=10 valid=10% seed=2018");
  const SplitScheme own =
      with_split("scheme = 'stratified-kfold'\nfolds = 5\nvalid = 20\nseed = 3\ncount = 15").split;
  EXPECT_EQ(own.count, 15);  // three times
  EXPECT_EQ(own.identity(), "stratified-kfold folds=5 valid=20% seed=3");
  EXPECT_NE(error_of("scheme = 'stratified-kfold'\ntrain = 80").find("unknown key 'train'"),
            std::string::npos);
  EXPECT_NE(error_of("scheme = 'stratified-kfold'\nfolds = 1").find("'folds' is 1"),
            std::string::npos);
  EXPECT_NE(error_of("scheme = 'random'\nfolds = 5").find("unknown key 'folds'"),
            std::string::npos);
}

TEST(SplitSection, AFileLiesBesideTheProtocol) {
  const SplitScheme split = with_split("scheme = 'file'\nfile = 'splits/{dataset}.json'").split;
  EXPECT_EQ(split.options().text("file"), "/protocols/splits/{dataset}.json");
  EXPECT_EQ(split.count, 0);  // all there are
  EXPECT_EQ(with_split("scheme = 'file'\nfile = '/x.json'\ncount = 3").split.identity(),
            "file file=/x.json");
  EXPECT_NE(error_of("scheme = 'file'").find("needs 'file'"), std::string::npos);
  EXPECT_NE(error_of("scheme = 'file'\nfile = 'x'\nseed = 1").find("unknown key 'seed'"),
            std::string::npos);
}

TEST(SplitSection, ScaffoldsGiveOneSplit) {
  const SplitScheme split = with_split("scheme = 'scaffold'").split;
  EXPECT_EQ(split.identity(), "scaffold train=80% valid=10%");
  EXPECT_EQ(split.count, 1);
}

TEST(SplitSection, LinksHaveSharesADirectionAndMessages) {
  const SplitScheme plain = with_split("scheme = 'links'").split;
  EXPECT_EQ(plain.count, 100);
  EXPECT_EQ(plain.identity(),
            "links train=85% valid=5% test=10% directed=false message=train seed=2018");
  const char* lines =
      "scheme = 'links'\ntrain = 60\nvalid = 20\ntest = 20\ndirected = true\n"
      "message = 'train+valid'\nseed = 3\ncount = 1\nfirst = 2";
  const SplitScheme own = with_split(lines).split;
  EXPECT_EQ(own.count, 1);
  EXPECT_EQ(own.identity(),
            "links train=60% valid=20% test=20% directed=true message=train+valid seed=3 first=2");
  EXPECT_NE(error_of("scheme = 'links'\ndirected = 1").find("'directed' must be true or false"),
            std::string::npos);
  EXPECT_NE(error_of("scheme = 'links'\nmessage = 'all'")
                .find("'message' cannot be 'all'; it is one of train, train+valid"),
            std::string::npos);
  EXPECT_NE(error_of("scheme = 'links'\ntest = 0").find("'test' is 0, outside [1, "),
            std::string::npos);
  EXPECT_NE(error_of("directed = true").find("unknown key 'directed'"), std::string::npos);
}

TEST(SplitSection, SearchesNeedSplitsToSpare) {
  const char* tune = "\n[tune.grid.a]\nlr = [0.1]";
  for (const char* scheme : {"stored", "scaffold", "file'\nfile = 'x.json"})
    EXPECT_NE(error_of("scheme = '" + std::string(scheme) + "'" + tune).find("to spare"),
              std::string::npos);
  // A family that ends is shared where that is asked for.
  const char* shared = "\n[tune]\nfirst_split = 0\nsplits = 10\n[tune.grid.a]\nlr = [0.1]";
  const Protocol stored = with_split("scheme = 'stored'" + std::string(shared));
  EXPECT_EQ(stored.tune->first_split, 0);
  EXPECT_EQ(stored.tune->splits, 10);
  EXPECT_NE(error_of("scheme = 'per-class'" + std::string(shared)).find("among those of table '1'"),
            std::string::npos);
  EXPECT_EQ(with_split("scheme = 'stratified-kfold'" + std::string(tune)).tune->first_split, 10);
  EXPECT_EQ(with_split("scheme = 'links'" + std::string(tune)).tune->first_split, 100);
}

}  // namespace
}  // namespace cupel
