// Table 3 of Shchur et al. 2018, on the released files: raw facts and the counts after preparation.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel {
namespace {

struct Row {
  const char* file;
  Index classes, features, nodes;
  Offset edges;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.file; }

class Table3 : public testing::TestWithParam<Row> {};

TEST_P(Table3, PreparedCountsAreThePublishedOnes) {
  const char* folder = std::getenv("CUPEL_DATA");
  if (folder == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  const Row& row = GetParam();
  const auto path = std::filesystem::path(folder) / row.file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";

  const Dataset raw = read_dataset(path);
  const Dataset prepared = prepare(
      raw, {"unweight", "symmetrise", "drop-self-loops", "largest-component", "binarise-features"});
  EXPECT_EQ(prepared.classes(), row.classes);
  EXPECT_EQ(feature_count(prepared.features), row.features);
  EXPECT_EQ(prepared.nodes(), row.nodes);
  EXPECT_EQ(count_undirected_edges(prepared.adjacency), row.edges);
  EXPECT_EQ(prepared.adjacency.entries(), 2 * row.edges);
  EXPECT_TRUE(is_symmetric(prepared.adjacency));
  EXPECT_EQ(count_self_loops(prepared.adjacency), 0);
  EXPECT_TRUE(std::get<Csr>(prepared.features).is_pattern());
  ASSERT_EQ(prepared.history.size(), 5u);
  EXPECT_EQ(prepared.history[3].name, "largest-component");
  EXPECT_EQ(prepared.history[3].nodes, row.nodes);
  EXPECT_EQ(connected_components(prepared.adjacency).sizes.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Published, Table3,
    testing::Values(Row{"cora/cora.npz", 7, 1433, 2485, 5069},
                    Row{"citeseer/citeseer.npz", 6, 3703, 2110, 3668},
                    Row{"pubmed/pubmed.npz", 3, 500, 19717, 44324},
                    Row{"coauthor-cs/ms_academic_cs.npz", 15, 6805, 18333, 81894},
                    Row{"coauthor-physics/ms_academic_phy.npz", 5, 8415, 34493, 247962},
                    Row{"amazon-computers/amazon_electronics_computers.npz", 10, 767, 13381,
                        245778},
                    Row{"amazon-photo/amazon_electronics_photo.npz", 8, 745, 7487, 119043}),
    [](const auto& info) { return std::filesystem::path(info.param.file).stem().string(); });

TEST(RawFacts, CoraAndCiteseerAsReleased) {
  const char* folder = std::getenv("CUPEL_DATA");
  if (folder == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  const Dataset cora = read_dataset(std::filesystem::path(folder) / "cora");
  EXPECT_EQ(cora.name, "cora");
  EXPECT_EQ(cora.nodes(), 2708);
  EXPECT_EQ(cora.adjacency.entries(), 5429);
  EXPECT_EQ(count_self_loops(cora.adjacency), 0);
  EXPECT_EQ(cora.class_names().front(), "Case_Based");
  const Dataset citeseer = read_dataset(std::filesystem::path(folder) / "citeseer");
  EXPECT_EQ(citeseer.nodes(), 3312);
  EXPECT_EQ(citeseer.adjacency.entries(), 4715);
  EXPECT_EQ(count_self_loops(citeseer.adjacency), 124);

  // Class counts after preparation, checked independently with NumPy.
  const Dataset prepared =
      prepare(cora, {"unweight", "symmetrise", "drop-self-loops", "largest-component"});
  std::vector<int> counts(7);
  for (const Index label : prepared.labels()) ++counts[label];
  EXPECT_EQ(counts, (std::vector<int>{285, 406, 726, 379, 214, 131, 344}));
}

}  // namespace
}  // namespace cupel
