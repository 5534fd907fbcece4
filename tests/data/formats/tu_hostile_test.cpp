// Files of TUDataset that are damaged, or written to do harm.
#include <gtest/gtest.h>

#include <iterator>
#include <random>

#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

using made::expect_error;
using made::TuTexts;
namespace fs = std::filesystem;

// What a hostile file holds, and what its error says beside the file's name.
struct Hostile {
  const char* ending;
  const char* text;  // nullptr: no such file
  std::vector<std::string> says;
};

TEST(TuDataset, HostileFilesAreRefusedInOneSentence) {
  const std::string ones = "1\n1\n1\n2\n2\n2\n3\n";
  const Hostile cases[] = {
      {"_A.txt", nullptr, {"there is no such file"}},
      {"_A.txt", "", {"line 1", "empty"}},
      {"_A.txt", "\n\n", {"line 1", "empty"}},
      {"_A.txt", "1, 2\n2, x\n", {"line 2", "'2, x'", "no arc"}},
      {"_A.txt", "1\n", {"line 1", "'1'", "no arc"}},
      {"_A.txt", "1, 2, 1\n", {"line 1", "'1, 2, 1'"}},
      {"_A.txt", "1 2\n", {"line 1", "'1 2'"}},
      {"_A.txt", "1, 2.0\n", {"line 1", "'1, 2.0'"}},
      {"_A.txt", "-1, 2\n", {"line 1", "'-1, 2'"}},
      {"_A.txt", "1,2\n\n2,1\n", {"line 2", "is empty"}},
      {"_A.txt", "1,2\r2,1\n", {"line 1", "no arc"}},
      {"_A.txt", "1, 0\n", {"line 1", "'0'", "not one of 1 to 8"}},
      {"_A.txt", "1, 2\n9, 8\n", {"line 2", "'9'", "not one of 1 to 8", "X_graph_indicator.txt"}},
      {"_A.txt", "1, 4294967297\n", {"line 1", "'4294967297'"}},
      {"_A.txt", "1, 18446744073709551617\n", {"line 1", "'18446744073709551617'"}},
      {"_A.txt", "3, 4\n", {"line 1", "node 3 of graph 1 to node 4 of graph 2"}},
      {"_graph_indicator.txt", nullptr, {"there is no such file"}},
      {"_graph_indicator.txt", "1\n1\n0\n", {"line 3", "'0'", "not one of 1 to 3"}},
      {"_graph_indicator.txt", "1\n1\n4\n", {"line 3", "'4'", "X_graph_labels.txt"}},
      {"_graph_indicator.txt", "1\none\n", {"line 2", "'one'"}},
      {"_graph_indicator.txt", "1\n1,1\n", {"line 2", "'1,1'"}},
      {"_graph_labels.txt", nullptr, {"there is no such file"}},
      {"_graph_labels.txt", "1\n1.5\n1\n", {"line 2", "'1.5'"}},
      {"_graph_labels.txt", "1\ninf\n1\n", {"line 2", "'inf'"}},
      {"_graph_labels.txt", "1\n1e300\n1\n", {"line 2", "'1e300'"}},
      {"_graph_labels.txt", "1\n1e-400\n1\n", {"line 2", "'1e-400'"}},
      {"_graph_labels.txt", "1\n9007199254740993\n1\n", {"line 2", "'9007199254740993'"}},
      {"_graph_labels.txt", "1\n\n1\n", {"line 2", "is empty"}},
      {"_graph_labels.txt", "1,0\n1\n1,1\n", {"line 2", "has 1 values where line 1 has 2"}},
      {"_graph_labels.txt", "1,0\n1,2\n1,1\n", {"line 2", "2 is a label", "0, 1 and nan"}},
      {"_graph_labels.txt", "1\nnan\n-1\n", {"line 3", "-1 is a label"}},
      {"_node_labels.txt", "1\n2\n", {"has 2 rows for the 8 nodes"}},
      {"_node_labels.txt", "1\n2\nred\n", {"line 3", "'red'", "no whole number"}},
      {"_node_labels.txt", "99999999999999999999\n", {"line 1", "no whole number"}},
      {"_node_labels.txt", "1,2\n1,\n", {"line 2", "no whole number"}},
      {"_node_attributes.txt", "1\n", {"has 1 rows for the 8 nodes"}},
      {"_node_attributes.txt", "nan\n", {"line 1", "'nan'", "no finite number"}},
      {"_node_attributes.txt", "1\n1e39\n", {"line 2", "'1e39'"}},
      {"_node_attributes.txt", "1\n1e999\n", {"line 2", "'1e999'"}},
      {"_node_attributes.txt", "1\n1 2\n", {"line 2", "'1 2'"}},
      {"_edge_labels.txt", "1\n", {"has 1 rows for the 14 arcs", "X_A.txt"}},
      {"_edge_attributes.txt", "1\n", {"has 1 rows for the 14 arcs", "X_A.txt"}},
      {"_edge_attributes.txt", "1\n0x10\n", {"line 2", "'0x10'"}},
      {"_scaffold_train.txt", "0\n", {"lacks", "X_scaffold_valid.txt", "X_scaffold_test.txt"}},
      {"_scaffold_train.txt", "0\n3\n", {"line 2", "graph 3", "0 to 2"}},
      {"_scaffold_train.txt", "-1\n", {"line 1", "graph -1"}},
  };
  for (const bool zipped : {false, true}) {
    for (const Hostile& hostile : cases) {
      SCOPED_TRACE(fmt::format("{} {}", hostile.ending, hostile.text ? hostile.text : "absent"));
      TuTexts texts = made::small_tu();
      texts.erase(hostile.ending);
      if (hostile.text) texts[hostile.ending] = hostile.text;
      const made::Folder folder;
      if (zipped) {
        made::write_tu_zip(folder / "X.zip", "X/X", texts);
      } else {
        made::write_tu(folder.path(), "X", texts);
      }
      std::vector<std::string> says = hostile.says;
      if (says[0] != "lacks") says.push_back(std::string("X") + hostile.ending);
      says.push_back(folder.path().string());
      const auto read = [&] { (void)read_dataset(folder.path()); };
      expect_error(read, says);
      EXPECT_EQ(cupel::error_of(read).find('\n'), std::string::npos);
    }
  }
}

TEST(TuDataset, ABadSplitIsRefusedButAudited) {
  TuTexts texts = made::small_tu();
  texts["_scaffold_train.txt"] = "0\n1\n";
  texts["_scaffold_valid.txt"] = "1\n";
  texts["_scaffold_test.txt"] = "2\n";
  const made::Folder folder;
  made::write_tu(folder.path(), "X", texts);
  expect_error([&] { (void)read_dataset(folder.path()); }, {"X_scaffold_", "graph 1"});
  EXPECT_EQ(read_dataset(folder.path(), ReadMode::kForAudit).stored_splits.size(), 1u);
}

TEST(TuDataset, TwoSetsInOneFolderAreRefused) {
  const made::Folder folder;
  made::write_tu(folder.path(), "X", made::small_tu());
  made::write_file(folder / "Y_A.txt", "1, 2\n");
  expect_error([&] { (void)read_dataset(folder.path()); }, {"'X'", "'Y'", "folder of its own"});
  fs::remove(folder / "Y_A.txt");
  const made::Folder zips;
  made::write_tu_zip(zips / "one.zip", "X", made::small_tu());
  made::write_tu_zip(zips / "two.zip", "Y", made::small_tu());
  expect_error([&] { (void)read_dataset(zips.path()); }, {"more than one archive"});
}

TEST(TuDataset, ADamagedArchiveIsRefused) {
  const made::Folder folder;
  const fs::path path = folder / "X.zip";
  made::write_tu_zip(path, "X/X", made::random_tu(1, {}));
  const std::string whole = made::file_content(path);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 40) {
    made::write_file(path, whole.substr(0, size));
    expect_error([&] { (void)read_dataset(path); }, {path.string()});
  }
  std::string flipped = whole;
  flipped[200] = static_cast<char>(flipped[200] ^ 0x55);
  made::write_file(path, flipped);
  expect_error([&] { (void)read_dataset(path); }, {path.string()});
}

// Whatever the bytes, the result is a valid set of graphs or one sentence that names the folder.
TEST(TuDataset, MutantsAreValidOrRefused) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  made::TuNoise noise;
  noise.graphs = 6;
  noise.most_nodes = 5;
  const TuTexts good = made::random_tu(5, noise);
  const std::string tokens[] = {",", "\n", "\r", "0", "-", "9", "nan", " ", "1e9", "\n\n", "."};
  int valid = 0, refused = 0;
  const made::Folder folder;
  for (int round = 0; round < 3000; ++round) {
    TuTexts texts = good;
    auto file = texts.begin();
    std::advance(file, static_cast<std::ptrdiff_t>(below(texts.size())));
    std::string& text = file->second;
    const std::size_t at = below(text.size());
    const std::string& token = tokens[below(std::size(tokens))];
    switch (below(4)) {
      case 0:
        text = text.substr(0, at) + token + text.substr(at);
        break;
      case 1:
        text = text.substr(0, at) + text.substr(at + 1);
        break;
      case 2:
        text = text.substr(0, at);
        break;
      default:
        text[at] = static_cast<char>(below(256));
        break;
    }
    made::write_tu(folder.path(), "X", texts);
    try {
      const Dataset d = read_dataset(folder.path());
      ++valid;
      made::check_csr(d.adjacency);
      ASSERT_TRUE(is_symmetric(d.adjacency));
      ASSERT_EQ(count_self_loops(d.adjacency), 0);
      ASSERT_EQ(d.graphs->start.back(), d.nodes());
      ASSERT_EQ(d.labels().size(), static_cast<std::size_t>(d.graphs->size()));
      ASSERT_EQ(d.graphs->arc_attributes.rows, d.adjacency.entries());
      ASSERT_EQ(d.graphs->node_attributes.rows, d.nodes());
      for (Index g = 0; g < d.graphs->size(); ++g) {
        for (Index i = d.graphs->start[g]; i < d.graphs->start[g + 1]; ++i) {
          for (const Index j : d.adjacency.row_columns(i)) {
            ASSERT_TRUE(j >= d.graphs->start[g] && j < d.graphs->start[g + 1]);
          }
        }
      }
    } catch (const Error& error) {
      ++refused;
      const std::string message = error.what();
      ASSERT_NE(message.find(folder.path().string()), std::string::npos) << message;
      ASSERT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
  EXPECT_GT(valid, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace cupel
