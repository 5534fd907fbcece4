// The two npz formats: what they mean, and a sentence for everything that is wrong with a file.
#include <gtest/gtest.h>

#include <limits>

#include "cupel/data/formats/format.h"
#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/heterophilous.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::member;
using made::Members;

std::vector<float> floats(const AlignedVector<float>& values) {
  return {values.begin(), values.end()};
}

class NpzDataset : public testing::Test {
 protected:
  Dataset read(const Members& members) {
    write_npz(path_, members);
    Dataset out = read_dataset(path_);
    made::check_dataset(out);
    return out;
  }
  void expect_refused(const Members& members, const std::vector<std::string>& pieces) {
    write_npz(path_, members);
    made::expect_error([&] { (void)read_dataset(path_); }, {path_.string()});
    made::expect_error([&] { (void)read_dataset(path_); }, pieces);
  }
  // The made file with one member replaced, or left out.
  void expect_refused(Members members, const std::string& key, const NpyArray& value,
                      const std::vector<std::string>& pieces) {
    member(members, key) = value;
    expect_refused(members, pieces);
  }
  void expect_missing(Members members, const std::string& key,
                      const std::vector<std::string>& pieces) {
    made::erase(members, key);
    expect_refused(members, pieces);
  }

  const made::Folder folder_;
  const std::filesystem::path path_ = folder_ / "made.npz";
  Members gnn_ = made::gnn_benchmark_members();
  Members het_ = made::heterophilous_members();
};

// ---- gnn-benchmark ------------------------------------------------------------------------------

TEST_F(NpzDataset, GnnBenchmarkIsReadAsStored) {
  const Dataset d = read(gnn_);
  EXPECT_EQ(d.name, "made");
  EXPECT_EQ(d.adjacency.row_ptr, (std::vector<Offset>{0, 1, 3, 4, 4, 4}));
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 0, 2, 3}));
  EXPECT_EQ(floats(d.adjacency.values), (std::vector<float>{1, 1, 2, 1}));
  const auto& x = std::get<Csr>(d.features);
  EXPECT_EQ(x.cols, 3);
  EXPECT_EQ(floats(x.values), (std::vector<float>{1, 0.5, 1, 3, 1}));
  EXPECT_EQ(d.labels(), (std::vector<Index>{0, 1, 2, 1, 0}));
  EXPECT_EQ(d.class_names(), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_TRUE(d.stored_splits.empty());
  EXPECT_TRUE(d.history.empty());
}

TEST_F(NpzDataset, AllOnesAreAPattern) {
  member(gnn_, "adj_data") = array<float>({1, 1, 1, 1});
  EXPECT_TRUE(read(gnn_).adjacency.is_pattern());
}

TEST_F(NpzDataset, UnsortedAndRepeatedEntriesAreSortedAndSummed) {
  member(gnn_, "adj_indices") = array<std::int32_t>({4, 3, 0, 0});
  member(gnn_, "adj_indptr") = array<std::int64_t>({0, 4, 4, 4, 4, 4});
  const Dataset d = read(gnn_);
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{0, 3, 4}));
  EXPECT_EQ(floats(d.adjacency.values), (std::vector<float>{3, 1, 1}));
  const float big = std::numeric_limits<float>::max();
  expect_refused(gnn_, "adj_data", array<float>({1, 1, big, big}),
                 {"member 'adj_data'", "sum of repeated entries"});
}

TEST_F(NpzDataset, DenseFeatures) {
  for (const char* part : {"attr_data", "attr_indices", "attr_indptr", "attr_shape"}) {
    made::erase(gnn_, part);
  }
  gnn_.emplace_back("attr_matrix", array<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {5, 2}));
  EXPECT_EQ(std::get<Matrix>(read(gnn_).features)(3, 1), 8.0f);
  member(gnn_, "attr_matrix").fortran_order = true;
  EXPECT_EQ(std::get<Matrix>(read(gnn_).features)(3, 1), 9.0f);
  expect_refused(gnn_, "attr_matrix", array<float>({1, 2, 3, 4}, {4, 1}),
                 {"member 'attr_matrix'", "4 feature rows for 5 nodes"});
  expect_refused(gnn_, "attr_matrix", array<float>({}, {5, 0}), {"no feature column"});
  expect_refused(gnn_, "attr_matrix", array<float>({1, 2, 3, 4, 5}), {"1 axes where 2"});
}

TEST_F(NpzDataset, LabelsAreRenumberedAndNamed) {
  member(gnn_, "labels") = array<std::int64_t>({7, 3, 7, 7, 11});
  const Dataset plain = read(gnn_);
  EXPECT_EQ(plain.labels(), (std::vector<Index>{1, 0, 1, 1, 2}));
  EXPECT_EQ(plain.class_names(), (std::vector<std::string>{"3", "7", "11"}));
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'l'; ++c) names.push_back(std::string(1, c));
  gnn_.emplace_back("class_names", make_npy(std::span<const std::string>(names)));
  EXPECT_EQ(read(gnn_).class_names(), (std::vector<std::string>{"d", "h", "l"}));
  names.pop_back();
  expect_refused(gnn_, "class_names", make_npy(std::span<const std::string>(names)),
                 {"member 'labels'", "class 11", "11 class names"});
}

TEST_F(NpzDataset, PickledClassNamesAreNotLoaded) {
  NpyArray objects;
  objects.type = {'O', 0};
  objects.shape = {3};
  gnn_.emplace_back("class_names", objects);
  EXPECT_EQ(read(gnn_).class_names(), (std::vector<std::string>{"0", "1", "2"}));
  expect_refused(gnn_, "labels", objects, {"member 'labels'", "Python objects"});
}

TEST_F(NpzDataset, OneHotLabels) {
  made::erase(gnn_, "labels");
  gnn_.emplace_back("labels_data", array<float>({1, 1, 1, 0, 1, 1}));
  gnn_.emplace_back("labels_indices", array<std::int32_t>({0, 1, 2, 0, 1, 0}));
  gnn_.emplace_back("labels_indptr", array<std::int32_t>({0, 1, 2, 3, 5, 6}));
  gnn_.emplace_back("labels_shape", array<std::int64_t>({5, 3}));
  EXPECT_EQ(read(gnn_).labels(), (std::vector<Index>{0, 1, 2, 1, 0}));
  expect_refused(gnn_, "labels_data", array<float>({1, 1, 1, 1, 1, 1}), {"node 3 has 2 classes"});
  made::member(gnn_, "labels_data") = array<float>({1, 0, 1, 0, 1, 1});
  EXPECT_EQ(read(gnn_).labels(), (std::vector<Index>{0, -1, 2, 1, 0}))
      << "a row of zeros: no label";
}

TEST_F(NpzDataset, StoredSplits) {
  gnn_.emplace_back("idx_train", array<std::int64_t>({3, 0}));
  gnn_.emplace_back("idx_val", array<std::int64_t>({2}));
  gnn_.emplace_back("idx_test", array<std::int64_t>({4, 1}));
  const Dataset d = read(gnn_);
  ASSERT_EQ(d.stored_splits.size(), 1u);
  EXPECT_EQ(d.stored_splits[0].train, (std::vector<Index>{3, 0})) << "the order of the scheme";
  EXPECT_EQ(d.stored_splits[0].test, (std::vector<Index>{1, 4})) << "ascending";
  expect_missing(gnn_, "idx_val", {"member 'idx_val' is missing"});
  expect_refused(gnn_, "idx_val", array<std::int64_t>({5}), {"'idx_val'[0] is 5", "5 nodes"});
  expect_refused(gnn_, "idx_val", array<std::int64_t>({3}), {"idx_train", "node 3"});
  expect_refused(gnn_, "idx_val", array<std::int64_t>({}), {"empty"});
  expect_refused(gnn_, "idx_test", array<float>({1}), {"'idx_test'", "dtype <f4"});
}

TEST_F(NpzDataset, GnnBenchmarkFaults) {
  const float nan = std::nanf("");
  expect_missing(gnn_, "adj_indptr", {"member 'adj_indptr' is missing", "'adj_data'"});
  expect_missing(gnn_, "attr_data", {"member 'attr_data' is missing"});
  Members bare = gnn_;
  std::erase_if(bare, [](const auto& entry) { return entry.first.starts_with("attr_"); });
  expect_refused(bare, {"has no features; give attr_data"});
  expect_missing(gnn_, "labels", {"has no labels"});
  expect_refused(gnn_, "adj_data", array<float>({1, nan, 1, 1}), {"'adj_data'[1] is nan"});
  expect_refused(gnn_, "attr_data", array<float>({1, 1, 1, 1, -INFINITY}),
                 {"'attr_data'[4] is -inf"});
  expect_refused(gnn_, "adj_indices", array<std::int32_t>({1, 0, 2, 5}),
                 {"'adj_indices'[3] is 5", "none of the 5 columns"});
  expect_refused(gnn_, "adj_indices", array<std::int32_t>({1, 0, 2}),
                 {"'adj_indices'", "3 entries where 4 are needed"});
  expect_refused(gnn_, "adj_data", array<float>({1, 1, 1}), {"3 entries where 4 are needed"});
  expect_refused(gnn_, "adj_indptr", array<std::int32_t>({0, 1, 3, 4, 4}),
                 {"'adj_indptr'", "5 entries where 6 are needed"});
  expect_refused(gnn_, "adj_indptr", array<std::int32_t>({0, 3, 1, 4, 4, 4}),
                 {"'adj_indptr'[2] is 1, less than the 3"});
  expect_refused(gnn_, "adj_indptr", array<std::int32_t>({1, 1, 3, 4, 4, 4}),
                 {"'adj_indptr'[0] is 1"});
  expect_refused(gnn_, "adj_shape", array<std::int64_t>({5, 6}), {"5 x 6", "square"});
  expect_refused(gnn_, "adj_shape", array<std::int64_t>({5}), {"1 entries where 2"});
  expect_refused(gnn_, "adj_shape", array<std::int64_t>({1LL << 31, 1LL << 31}),
                 {"'adj_shape'", "2147483648", "at most 2147483647"});
  expect_refused(gnn_, "adj_shape", array<std::int64_t>({-5, -5}), {"-5"});
  expect_refused(gnn_, "adj_shape", array<std::int64_t>({0x7fffffff, 0x7fffffff}),
                 {"6 entries where 2147483648 are needed"});
  expect_refused(gnn_, "labels", array<std::int32_t>({0, 1}), {"2 labels for 5 nodes"});
  expect_refused(gnn_, "labels", array<std::int32_t>({0, 1, -2, 0, 0}),
                 {"'labels'[2] is -2", "-1"});
  expect_refused(gnn_, "labels", array<std::int32_t>({0, 1, 1, 0, 0}, {5, 1}), {"2 axes"});
  expect_refused(gnn_, "labels", array<float>({0, 1, 1, 0, 0}), {"dtype <f4"});

  Members empty = gnn_;
  member(empty, "adj_shape") = array<std::int64_t>({0, 0});
  member(empty, "adj_indptr") = array<std::int32_t>({0});
  member(empty, "adj_indices") = array<std::int32_t>({});
  member(empty, "adj_data") = array<float>({});
  expect_refused(empty, {"has no node"});
}

TEST_F(NpzDataset, NoSplitIsLostBehindAGap) {
  const auto add = [&](const std::string& number) {
    gnn_.emplace_back("idx_train_" + number, array<std::int64_t>({3, 0}));
    gnn_.emplace_back("idx_val_" + number, array<std::int64_t>({2}));
    gnn_.emplace_back("idx_test_" + number, array<std::int64_t>({1, 4}));
  };
  add("0");
  EXPECT_EQ(read(gnn_).stored_splits.size(), 1u);
  add("2");
  expect_refused(gnn_, {"_2'", "split 2", "there is 1 split", "without a gap"});
}

TEST_F(NpzDataset, WhatIsWrittenIsReadBack) {
  gnn_.emplace_back("idx_train", array<std::int64_t>({3, 0}));
  gnn_.emplace_back("idx_val", array<std::int64_t>({2}));
  gnn_.emplace_back("idx_test", array<std::int64_t>({1, 4}));
  Dataset d = read(gnn_);
  d.class_names() = {"Gr\xc3\xbc\xc3\x9f", "b", ""};
  const auto again = folder_ / "again.npz";
  for (int splits = 0; splits < 3; ++splits) {
    d.stored_splits.resize(splits, Split{{4}, {3, 2}, {0, 1}});
    write_gnn_benchmark_npz(d, again);
    const Dataset back = read_dataset(again);
    EXPECT_EQ(content_hash(back), content_hash(d)) << splits << " splits";
    EXPECT_EQ(back.class_names(), d.class_names());
    EXPECT_EQ(back.name, "again");
  }
  const std::string first = made::file_content(again);
  write_gnn_benchmark_npz(d, again);
  EXPECT_EQ(made::file_content(again), first);
}

// ---- heterophilous graphs -----------------------------------------------------------------------

TEST_F(NpzDataset, HeterophilousIsReadAsStored) {
  const Dataset d = read(het_);
  EXPECT_EQ(d.nodes(), 4);
  EXPECT_EQ(d.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2, 2, 3})) << "one arc per row";
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 2, 0}));
  EXPECT_TRUE(d.adjacency.is_pattern());
  EXPECT_EQ(std::get<Matrix>(d.features)(2, 1), 0.5f);
  EXPECT_EQ(d.labels(), (std::vector<Index>{0, 1, 1, 0}));
  ASSERT_EQ(d.stored_splits.size(), 2u);
  EXPECT_EQ(d.stored_splits[0].train, (std::vector<Index>{0, 1}));
  EXPECT_EQ(d.stored_splits[0].valid, (std::vector<Index>{2}));
  EXPECT_EQ(d.stored_splits[1].train, (std::vector<Index>{2, 3}));
  EXPECT_EQ(d.stored_splits[1].test, (std::vector<Index>{0}));
}

TEST_F(NpzDataset, MemoryOrderDoesNotMatter) {
  const std::string wanted = content_hash(read(het_));
  for (auto& [key, a] : het_) {
    if (a.shape.size() != 2) continue;
    const std::size_t rows = a.shape[0], cols = a.shape[1], unit = a.type.bytes;
    const std::vector<std::byte> c_order = a.bytes;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        std::copy_n(c_order.begin() + (i * cols + j) * unit, unit,
                    a.bytes.begin() + (j * rows + i) * unit);
      }
    }
    a.fortran_order = true;
  }
  EXPECT_EQ(content_hash(read(het_)), wanted);
}

TEST_F(NpzDataset, RepeatedEdgesAreCounted) {
  member(het_, "edges") = array<std::int64_t>({0, 1, 0, 1, 1, 0}, {3, 2});
  const Dataset d = read(het_);
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 0}));
  EXPECT_EQ(floats(d.adjacency.values), (std::vector<float>{2, 1}));
}

TEST_F(NpzDataset, MasksMayBeAbsentOrOneSplit) {
  Members none = het_;
  for (const char* key : {"train_masks", "val_masks", "test_masks"}) made::erase(none, key);
  EXPECT_TRUE(read(none).stored_splits.empty());
  for (const char* key : {"train_masks", "val_masks", "test_masks"}) {
    member(het_, key).shape = {4};
    member(het_, key).bytes.resize(4);
  }
  EXPECT_EQ(read(het_).stored_splits.size(), 1u);
}

TEST_F(NpzDataset, HeterophilousFaults) {
  expect_missing(het_, "edges", {"member 'edges' is missing"});
  expect_missing(het_, "node_labels", {"member 'node_labels' is missing"});
  expect_missing(het_, "val_masks", {"member 'val_masks' is missing"});
  expect_refused(het_, "edges", array<std::int64_t>({0, 1, 1, 4}, {2, 2}),
                 {"'edges'[1, 1] is 4", "4 nodes"});
  expect_refused(het_, "edges", array<std::int64_t>({0, 1, 1, 2, 2, 3}, {2, 3}),
                 {"(2, 3) where (edges, 2)"});
  expect_refused(het_, "node_labels", array<std::int64_t>({0, 1}), {"2 labels for 4 nodes"});
  expect_refused(het_, "node_features", array<float>({}, {0, 2}), {"no node"});
  expect_refused(het_, "train_masks", array<std::int32_t>({1, 0, 1}, {1, 3}),
                 {"'train_masks'", "(1, 3) where (splits, 4)"});
  expect_refused(het_, "val_masks", array<std::int32_t>({0, 0, 1, 0}, {1, 4}),
                 {"'val_masks'", "1 splits where train_masks has 2"});
  expect_refused(het_, "val_masks", array<std::int32_t>({1, 0, 0, 0, 0, 1, 0, 0}, {2, 4}),
                 {"split 0", "node 0"});
}

// ---- recognition --------------------------------------------------------------------------------

TEST_F(NpzDataset, RecognisedByContent) {
  write_npz(path_, gnn_);
  EXPECT_EQ(read_dataset(folder_.path()).name, "made") << "a folder with one npz file";
  std::filesystem::rename(path_, folder_ / "made.data");
  EXPECT_EQ(read_dataset(folder_ / "made.data").nodes(), 5) << "the ending does not matter";
  made::expect_error([&] { (void)read_dataset(folder_.path()); },
                     {"no edges.csv and no npz, .npy, .pt"});
  write_npz(folder_ / "a.npz", gnn_);
  write_npz(folder_ / "b.npz", het_);
  made::expect_error([&] { (void)read_dataset(folder_.path()); }, {"2 npz files"});
}

TEST_F(NpzDataset, WhatIsNoGraphIsRefused) {
  expect_refused({{"weights", array<float>({1})}}, {"no graph in a known format", "'weights'"});
  made::expect_error([&] { (void)read_dataset(folder_ / "none.npz"); }, {"no such file"});
  made::write_file(path_, "just text");
  made::expect_error([&] { (void)read_dataset(path_); },
                     {"is not an npz", "facts over time are lines of three whole numbers",
                      "source,target,timestamp"});
  made::write_file(path_, "");
  made::expect_error([&] { (void)read_dataset(path_); }, {"is not an npz"});
  made::expect_error([&] { (void)read_dataset("/dev/null"); }, {"not a regular file"});
}

}  // namespace
}  // namespace cupel
