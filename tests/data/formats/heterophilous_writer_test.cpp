// Writing the heterophilous npz, and reading files that only an audit may read.
#include <gtest/gtest.h>

#include <cstddef>

#include "cupel/data/formats/format.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::member;
using made::Members;

class HeterophilousWriter : public testing::Test {
 protected:
  const made::Folder folder_;
  const std::filesystem::path path_ = folder_ / "made.npz", again_ = folder_ / "again.npz";
  Members het_ = made::heterophilous_members();
};

TEST_F(HeterophilousWriter, ReadingBackGivesTheSameContent) {
  member(het_, "edges") = array<std::int64_t>({0, 1, 1, 2, 1, 2, 1, 2, 3, 0, 2, 2}, {6, 2});
  member(het_, "node_labels") = array<std::int64_t>({3, 12, 12, 7});
  write_npz(path_, het_);
  const Dataset dataset = read_dataset(path_);
  EXPECT_EQ(dataset.repeated_arcs, 2);
  write_heterophilous_npz(dataset, again_);
  EXPECT_EQ(content_hash(read_dataset(again_)), content_hash(dataset));
  const NpzFile file(again_);
  EXPECT_EQ(to_integers(file.read("node_labels")), (std::vector<std::int64_t>{3, 12, 12, 7}));
  EXPECT_EQ(to_integers(file.read("edges")),
            (std::vector<std::int64_t>{0, 1, 1, 2, 1, 2, 1, 2, 2, 2, 3, 0}));
  EXPECT_EQ(to_text(file.read("train_masks").type), "|b1");
  EXPECT_EQ(to_text(file.read("node_features").type), "<f4");
}

TEST_F(HeterophilousWriter, LabelsThatAreNamesAreNumbered) {
  write_npz(path_, het_);
  Dataset dataset = read_dataset(path_);
  for (const auto& names : {std::vector<std::string>{"tea", "coffee"}, {"01", "2"}, {"5", "4"}}) {
    dataset.class_names() = names;
    EXPECT_EQ(stored_labels(dataset), (std::vector<std::int64_t>{0, 1}));
  }
  dataset.class_names() = {"4", "5"};
  EXPECT_EQ(stored_labels(dataset), (std::vector<std::int64_t>{4, 5}));
}

TEST_F(HeterophilousWriter, SparseFeaturesBecomeDense) {
  write_npz(path_, made::gnn_benchmark_members());
  Dataset dataset = read_dataset(path_);
  write_heterophilous_npz(dataset, again_);
  const Dataset back = read_dataset(again_);
  const auto& x = std::get<Matrix>(back.features);
  EXPECT_EQ((std::vector<float>(x.values.begin(), x.values.end())),
            (std::vector<float>{1, 0, 0.5, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1}));
  EXPECT_EQ(back.adjacency.values, dataset.adjacency.values) << "an arc of value 2 is two rows";
}

TEST_F(HeterophilousWriter, MasksOfWhatStopsTraining) {
  // Half of what was trained on.
  het_.emplace_back("stopping_masks", member(het_, "train_masks"));
  for (const std::size_t at : {1u, 7u}) member(het_, "train_masks").bytes[at] = std::byte{0};
  for (const std::size_t at : {0u, 6u}) member(het_, "stopping_masks").bytes[at] = std::byte{0};
  write_npz(path_, het_);
  const Dataset dataset = read_dataset(path_);
  EXPECT_EQ(dataset.stored_splits[0].stopping, std::vector<Index>{1});
  EXPECT_EQ(dataset.stored_splits[1].stopping, std::vector<Index>{3});
  write_heterophilous_npz(dataset, again_);
  EXPECT_EQ(read_dataset(again_).stored_splits[1].stopping, std::vector<Index>{3});
  member(het_, "stopping_masks") = member(het_, "node_labels");
  member(het_, "stopping_masks").shape = {1, 4};
  write_npz(path_, het_);
  made::expect_error([&] { (void)read_dataset(path_); },
                     {"'stopping_masks'", "has 1 splits where train_masks has 2"});
}

TEST_F(HeterophilousWriter, AnAuditReadsSplitsThatRunsRefuse) {
  member(het_, "val_masks").bytes = member(het_, "train_masks").bytes;
  write_npz(path_, het_);
  made::expect_error([&] { (void)read_dataset(path_); }, {"split 0", "node 0"});
  const Dataset overlapping = read_dataset(path_, ReadMode::kForAudit);
  EXPECT_EQ(overlapping.stored_splits[0].train, overlapping.stored_splits[0].valid);
  write_heterophilous_npz(overlapping, again_);
  EXPECT_EQ(content_hash(read_dataset(again_, ReadMode::kForAudit)), content_hash(overlapping));
}

TEST_F(HeterophilousWriter, AnAuditReadsGraphsWithoutFeatures) {
  made::erase(het_, "node_features");
  write_npz(path_, het_);
  made::expect_error([&] { (void)read_dataset(path_); }, {"member 'node_features' is missing"});
  const Dataset bare = read_dataset(path_, ReadMode::kForAudit);
  EXPECT_EQ(bare.nodes(), 4);
  EXPECT_EQ(feature_count(bare.features), 0);
  write_heterophilous_npz(bare, again_);
  EXPECT_EQ(content_hash(read_dataset(again_, ReadMode::kForAudit)), content_hash(bare));
}

TEST_F(HeterophilousWriter, AnAuditStillRefusesWhatHasNoMeaning) {
  member(het_, "edges") = array<std::int64_t>({0, 1, 1, 4}, {2, 2});
  write_npz(path_, het_);
  made::expect_error([&] { (void)read_dataset(path_, ReadMode::kForAudit); },
                     {"'edges'[1, 1] is 4", "4 nodes"});
}

}  // namespace
}  // namespace cupel
