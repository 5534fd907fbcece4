// Writing in every format: what is read back is what was written, or the format says what it cannot
// hold.
#include "cupel/data/export/graph_formats.h"

#include <gtest/gtest.h>

#include "cupel/data/formats/csv_writer.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/text_labels.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_files.h"
#include "data/made_graph_sets.h"

namespace cupel {
namespace {

// Weights, an unlabelled node, two splits, values that need all digits.
Dataset made_graph() {
  Dataset out;
  out.name = "made";
  out.adjacency = from_edges(5, std::vector<Edge>{{0, 1}, {1, 0}, {1, 2}, {3, 3}},
                             std::vector<float>{1, 0.1f, 3, 1e-30f});
  Matrix features(5, 2);
  features(0, 0) = 1.0f / 3;
  features(1, 1) = -3.4e38f;
  features(2, 0) = 16777217.0f;
  features(4, 1) = 1e-45f;
  out.features = std::move(features);
  out.labels() = {0, 1, -1, 1, 0};
  out.class_names() = {"0", "1"};
  out.stored_splits = {{{0}, {1}, {3, 4}}, {{3, 4}, {0}, {1}}};
  return out;
}

Csr sparse_features() {
  Csr out;
  out.rows = 5;
  out.cols = 3;
  out.row_ptr = {0, 1, 1, 3, 3, 3};
  out.columns = {1, 0, 2};
  out.values = {0.5f, 1, 2};
  return out;
}

const GraphFormat& format_of(const std::string& name) {
  for (const GraphFormat& format : graph_formats()) {
    if (format.name == name) return format;
  }
  throw std::logic_error("no such format");
}

class Formats : public testing::TestWithParam<const char*> {};

TEST_P(Formats, ReadBackAreTheSame) {
  const made::Folder folder;
  const GraphFormat& format = format_of(GetParam());
  const auto path = folder / (format.folder ? "out" : "out.npz");
  Dataset data = made_graph();
  if (format.name == std::string("heterophilous") || format.name == std::string("wiki-cs"))
    data.adjacency.values = {1, 2, 3, 1};
  for (int splits = 2; splits >= 0; --splits) {
    data.stored_splits.resize(static_cast<std::size_t>(splits));
    EXPECT_EQ(write_dataset(data, format, path), std::vector<std::string>());
    EXPECT_EQ(content_hash(read_dataset(path)), content_hash(data)) << splits;
    std::filesystem::remove_all(path);
  }
  data.stored_splits = {{{0}, {1}, {3}, {4}}};
  (void)write_dataset(data, format, path);
  EXPECT_EQ(read_dataset(path).stored_splits.at(0).stopping, (std::vector<Index>{4}));
  EXPECT_EQ(content_hash(read_dataset(path)), content_hash(data)) << "a part that stops training";
  std::filesystem::remove_all(path);
  data.stored_splits.clear();
  data.adjacency.values = {};  // a pattern stays one
  (void)write_dataset(data, format, path);
  EXPECT_EQ(content_hash(read_dataset(path)), content_hash(data));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "nothing is left beside it";
}

TEST_P(Formats, OfAGeneratedGraph) {
  const made::Folder folder;
  const GraphFormat& format = format_of(GetParam());
  const auto path = folder / (format.folder ? "out" : "out.npz");
  const Dataset data = generate(parse_generator_call("minesweeper:rows=12,columns=12"));
  (void)write_dataset(data, format, path);
  EXPECT_EQ(content_hash(read_dataset(path)), content_hash(data));
}

INSTANTIATE_TEST_SUITE_P(All, Formats,
                         testing::Values("gnn-benchmark", "heterophilous", "pyg", "csv", "wiki-cs",
                                         "croissant"));

// What stops training is kept where one split has it and another has not.
TEST(GraphFormats, AFourthPartOfSplits) {
  const made::Folder folder;
  Dataset data = made_graph();
  data.adjacency.values = {};
  data.stored_splits = {{{0}, {1}, {3}, {4}}, {{3, 4}, {0}, {1}}};
  for (const char* name : {"heterophilous", "pyg", "wiki-cs"}) {
    EXPECT_TRUE(write_dataset(data, format_of(name), folder / name).empty()) << name;
    const Dataset back = read_dataset(folder / name);
    ASSERT_EQ(back.stored_splits.size(), 2u) << name;
    EXPECT_EQ(back.stored_splits[0].stopping, std::vector<Index>{4}) << name;
    EXPECT_TRUE(back.stored_splits[1].stopping.empty()) << name;
    EXPECT_EQ(back.stored_splits[0].train, std::vector<Index>{0}) << name;
    EXPECT_EQ(content_hash(back), content_hash(data)) << name;
  }
}

// Sparse features keep their values everywhere, and their form where a format has it.
TEST(GraphFormats, SparseFeatures) {
  const made::Folder folder;
  Dataset data = made_graph();
  data.adjacency.values = {};
  data.features = sparse_features();
  EXPECT_TRUE(write_dataset(data, format_of("gnn-benchmark"), folder / "a.npz").empty());
  for (const char* name : {"heterophilous", "pyg", "csv", "wiki-cs"}) {
    const auto lost = write_dataset(data, format_of(name), folder / name);
    ASSERT_EQ(lost.size(), 1u) << name;
    EXPECT_NE(lost[0].find("sparse features"), std::string::npos);
    const Dataset back = read_dataset(folder / name);
    EXPECT_EQ(std::get<Matrix>(back.features)(2, 2), 2.0f);
  }
  data.features = identity_features(5);
  EXPECT_TRUE(write_dataset(data, format_of("csv"), folder / "unit").empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "unit" / "features.csv"));
  EXPECT_EQ(content_hash(read_dataset(folder / "unit")), content_hash(data));
}

TEST(GraphFormats, NamesOfClassesAndOrdersAreTold) {
  const made::Folder folder;
  Dataset data = made_graph();
  data.class_names() = {"ale", "tea, \"black\""};
  data.stored_splits = {{{4, 0}, {1}, {3}}};
  EXPECT_TRUE(write_dataset(data, format_of("csv"), folder / "text").empty());
  EXPECT_EQ(read_dataset(folder / "text").class_names(), data.class_names());
  const auto lost = write_dataset(data, format_of("pyg"), folder / "a.npz");
  EXPECT_EQ(lost, (std::vector<std::string>{"the names of its classes",
                                            "the order of nodes in parts of splits"}));
  // Names that reading would order otherwise are not written.
  data.class_names() = {"tea", "ale"};
  EXPECT_EQ(write_dataset(data, format_of("csv"), folder / "other"),
            std::vector<std::string>{"the names of its classes"});
  EXPECT_EQ(read_dataset(folder / "other").labels(), data.labels());
}

// A folder of arrays holds any graph, with or without features, labels and splits.
TEST(GraphFormats, ArraysHoldGraphsWithoutFeaturesOrLabels) {
  const made::Folder folder;
  for (const bool features : {false, true}) {
    for (const bool labels : {false, true}) {
      Dataset data = made_graph();
      if (!features) data.features = Matrix(5, 0);
      if (!labels) data.target = Classes{};
      if (!labels) data.stored_splits.clear();
      const auto path = folder / fmt::format("{}{}", features, labels);
      const bool whole = features && labels;
      const GraphFormat& format = graph_format(whole ? "arrays" : "", data, path);
      EXPECT_STREQ(format.name, "arrays");
      EXPECT_TRUE(write_dataset(data, format, path).empty());
      EXPECT_EQ(content_hash(read_dataset(path)), content_hash(data)) << features << labels;
    }
  }
  EXPECT_STREQ(graph_format("", made_graph(), folder / "text").name, "csv");
}

TEST(GraphFormats, WhatAFormatCannotHoldIsRefused) {
  const made::Folder folder;
  const Dataset data = made_graph();
  // Most could not be read again that has no features.
  Dataset bare = made_graph();
  bare.adjacency.values = {};
  bare.features = Matrix(5, 0);
  for (const GraphFormat& format : graph_formats()) {
    if (std::ranges::count(format.holds, Unit::kNode) == 0) continue;
    if (format.bare) continue;
    const auto path = folder / (std::string("bare-") + format.name);
    made::expect_error([&] { (void)write_dataset(bare, format, path); },
                       {"holds one graph with features and labels",
                        "this is one graph without features; take one of arrays"});
    EXPECT_FALSE(std::filesystem::exists(path)) << format.name;
  }
  made::expect_error(
      [&] { (void)write_dataset(data, format_of("heterophilous"), folder / "a.npz"); },
      {(folder / "a.npz").string() + ": this format writes", "that of 1 -> 0 is 0.1"});
  // Weights are no counts of arcs: nothing is written that only fills a disk.
  Dataset heavy = made_graph();
  std::ranges::fill(heavy.adjacency.values, 6e7f);
  for (const char* name : {"heterophilous", "wiki-cs"}) {
    const auto path = folder / (std::string("heavy-") + name);
    made::expect_error([&] { (void)write_dataset(heavy, format_of(name), path); },
                       {path.string(), "they sum to", "1000000 at most", "unweight"});
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  Dataset parallel = made_graph();
  parallel.adjacency.values = {};
  ASSERT_EQ(parallel.adjacency.row_columns(0).size(), 1u);
  parallel.adjacency.columns.insert(parallel.adjacency.columns.begin(),
                                    parallel.adjacency.columns.front());
  for (std::size_t i = 1; i < parallel.adjacency.row_ptr.size(); ++i)
    ++parallel.adjacency.row_ptr[i];
  for (const GraphFormat& format : graph_formats()) {
    if (std::ranges::count(format.holds, Unit::kNode) == 0) continue;
    made::expect_error(
        [&] { (void)write_dataset(parallel, format, folder / (std::string("p-") + format.name)); },
        {"parallel arcs, which no format holds", "both-directions"});
  }
  made::expect_error([&] { (void)graph_format("tu", data, folder / "a"); },
                     {"'tu' holds sets of graphs", "gnn-benchmark, heterophilous, pyg, csv"});
  made::expect_error([&] { (void)graph_format("pig", data, folder / "a"); },
                     {"'pig' is unknown", "did you mean 'pyg'"});
  EXPECT_STREQ(graph_format("", data, folder / "a.npz").name, "gnn-benchmark");
  EXPECT_STREQ(graph_format("", data, folder / "a").name, "csv");
  EXPECT_STREQ(graph_format("", data, folder / "a-0.5").name, "csv");
  made::expect_error([&] { (void)graph_format("", data, folder / "a.mat"); },
                     {"a.mat: files of this kind are not written", "--format csv"});
  EXPECT_STREQ(graph_format("csv", data, folder / "a.mat").name, "csv");
  made::expect_error([&] { (void)write_dataset(data, format_of("csv"), folder.path() / "no/a"); },
                     {"cannot be written"});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));

  made::write_file(folder / "there", "x");
  made::expect_error([&] { (void)write_dataset(data, format_of("csv"), folder / "there"); },
                     {"is there already"});
  std::filesystem::create_directory(folder / "b.npz");
  made::expect_error([&] { (void)write_dataset(data, format_of("pyg"), folder / "b.npz"); },
                     {"is a folder"});
}

// A format that loses a value leaves what was there before.
TEST(GraphFormats, ValuesThatAreLostLeaveTheOldFile) {
  const made::Folder folder;
  const auto path = folder / "a.npz";
  made::write_file(path, "before");
  const GraphFormat lossy = {"lossy",
                             "",
                             false,
                             {Unit::kNode},
                             [](const Dataset& dataset, const std::filesystem::path& to) {
                               Dataset other = dataset;
                               other.labels()[0] = 1;
                               std::get<Matrix>(other.features)(3, 0) = 7;
                               other.adjacency.values[0] += 1;
                               other.stored_splits[1].train = {3};
                               write_gnn_benchmark_npz(other, to);
                             }};
  made::expect_error([&] { (void)write_dataset(made_graph(), lossy, path); },
                     {"'lossy' cannot hold its edges and their values, its features, its labels, "
                      "its stored splits"});
  EXPECT_EQ(made::file_content(path), "before");
}

TEST(GraphFormats, SetsOfGraphs) {
  const made::Folder folder;
  const Dataset data = test::made_set(
      {test::complete_graph(4, 0), test::cycle_graph(5, 1), test::cycle_graph(6, 1)});
  const GraphFormat& format = graph_format("", data, folder / "out");
  EXPECT_STREQ(format.name, "tu");
  EXPECT_TRUE(write_dataset(data, format, folder / "out").empty());
  EXPECT_EQ(content_hash(read_dataset(folder / "out")), content_hash(data));
  made::expect_error([&] { (void)graph_format("", data, folder / "out.npz"); },
                     {"a set of 3 graphs is written as a folder"});
  made::expect_error([&] { (void)graph_format("csv", data, folder / "x"); },
                     {"'csv' holds one graph", "a set of 3 graphs"});
}

}  // namespace
}  // namespace cupel
