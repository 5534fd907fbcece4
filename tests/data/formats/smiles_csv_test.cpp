#include "cupel/data/formats/smiles_csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "cupel/data/formats/format.h"
#include "cupel/data/formats/line_reader.h"
#include "cupel/data/molecules/molecule.h"
#include "cupel/data/split/split.h"
#include "data/build/made_text.h"
#include "data/formats/made_files.h"
#include "real_data.h"

namespace cupel {
namespace {

using made::expect_error;
using Ids = std::vector<Index>;

class SmilesCsv : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!molecules_available()) GTEST_SKIP() << "built without RDKit: no molecule is read";
  }
  Dataset read(const std::string& text, const std::string& name = "mine.csv") {
    made::write_file(folder_ / name, text);
    return read_smiles_csv(folder_ / name);
  }
  made::Folder folder_;
};

TEST_F(SmilesCsv, MoleculesBecomeGraphsInTheOrderOfTheLines) {
  const Dataset data = read("smiles,label\nCCO,yes\nC,no\nc1ccccc1,yes\n");
  EXPECT_EQ(data.name, "mine");
  EXPECT_EQ(data.graphs->start, (Ids{0, 3, 4, 10}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(data.labels(), (Ids{1, 0, 1}));
  made::check_csr(data.adjacency);
  EXPECT_EQ(data.adjacency.entries(), 4 + 0 + 12);
  EXPECT_EQ(data.graphs->node_attributes.rows, 10);
  EXPECT_EQ(data.graphs->node_attributes.cols, 9);
  EXPECT_EQ(data.graphs->node_attributes(2, 0), 7);  // oxygen
  EXPECT_EQ(data.graphs->arc_attributes.rows, 16);
  EXPECT_EQ(data.graphs->arc_attributes(4, 0), 3);  // aromatic
  EXPECT_EQ(data.graphs->scaffolds, (Ids{0, 0, 1}));
  EXPECT_EQ(feature_count(data.features), 0);
  EXPECT_TRUE(data.history.empty());
  EXPECT_FALSE(data.has_tasks());
}

TEST_F(SmilesCsv, ColumnsOfZerosAndOnesAreTasks) {
  const Dataset data =
      read("mol_id,a,weight,smiles,b\nx1,1,16.5,C,\nx2,,2.5,CC,0\nx3,0,1,CCC,1\n", "tox.csv");
  ASSERT_EQ(data.task_answers().rows, 3);
  ASSERT_EQ(data.task_answers().cols, 2);
  EXPECT_EQ(data.task_answers()(0, 0), 1);
  EXPECT_TRUE(std::isnan(data.task_answers()(0, 1)));
  EXPECT_TRUE(std::isnan(data.task_answers()(1, 0)));
  EXPECT_EQ(data.task_answers()(2, 1), 1);
}

TEST_F(SmilesCsv, HivsColumnsNeedNoSetting) {
  const Dataset data = read("index,smiles,activity,HIV_active\n0,C,CI,0\n1,CC,CA,1\n2,CO,CI,0\n");
  EXPECT_EQ(data.labels(), (Ids{0, 1, 0}));
  EXPECT_FALSE(data.has_tasks());
}

TEST_F(SmilesCsv, RefusedMoleculesAreCounted) {
  const Dataset data = read("smiles,y\nC,0\nnonsense,1\n\nCC,1\nC(C)(C)(C)(C)C,0\n");
  EXPECT_EQ(data.examples(), 2);
  EXPECT_EQ(data.labels(), (Ids{0, 1}));
  ASSERT_EQ(data.history.size(), 1u);
  EXPECT_EQ(data.history[0].name,
            "left out 2 of 4 molecules whose SMILES RDKit refuses (lines 3, 6)");
}

TEST_F(SmilesCsv, PackedFilesAreTheSame) {
  const std::string text = "smiles,y\nCCO,0\nC,1\n";
  made::write_file(folder_ / "packed.csv.gz", test::Folder::gzip(text));
  const Dataset packed = read_dataset(folder_ / "packed.csv.gz");
  EXPECT_EQ(content_hash(packed), content_hash(read(text)));
  EXPECT_EQ(packed.name, "packed");
}

TEST_F(SmilesCsv, OtherFilesAreNotTakenForOne) {
  for (const char* text :
       {"", "\n\n", "1 2\n2 3\n", "source,target\n0,1\n", "\"smiles\n", "\xff\n"}) {
    made::write_file(folder_ / "other", text);
    EXPECT_FALSE(is_smiles_csv(folder_ / "other")) << text;
  }
  EXPECT_FALSE(is_smiles_csv(folder_ / "absent"));
  made::write_file(folder_ / "other", "\xef\xbb\xbfid,\"SMILES\"\r\n");
  EXPECT_TRUE(is_smiles_csv(folder_ / "other"));
}

TEST_F(SmilesCsv, MistakesAreNamed) {
  expect_error([&] { (void)read("molecule_x,y\nC,0\n"); }, {"'molecule_x', 'y'", "'smiles'"});
  expect_error([&] { (void)read("smiles,y\n"); }, {"no molecule"});
  expect_error([&] { (void)read("smiles,weight\nC,1.5\n"); }, {"'weight'", "call", "'label'"});
  expect_error([&] { (void)read("smiles,label\nC,a\nCC,\n"); }, {"line 3", "'label'"});
  expect_error([&] { (void)read("smiles,y\nzzz,1\n"); }, {"refuses every", "line 2"});
}

TEST_F(SmilesCsv, ScaffoldsStayTogetherAndRareOnesAreTested) {
  // Twelve with benzene, four with pyridine, three without a ring, one with furan.
  std::string text = "smiles,y\nc1ccoc1,0\n";
  for (int i = 0; i < 12; ++i)
    text += std::string(static_cast<std::size_t>(i) + 1, 'C') + "c1ccccc1,1\n";
  for (int i = 0; i < 4; ++i)
    text += std::string(static_cast<std::size_t>(i) + 1, 'C') + "c1ccccn1,0\n";
  text += "C,0\nCC,1\nCCC,0\n";
  const Dataset data = read(text);
  SplitScheme scheme;
  scheme.kind = "scaffold";
  scheme.settings["train"] = 80;
  scheme.settings["valid"] = 15;
  scheme.count = 2;
  const Split split = make_split(data, scheme, 0);
  EXPECT_EQ(split.train, (Ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(split.valid, (Ids{17, 18, 19}));
  EXPECT_EQ(split.test, (Ids{0}));
  expect_error([&] { (void)make_split(data, scheme, 1); }, {"one scaffold split", "split 1"});
  expect_error(
      [&] {
        scheme.settings["valid"] = 20;
        (void)make_split(data, scheme, 0);
      },
      {"below 100"});
  Dataset other = data;
  other.graphs->scaffolds.clear();
  expect_error(
      [&] {
        scheme.settings["valid"] = 10;
        (void)make_split(other, scheme, 0);
      },
      {"SMILES", "stored"});
}

// OGB's arrays of the same molecules, and its scaffold split.
TEST_F(SmilesCsv, RealMoleculesAreOgbs) {
  if (const std::string why = made::needs_data({"BACE/bace.csv", "BACE/BACE.zip"}); !why.empty())
    GTEST_SKIP() << why;
  const char* root = std::getenv("CUPEL_DATA");
  const std::filesystem::path folder = std::filesystem::path(root) / "BACE";
  const Dataset ours = read_smiles_csv(folder / "bace.csv");
  const Dataset ogbs = read_dataset(folder / "BACE.zip");
  EXPECT_TRUE(ours.history.empty());
  EXPECT_EQ(ours.graphs->start, ogbs.graphs->start);
  EXPECT_EQ(ours.adjacency.row_ptr, ogbs.adjacency.row_ptr);
  EXPECT_EQ(ours.adjacency.columns, ogbs.adjacency.columns);
  EXPECT_EQ(ours.graphs->node_attributes.values, ogbs.graphs->node_attributes.values);
  EXPECT_EQ(ours.graphs->arc_attributes.values, ogbs.graphs->arc_attributes.values);
  EXPECT_EQ(ours.labels(), ogbs.labels());

  for (const auto& [name, file] : {std::pair("BACE", "bace.csv"), {"TOX21", "tox21.csv.gz"}}) {
    SCOPED_TRACE(name);
    const std::filesystem::path place = std::filesystem::path(root) / name;
    SplitScheme scheme;
    scheme.kind = "scaffold";
    scheme.settings["train"] = 80;
    scheme.settings["valid"] = 10;
    const Split split = make_split(read_smiles_csv(place / file), scheme, 0);
    for (const auto& [part, ids] :
         {std::pair("train", split.train), {"valid", split.valid}, {"test", split.test}}) {
      Ids published;
      LineReader reader(place / (std::string(name) + "_scaffold_" + part + ".txt"));
      for (std::string_view line; reader.next(line);)
        published.push_back(static_cast<Index>(std::stoi(std::string(line))));
      EXPECT_EQ(ids, published) << part;
    }
  }
}

}  // namespace
}  // namespace cupel
