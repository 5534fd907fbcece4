// Files that NumPy, SciPy, NetworkX, PyTorch and stand-ins for it wrote, all of one graph of eight
// nodes; make.py and make_torch.py in tests/data/formats/fixtures made them.
#include <gtest/gtest.h>

#include "build_paths.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/pickle_arrays.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(CUPEL_SOURCE_DIR "/tests/data/formats/fixtures") / name;
}

const std::vector<Index> kLabels = {0, 1, 2, 0, 1, 2, -1, 1};
const std::vector<std::vector<float>> kFeatures = {{1, 0, 0}, {0, 2, 0}, {0, 0, 0}, {1, 1, 0},
                                                   {0, 0, 3}, {1, 0, 0}, {0, 1, 1}, {2, 0, 0}};

std::vector<std::vector<float>> rows_of(const Features& features) {
  std::vector<std::vector<float>> out;
  const Index rows = std::visit([](const auto& m) { return m.rows; }, features);
  for (Index i = 0; i < rows; ++i) {
    std::vector<float> row(static_cast<std::size_t>(feature_count(features)), 0.0f);
    if (const auto* dense = std::get_if<Matrix>(&features)) {
      row.assign(dense->row(i), dense->row(i) + dense->cols);
    } else {
      const auto& sparse = std::get<Csr>(features);
      for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
        row[static_cast<std::size_t>(sparse.columns[at])] = sparse.value(at);
    }
    out.push_back(row);
  }
  return out;
}

// 0 -> 1 twice, then the two rings.
void expect_graph(const Dataset& data, bool counts_repeats = true) {
  made::check_dataset(data);
  EXPECT_EQ(data.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2, 3, 4, 5, 6, 6, 7}));
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{1, 2, 3, 0, 5, 7, 4}));
  ASSERT_EQ(data.adjacency.values.size(), 7u);
  EXPECT_EQ(data.adjacency.values[0], 2.0f);
  EXPECT_EQ(data.adjacency.values[6], 1.0f);
  EXPECT_EQ(data.repeated_arcs, counts_repeats ? 1 : 0);
}

class PlanetoidFiles : public testing::TestWithParam<const char*> {};

TEST_P(PlanetoidFiles, AreTheGraph) {
  const std::string name = GetParam();
  const Dataset data = read_dataset(fixture("ind." + name + ".graph"));
  EXPECT_EQ(data.name, name);
  expect_graph(data);
  EXPECT_EQ(data.labels(), kLabels) << "test.index leaves out node 6";
  auto features = kFeatures;
  features[6] = {0, 0, 0};
  EXPECT_EQ(rows_of(data.features), features);
  ASSERT_EQ(data.stored_splits.size(), 1u);
  EXPECT_EQ(data.stored_splits[0].train, (std::vector<Index>{0, 1}));
  EXPECT_EQ(data.stored_splits[0].valid, (std::vector<Index>{2, 3}));
  EXPECT_EQ(data.stored_splits[0].test, (std::vector<Index>{4, 5, 7}));
}

INSTANTIATE_TEST_SUITE_P(Protocols, PlanetoidFiles, testing::Values("tiny0", "tiny2"));

TEST(Planetoid, AFolderOfOneIsEnough) {
  const made::Folder folder;
  for (const auto& entry : std::filesystem::directory_iterator(fixture(""))) {
    if (entry.path().filename().string().starts_with("ind.tiny2."))
      std::filesystem::copy_file(entry.path(), folder / entry.path().filename().string());
  }
  EXPECT_TRUE(holds_dataset(folder.path()));
  EXPECT_EQ(read_dataset(folder.path()).labels(), kLabels);

  const auto with = [&](const char* file, const std::string& text,
                        const std::vector<std::string>& pieces) {
    const auto path = folder / (std::string("ind.tiny2.") + file);
    const std::string before = made::file_content(path);
    made::write_file(path, text);
    made::expect_error([&] { (void)read_dataset(folder.path()); }, pieces);
    made::write_file(path, before);
  };
  with("test.index", "7\n4\n", {"test.index", "2 nodes where tx has 3 rows"});
  with("test.index", "7\n4\n4\n", {"names node 4 twice"});
  with("test.index", "7\n4\n3\n", {"nodes 3 to 7", "below 4"});
  with("test.index", "7\n4\n2000000000\n", {"2000000000"});
  with("test.index", "7\n4\nx\n", {"line 3", "'x'"});
  with("graph", "(dp0\nI0\n(lp1\nI8\nas.", {"8 is not one of the 8 nodes"});
  with("graph", "(dp0\nI0\nI1\ns.", {"node 0 has 1 where a list"});
  with("graph", "(lp0\n.", {"a list of 0 where a dict"});
  with("y", made::file_content(fixture("ind.tiny2.ally")), {"4 rows where", "x has 2"});
  std::filesystem::remove(folder / "ind.tiny2.tx");
  made::expect_error([&] { (void)read_dataset(folder.path()); }, {"ind.tiny2.tx"});
  made::write_file(folder / "ind.other.graph", "");
  made::expect_error([&] { (void)read_dataset(folder.path()); },
                     {"ind.other and ind.tiny2", "give the path"});
}

class TorchFiles : public testing::TestWithParam<const char*> {};

TEST_P(TorchFiles, AreTheGraph) {
  const Dataset data = read_dataset(fixture(GetParam()));
  expect_graph(data);
  EXPECT_EQ(data.labels(), kLabels);
  EXPECT_EQ(rows_of(data.features), kFeatures);
  ASSERT_EQ(data.stored_splits.size(), 2u);
  EXPECT_EQ(data.stored_splits[0].train, (std::vector<Index>{0, 1}));
  EXPECT_EQ(data.stored_splits[0].valid, (std::vector<Index>{2, 3}));
  EXPECT_EQ(data.stored_splits[1].train, (std::vector<Index>{4, 5}));
  EXPECT_EQ(data.stored_splits[1].valid, (std::vector<Index>{0}));
  for (const Split& split : data.stored_splits)
    EXPECT_EQ(split.test, (std::vector<Index>{7})) << "one mask for all splits";
}

INSTANTIATE_TEST_SUITE_P(Versions, TorchFiles,
                         testing::Values("pyg1.pt", "pyg2.pt", "processed.pt", "torch.pt"));

TEST(TorchFile, ASetOfGraphsIsRefused) {
  made::expect_error([&] { (void)read_dataset(fixture("several.pt")); },
                     {"several.pt", "a set of 3 graphs"});
}

TEST(MatFiles, SparseAndCompressed) {
  const Dataset data = read_dataset(fixture("sparse.mat"));
  expect_graph(data, false);
  EXPECT_EQ(data.labels(), kLabels);
  EXPECT_EQ(rows_of(data.features), kFeatures);
  EXPECT_TRUE(std::holds_alternative<Csr>(data.features));
}

TEST(MatFiles, DenseAndOneHot) {
  const Dataset data = read_dataset(fixture("dense.mat"));
  expect_graph(data, false);
  EXPECT_EQ(data.labels(), kLabels) << "a row of zeros is no label";
  EXPECT_EQ(rows_of(data.features), kFeatures);
  EXPECT_TRUE(std::holds_alternative<Matrix>(data.features));
}

TEST(MatFiles, AnotherVariableIsTheLabel) {
  const Dataset data = read_dataset_with_label(fixture("sparse.mat"), "Label");
  EXPECT_EQ(data.labels(), kLabels);
  made::expect_error([&] { (void)read_dataset_with_label(fixture("sparse.mat"), "Lable"); },
                     {"sparse.mat", "'Lable'", "'Label'"});
  made::expect_error([&] { (void)read_dataset_with_label(fixture("pyg2.pt"), "y"); },
                     {"pyg2.pt", "leave it out"});
}

// Gender 0 is not known; columns of status (two values), major (5, 6, 7), minor (one value), dorm
// (one value), year (three) and school (one), as label_binarize makes them.
TEST(MatFiles, Facebook) {
  const Dataset data = read_dataset(fixture("facebook.mat"));
  expect_graph(data, false);
  EXPECT_EQ(data.labels(), (std::vector<Index>{0, 1, -1, 0, 1, 0, -1, 1}));
  EXPECT_EQ(rows_of(data.features),
            (std::vector<std::vector<float>>{{0, 1, 0, 0, 0, 0, 1, 0, 0, 0},
                                             {0, 1, 0, 0, 0, 0, 0, 1, 0, 0},
                                             {1, 0, 1, 0, 0, 0, 1, 0, 0, 0},
                                             {0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                             {1, 1, 0, 0, 0, 0, 1, 0, 0, 0},
                                             {0, 1, 0, 0, 0, 0, 1, 0, 0, 0},
                                             {0, 0, 1, 0, 0, 0, 0, 1, 0, 0},
                                             {1, 0, 0, 1, 0, 0, 1, 0, 0, 0}}));
}

TEST(GraphMlFiles, OfNetworkX) {
  const Dataset data = read_dataset(fixture("networkx.graphml"));
  expect_graph(data);
  EXPECT_EQ(data.labels(), kLabels);
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"class <0>", "class <1>", "class <2>"}));
  auto features = kFeatures;  // NetworkX declares c, b, a
  for (auto& row : features) std::reverse(row.begin(), row.end());
  EXPECT_EQ(rows_of(data.features), features);
}

class Python3 : public testing::TestWithParam<int> {};

TEST_P(Python3, ValuesAreThoseThatWerePickled) {
  const auto path = fixture("python3." + std::to_string(GetParam()) + ".pickle");
  const Pickle pickle("file", made::file_content(path));
  const PickleNode* dict = node_of(pickle.root(), PickleNode::Kind::kDict);
  ASSERT_TRUE(dict);
  const auto member = [&](const char* key) { return *find(*dict, key); };
  const NpyArray array = pickled_array(member("array"), "here");
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(to_integers(array), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  const auto fortran = to_floats(pickled_array(member("fortran"), "here"));
  EXPECT_EQ(std::vector<float>(fortran.begin(), fortran.end()),
            (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(to_integers(pickled_array(member("big"), "here")),
            (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(rows_of(pickled_csr(member("csr"), "here")), kFeatures);
  const PickleValue text = member("text");
  EXPECT_EQ(*text_of(text), "Gr\xc3\xbc\xc3\x9f \xe2\x82\xac");
  const auto& numbers = node_of(member("numbers"), PickleNode::Kind::kList)->items;
  ASSERT_EQ(numbers.size(), 9u);
  EXPECT_EQ(numbers[0].integer, -1);
  EXPECT_EQ(numbers[1].integer, 255);
  EXPECT_EQ(numbers[2].integer, 65536);
  EXPECT_EQ(numbers[3].integer, -(1ll << 40));
  EXPECT_EQ(numbers[4].integer, 1ll << 62);
  EXPECT_EQ(numbers[5].real, 1.5);
  EXPECT_EQ(numbers[6].kind, PickleValue::Kind::kBool);
  EXPECT_EQ(numbers[6].integer, 1);
  EXPECT_EQ(numbers[7].integer, 0);
  EXPECT_TRUE(numbers[8].is_none());
}

INSTANTIATE_TEST_SUITE_P(Protocols, Python3, testing::Values(0, 2, 4));

}  // namespace
}  // namespace cupel
