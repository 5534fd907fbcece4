// Released sets of TUDataset and OGB: published counts, and a slow reader.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cupel/data/formats/format.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

using made::TuTexts;
namespace fs = std::filesystem;

// Published counts: the TUDataset and OGB tables (means of nodes and edges to two places).
struct Published {
  const char* folder;
  Index graphs, classes;
  double nodes, edges;
};

TEST(TuDataset, PublishedCounts) {
  const char* data = std::getenv("CUPEL_DATA");
  if (!data) GTEST_SKIP() << "CUPEL_DATA is not set: published counts are not checked";
  const Published table[] = {{"MUTAG", 188, 2, 17.93, 19.79},
                             {"PROTEINS", 1113, 2, 39.06, 72.82},
                             {"ENZYMES", 600, 6, 32.63, 62.14},
                             {"NCI1", 4110, 2, 29.87, 32.30},
                             {"DD", 1178, 2, 284.32, 715.66},
                             {"AIDS", 2000, 2, 15.69, 16.20},
                             {"IMDB-BINARY", 1000, 2, 19.77, 96.53},
                             {"IMDB-MULTI", 1500, 3, 13.00, 65.94},
                             {"REDDIT-BINARY", 2000, 2, 429.63, 497.75},
                             {"COLLAB", 5000, 3, 74.49, 2457.78},
                             {"BACE", 1513, 2, 34.09, 36.86},
                             {"HIV", 41127, 2, 25.51, 27.47},
                             {"TOX21", 7831, 2, 18.57, 19.29}};
  int checked = 0;
  for (const Published& row : table) {
    SCOPED_TRACE(row.folder);
    const fs::path folder = fs::path(data) / row.folder;
    if (!fs::exists(folder)) continue;
    const Dataset d = read_dataset(folder);
    ASSERT_TRUE(d.graphs);
    EXPECT_EQ(d.examples(), row.graphs);
    EXPECT_EQ(d.classes(), row.classes);
    EXPECT_NEAR(double(d.nodes()) / row.graphs, row.nodes, 0.00501);
    EXPECT_NEAR(double(d.adjacency.entries()) / 2 / row.graphs, row.edges, 0.00501);
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "needs CUPEL_DATA with any of the published sets";
}

TEST(TuDataset, RealDataAgreesWithASlowReader) {
  const char* data = std::getenv("CUPEL_DATA");
  if (!data) GTEST_SKIP() << "CUPEL_DATA is not set: real sets are not compared";
  for (const char* name : {"MUTAG", "ENZYMES", "AIDS"}) {
    SCOPED_TRACE(name);
    const fs::path folder = fs::path(data) / name;
    if (!fs::exists(folder)) continue;
    TuTexts texts;
    for (const char* ending : {"_A.txt", "_graph_indicator.txt", "_graph_labels.txt",
                               "_node_labels.txt", "_edge_labels.txt", "_node_attributes.txt"}) {
      const fs::path path = folder / (std::string(name) + ending);
      if (fs::exists(path)) texts[ending] = made::file_content(path);
    }
    made::expect_same(read_dataset(folder), made::read_tu_slowly(texts));
  }
}

}  // namespace
}  // namespace cupel
