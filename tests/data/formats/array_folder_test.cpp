// An npz file unpacked: a folder of .npy files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cupel/data/formats/format.h"
#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/generate/generator.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::member;
using made::Members;

class ArrayFolder : public testing::Test {
 protected:
  ArrayFolder() { std::filesystem::create_directory(path_); }
  void write(const Members& members) const {
    for (const auto& [key, value] : members) write_npy(value, path_ / (key + ".npy"));
  }
  void expect_refused(Members members, const std::string& key, const NpyArray& value,
                      const std::vector<std::string>& pieces) const {
    member(members, key) = value;
    write(members);
    made::expect_error([&] { (void)read_dataset(path_); }, pieces);
  }

  const made::Folder folder_;
  const std::filesystem::path path_ = folder_ / "unpacked";
  const Members gnn_ = made::gnn_benchmark_members();
};

TEST_F(ArrayFolder, HoldsWhatTheNpzFileHolds) {
  for (const Members& members : {gnn_, made::heterophilous_members()}) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    write_npz(folder_ / "made.npz", members);
    write(members);
    const Dataset file = read_dataset(folder_ / "made.npz"), folder = read_dataset(path_);
    EXPECT_EQ(content_hash(folder), content_hash(file));
    EXPECT_EQ(folder.class_names(), file.class_names());
    EXPECT_EQ(folder.name, "unpacked");
  }
  EXPECT_TRUE(holds_dataset(path_));
}

TEST_F(ArrayFolder, NeedsNeitherFeaturesNorLabelsNorValues) {
  Members alone;
  for (const auto& entry : gnn_) {
    if (entry.first.starts_with("adj_") && entry.first != "adj_data") alone.push_back(entry);
  }
  write(alone);
  const Dataset data = read_dataset(path_);
  EXPECT_TRUE(data.adjacency.is_pattern());
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{1, 0, 2, 3}));
  EXPECT_EQ(feature_count(data.features), 0);
  EXPECT_TRUE(data.labels().empty());
  EXPECT_EQ(data.classes(), 0);
  for (const char* part : {"idx_train", "idx_val", "idx_test"})
    write_npy(array<std::int32_t>({part[4] == 't' ? part[5] == 'r' ? 0 : 1 : 2}),
              path_ / fmt::format("{}.npy", part));
  made::expect_error([&] { (void)read_dataset(path_); }, {"has a stored split and no labels"});
}

TEST_F(ArrayFolder, APartOfFeaturesOrLabelsIsNotLeftOutInSilence) {
  write(gnn_);
  std::filesystem::remove(path_ / "attr_data.npy");
  made::expect_error([&] { (void)read_dataset(path_); },
                     {path_.string(), "'attr_data' is missing"});
  std::filesystem::remove(path_ / "attr_indices.npy");
  std::filesystem::remove(path_ / "attr_indptr.npy");
  made::expect_error([&] { (void)read_dataset(path_); },
                     {path_.string(), "'attr_data' is missing"});
  write(gnn_);
  std::filesystem::remove(path_ / "labels.npy");
  write_npy(array<std::int64_t>({0, 1, 2, 3, 4, 5}), path_ / "labels_indptr.npy");
  made::expect_error([&] { (void)read_dataset(path_); },
                     {path_.string(), "'labels_data' is missing"});
}

TEST_F(ArrayFolder, FaultsNameTheFile) {
  expect_refused(
      gnn_, "adj_indices", array<std::int32_t>({1, 0, 2, 5}),
      {(path_ / "adj_indices.npy").string() + "[3] is 5, which is none of the 5 columns"});
  expect_refused(gnn_, "adj_indices", array<float>({1, 0, 2, 3}),
                 {"adj_indices.npy: has dtype <f4 where whole numbers are needed"});
  expect_refused(gnn_, "adj_indices", array<float>({}), {"adj_indices.npy: has dtype <f4"});
  expect_refused(gnn_, "adj_indices", array<std::int32_t>({1, 0, 2}),
                 {"adj_indices.npy: has 3 entries where 4 are needed", "adj_indptr"});
  expect_refused(gnn_, "adj_indices", array<std::int32_t>({1, 0, 2, 3}, {2, 2}),
                 {"adj_indices.npy: has 2 axes where 1 are needed"});
  write(gnn_);
  std::filesystem::resize_file(path_ / "adj_indices.npy", 130);
  made::expect_error([&] { (void)read_dataset(path_); }, {"adj_indices.npy", "damaged"});
  std::filesystem::remove(path_ / "adj_indices.npy");
  made::expect_error([&] { (void)read_dataset(path_); },
                     {"array 'adj_indices' is missing; the folder has", "'adj_indptr'"});
}

// More than one piece of what is read at once, in every width.
TEST_F(ArrayFolder, LongArraysAreReadPieceByPiece) {
  constexpr std::int64_t kArcs = 2'300'000;
  std::vector<std::int64_t> wide(kArcs);
  std::vector<std::int32_t> narrow(kArcs);
  for (std::int64_t k = 0; k < kArcs; ++k)
    wide[static_cast<std::size_t>(k)] = narrow[static_cast<std::size_t>(k)] =
        static_cast<std::int32_t>(k);
  const Members members = {{"adj_indices", array(wide)},
                           {"adj_indptr", array<std::int64_t>({0, kArcs, kArcs})},
                           {"adj_shape", array<std::int64_t>({2, kArcs})}};
  write(members);
  for (const NpyArray& indices : {array(wide), array(narrow)}) {
    write_npy(indices, path_ / "adj_indices.npy");
    const NpzFile file(path_);
    EXPECT_EQ(file.read_indices("adj_indices", kArcs, "the columns"), narrow);
  }
  narrow[2'000'001] = -7;
  write_npy(array(narrow), path_ / "adj_indices.npy");
  made::expect_error(
      [&] { (void)NpzFile(path_).read_indices("adj_indices", kArcs, "the columns"); },
      {"adj_indices.npy[2000001] is -7, which is none of the columns"});
}

TEST_F(ArrayFolder, IsHowGraphsWithoutFeaturesAreWritten) {
  for (const char* text : {"rmat", "rmat:classes=5,scale=6", "rmat:scale=3,edge-factor=0"}) {
    const Dataset data = generate(parse_generator_call(text));
    const std::filesystem::path path = folder_ / text;
    write_generated(data, path);
    EXPECT_FALSE(std::filesystem::exists(path / "adj_data.npy"));
    const Dataset back = read_dataset(path);
    EXPECT_EQ(content_hash(back), content_hash(data)) << text;
    EXPECT_EQ(back.class_names(), data.class_names());
    made::expect_error([&] { write_generated(data, path); }, {path.string(), "not empty"});
  }
  // The other parts of a data set are kept too.
  write_npz(folder_ / "made.npz", gnn_);
  const Dataset data = read_dataset(folder_ / "made.npz");
  write_gnn_benchmark_folder(data, folder_ / "again");
  EXPECT_EQ(content_hash(read_dataset(folder_ / "again")), content_hash(data));
}

}  // namespace
}  // namespace cupel
