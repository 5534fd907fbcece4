#include "cupel/lab/plan/at_hand.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cupel/base/error.h"
#include "temp_folder.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

Protocol some() {
  return parse_protocol("x", "x.toml",
                        "[data]\ndatasets = ['cora', 'citeseer', 'csbm:nodes=100', './mine.npz']\n"
                        "[data.own]\npath = './own.npz'\n"
                        "[models.majority]\n[[table]]\nid = 'a'\n[[table]]\nid = 'b'\n"
                        "datasets = ['pubmed', 'cora', 'own']\n");
}

TEST(AtHand, IsWhatTheFolderHasTheFilesOf) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "citeseer");
  std::ofstream(folder / "citeseer/citeseer.npz") << "its content is not looked at";
  const AtHand known = at_hand(some(), folder / "");
  EXPECT_EQ(known.there, (Names{"citeseer", "csbm:nodes=100", "./mine.npz", "own"}));
  EXPECT_EQ(known.missing, (Names{"cora", "pubmed"}));
  EXPECT_EQ(narrowed(known, {}), known.there);
  EXPECT_EQ(narrowed(known, {"cora", "own", "another"}), (Names{"own", "another"}));
  EXPECT_THROW((void)narrowed(known, {"cora"}), Error);
}

TEST(AtHand, NamesAreNotComparedToTheLetter) {
  const TempFolder folder;
  const AtHand known = at_hand(some(), folder / "");
  EXPECT_EQ(narrowed(known, {"Cora", "own"}), Names{"own"});
  EXPECT_THROW((void)narrowed(known, {"Cora"}), Error);
  const Protocol twice = parse_protocol(
      "x", "x.toml",
      "[data]\ndatasets = ['cora']\n[models.majority]\n[[table]]\nid = 'a'\n[[table]]\n"
      "id = 'b'\ndatasets = ['Cora']\n");
  EXPECT_EQ(at_hand(twice, folder / "").missing, Names{"cora"});
}

}  // namespace
}  // namespace cupel
