// Statistics of released data sets, against published values.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cupel/data/formats/format.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {
namespace {

struct Published {
  const char* folder;
  Offset edges;
  double average_degree, global, local, edge, node, adjusted, informativeness, by_class;
  Index diameter;
};

// Platonov et al. 2023, Table 3, with more digits computed from the released files by a program of
// their readers; the filtered and directed files from the same.
const Published kPublished[] = {
    {"minesweeper", 39402, 7.8804, 0.431060, 0.435520, 0.682783, 0.682901, 0.009365, 0.000087,
     0.009365, 99},
    {"tolokers", 519000, 88.2803, 0.226100, 0.532906, 0.594522, 0.634447, 0.092584, 0.006628,
     0.180130, 11},
    {"squirrel", 198353, 76.2749, 0.348054, 0.422204, 0.222134, 0.217209, 0.006710, 0.001471,
     0.030668, 10},
    {"squirrel-directed", 198353, 76.2749, 0.348054, 0.422204, 0.222134, 0.217209, 0.006710,
     0.001471, 0.030668, 10},
    {"squirrel-filtered", 46998, 42.2834, 0.638618, 0.463107, 0.207179, 0.190474, 0.008617,
     0.001326, 0.039801, 9},
};

TEST(Statistics, OfRealDataAreThePublishedOnes) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  int found = 0;
  for (const Published& p : kPublished) {
    const auto folder = std::filesystem::path(data) / p.folder;
    if (!std::filesystem::exists(folder)) continue;
    ++found;
    SCOPED_TRACE(p.folder);
    const Statistics s = statistics(read_dataset(folder), {{2}, 1e6, 0});
    const LabelStatistics& l = *s.labels;
    EXPECT_EQ(s.edges, p.edges);
    EXPECT_NEAR(s.degree.mean, p.average_degree, 0.5001e-4);
    EXPECT_NEAR(*s.global_clustering, p.global, 0.5001e-6);
    EXPECT_NEAR(*s.local_clustering, p.local, 0.5001e-6);
    EXPECT_NEAR(*l.edge_homophily, p.edge, 0.5001e-6);
    EXPECT_NEAR(*l.node_homophily, p.node, 0.5001e-6);
    EXPECT_NEAR(*l.adjusted_homophily, p.adjusted, 0.5001e-6);
    EXPECT_NEAR(*l.label_informativeness, p.informativeness, 0.5001e-6);
    EXPECT_NEAR(*l.class_homophily, p.by_class, 0.5001e-6);
    EXPECT_TRUE(s.diameter->exact());
    EXPECT_EQ(s.diameter->lower, p.diameter);
    EXPECT_EQ(s.components, 1);
  }
  if (found == 0) GTEST_SKIP() << "CUPEL_DATA has none of the data sets";
}

}  // namespace
}  // namespace cupel
