#include "cupel/data/formats/tu_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/generate/generator.h"
#include "data/made_graph_sets.h"
#include "error_of.h"
#include "gone_folder.h"
#include "temp_folder.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

class TuWriter : public testing::Test {
 protected:
  std::string text(const std::string& file) const {
    std::ostringstream out;
    out << std::ifstream(root_ / "set" / file, std::ios::binary).rdbuf();
    return out.str();
  }
  std::string message_of(const Dataset& data) const {
    try {
      write_tu_dataset(data, root_ / "set");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  const TempFolder root_;
};

Dataset rich_set() {
  Dataset data = made_set({cycle_graph(4, 1), {1, {}, 0}, random_graph(7, 0.5, 1, 2)});
  data.class_names() = {"-3", "0", "12"};
  Csr labels;
  labels.rows = data.nodes();
  labels.cols = 3;
  for (Index i = 0; i < data.nodes(); ++i) {
    labels.columns.push_back(i % 3);
    labels.row_ptr.push_back(i + 1);
  }
  data.features = labels;
  data.graphs->node_attributes = Matrix(data.nodes(), 2);
  for (Index i = 0; i < data.nodes(); ++i) {
    data.graphs->node_attributes(i, 0) = 0.1f * static_cast<float>(i);
    data.graphs->node_attributes(i, 1) = -1e-30f / static_cast<float>(i + 1);
  }
  // By way of a double its shortest text would be another float.
  data.graphs->node_attributes(2, 1) = std::bit_cast<float>(0x15ae43fdu);
  data.graphs->arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), 1);
  for (Index e = 0; e < data.graphs->arc_attributes.rows; ++e)
    data.graphs->arc_attributes(e, 0) = static_cast<float>(e) / 7;
  data.stored_splits = {{{0}, {2}, {1}}};
  return data;
}

TEST_F(TuWriter, ReadingGivesBackTheSame) {
  const Dataset data = rich_set();
  write_tu_dataset(data, root_ / "set");
  const Dataset back = read_dataset(root_ / "set");
  EXPECT_EQ(content_hash(back), content_hash(data));
  EXPECT_EQ(back.class_names(), data.class_names());
  EXPECT_EQ(back.name, "set");
  EXPECT_EQ(back.repeated_arcs, 0);
}

TEST_F(TuWriter, WritesTheLinesOfTheFormat) {
  Dataset data = made_set({{3, {{0, 2}}, 0}, {2, {{0, 1}}, 1}});
  data.class_names() = {"no", "yes"};
  write_tu_dataset(data, root_ / "set/");
  EXPECT_EQ(text("set_A.txt"), "1, 3\n3, 1\n4, 5\n5, 4\n");
  EXPECT_EQ(text("set_graph_indicator.txt"), "1\n1\n1\n2\n2\n");
  EXPECT_EQ(text("set_graph_labels.txt"), "0\n1\n");
  EXPECT_FALSE(fs::exists(root_ / "set/set_node_labels.txt"));
}

// What an earlier, richer set left behind must not become part of the next.
TEST_F(TuWriter, ReplacesAnEarlierSet) {
  write_tu_dataset(rich_set(), root_ / "set");
  const Dataset plain = made_set({cycle_graph(3, 0), cycle_graph(5, 1)});
  write_tu_dataset(plain, root_ / "set");
  EXPECT_EQ(content_hash(read_dataset(root_ / "set")), content_hash(plain));
}

TEST_F(TuWriter, SeveralTasksKeepWhatIsNotKnown) {
  Dataset data = made_set({cycle_graph(3), cycle_graph(4), cycle_graph(5)});
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  data.target = BinaryTasks{Matrix(3, 2)};
  const float values[] = {1, 0, unknown, 1, 0, unknown};
  std::copy_n(values, 6, data.task_answers().values.begin());
  write_tu_dataset(data, root_ / "set");
  const Dataset back = read_dataset(root_ / "set");
  for (Index g = 0; g < 3; ++g) {
    for (Index t = 0; t < 2; ++t) {
      EXPECT_EQ(std::isnan(back.task_answers()(g, t)), std::isnan(data.task_answers()(g, t)));
      if (!std::isnan(data.task_answers()(g, t))) {
        EXPECT_EQ(back.task_answers()(g, t), data.task_answers()(g, t));
      }
    }
  }
}

TEST_F(TuWriter, GeneratedSetsComeBack) {
  for (const char* name :
       {"syn-degree:graphs=60", "syn-cc:graphs=60,classes=5,seed=4", "syn-mixed:graphs=60"}) {
    const Dataset data = generate(parse_generator_call(name));
    write_tu_dataset(data, root_ / "set");
    EXPECT_EQ(content_hash(read_dataset(root_ / "set")), content_hash(data)) << name;
  }
}

TEST_F(TuWriter, RefusesWhatTheFormatCannotHold) {
  const auto has = [&](const Dataset& data, const std::string& part) {
    const std::string message = message_of(data);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  Dataset data = rich_set();
  data.stored_splits.push_back(data.stored_splits[0]);
  has(data, "2 splits");
  has(made_set({{2, {}, 0}, {1, {}, 1}}), "none of the 2 graphs has an edge");
  data = rich_set();
  Matrix dense(data.nodes(), 2);
  data.features = dense;
  has(data, "are all 0");
  std::ranges::fill(dense.values, 1.0f);
  data.features = dense;
  has(data, "not one-hot");
  EXPECT_FALSE(fs::exists(root_ / "set"));
  std::ofstream(root_ / "set") << "a file";
  has(rich_set(), "cannot be made");
}

TEST_F(TuWriter, TheNameIsTheFoldersHoweverItIsTold) {
  fs::create_directory(root_ / "set");
  const fs::path before = fs::current_path();
  fs::current_path(root_ / "set");
  for (const char* folder : {".", "../set/", "../set/."}) {
    write_tu_dataset(rich_set(), folder);
    EXPECT_TRUE(fs::remove("set_A.txt")) << folder;
  }
  fs::current_path(before);
}

TEST_F(TuWriter, RefusesANameThatCannotBeTold) {
  const GoneFolder here;
  const std::string message = error_of([] { write_tu_dataset(rich_set(), "."); });
  EXPECT_EQ(message.find("the current folder cannot be told"), 0u) << message;
}

TEST_F(TuWriter, RealSetsComeBack) {
  const char* folder = std::getenv("CUPEL_DATA");
  if (folder == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  int seen = 0;
  for (const char* name : {"MUTAG", "ENZYMES", "IMDB-BINARY"}) {
    if (!fs::exists(fs::path(folder) / name)) continue;
    ++seen;
    const Dataset data = read_dataset(fs::path(folder) / name);
    write_tu_dataset(data, root_ / "set");
    EXPECT_EQ(content_hash(read_dataset(root_ / "set")), content_hash(data)) << name;
  }
  if (seen == 0) GTEST_SKIP() << folder << " has none of the sets";
}

}  // namespace
}  // namespace cupel::test
