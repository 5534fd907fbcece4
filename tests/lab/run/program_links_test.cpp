// Programs that score pairs of nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "build_paths.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/graph/graph.h"
#include "cupel/lab/run/tune.h"
#include "lab/run/link_place.h"
#include "lab/run/same_outcomes.h"

namespace cupel {
namespace {

using made::asking;
using made::Asking;
using made::Place;
using made::read_text;
using made::swapped;
using made::TempFolder;
using made::write_text;

std::vector<std::int64_t> ids(const NpzFile& file, const std::string& name) {
  return to_integers(file.read(name));
}

TEST(ProgramLinks, GetsTheTask) {
  const Place place(asking("pool", "train+valid"));
  const NpzFile task(place.task() / "task.npz");
  std::vector<std::string> keys = task.keys();
  std::ranges::sort(keys);
  EXPECT_EQ(keys, (std::vector<std::string>{"adj_data", "adj_indices", "adj_indptr", "adj_shape",
                                            "attr_matrix", "message_data", "message_indices",
                                            "message_indptr", "message_shape", "pairs_test",
                                            "pairs_train", "pairs_valid", "y_valid"}));
  // A path of 20 links, 2 of validation; each link is an arc both ways.
  EXPECT_EQ(task.read("adj_indices").items(), 40);
  EXPECT_EQ(task.read("message_indices").items(), 44);
  EXPECT_EQ(task.read("pairs_train").shape, (std::vector<std::int64_t>{20, 2}));
  EXPECT_EQ(ids(task, "pairs_valid"), (std::vector<std::int64_t>{0, 12, 1, 9, 2, 8, 3, 7}));
  EXPECT_EQ(ids(task, "y_valid"), (std::vector<std::int64_t>{0, 1, 1, 0}));
  EXPECT_EQ(ids(task, "pairs_test"),
            (std::vector<std::int64_t>{0, 7, 4, 9, 5, 11, 5, 16, 6, 13, 9, 18}));
  EXPECT_EQ(read_text(place.path("copy") / "task.json"), R"({
  "budget_seconds": 600.0,
  "directed": false,
  "init": 0,
  "metric": "mrr",
  "nodes": 30,
  "rows_test": 6,
  "rows_valid": 4,
  "seed": 7,
  "settings": {},
  "split": 0,
  "task": "links",
  "threads": 1
}
)");
  EXPECT_FALSE(NpzFile(Place(asking("pool")).task() / "task.npz").has("message_indptr"));
}

TEST(ProgramLinks, GetsSourcesWhereTargetsAreAll) {
  const Place place(asking("all", "train", true));
  const NpzFile task(place.task() / "task.npz");
  EXPECT_FALSE(task.has("pairs_test"));
  EXPECT_FALSE(task.has("pairs_valid"));
  EXPECT_FALSE(task.has("y_valid"));
  EXPECT_EQ(ids(task, "sources_valid"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(ids(task, "links_valid"), (std::vector<std::int64_t>{1, 9, 2, 8}));
  EXPECT_EQ(ids(task, "sources_test"), (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(ids(task, "targets_test"), (std::vector<std::int64_t>{0, 30}));
  EXPECT_NE(read_text(place.path("copy") / "task.json").find("\"rows_test\": 90"),
            std::string::npos);
}

// An undirected link is asked from both ends, and is one link of validation.
TEST(ProgramLinks, AnUndirectedLinkOfValidationIsTold) {
  const Place place(asking("all"));
  const NpzFile task(place.task() / "task.npz");
  EXPECT_EQ(ids(task, "sources_valid"), (std::vector<std::int64_t>{1, 2, 8, 9}));
  EXPECT_EQ(ids(task, "links_valid"), (std::vector<std::int64_t>{1, 9, 2, 8}));
}

// Which of the test pairs are links, and which candidates belong to which, shows in no byte.
TEST(ProgramLinks, TheFolderDoesNotDependOnTestAnswers) {
  const auto folder = [](const Asking& asking) {
    const auto task = std::make_shared<Place>(asking);
    const auto at = task->task();
    return std::pair(read_text(at / "task.npz"), read_text(at / "task.json"));
  };
  for (const char* message : {"train", "train+valid"}) {
    SCOPED_TRACE(message);
    const Asking pool = asking("pool", message), lists = asking("lists", message);
    const auto once = folder(pool);
    EXPECT_GT(once.first.size(), 1000u);
    EXPECT_EQ(once, folder(swapped(pool)));
    EXPECT_EQ(once, folder(lists));
    EXPECT_EQ(once, folder(swapped(lists)));
    // Validation's answers may be seen, and so may what is asked.
    Asking other = pool;
    std::swap(other.valid, other.valid_negatives);
    EXPECT_NE(once.first, folder(other).first);
    other = pool;
    other.test[0] = {4, 10};
    EXPECT_NE(once.first, folder(other).first);
  }
  Asking all = asking("all", "train", true), other = all;
  other.test = {{4, 16}, {5, 13}, {6, 9}};
  EXPECT_EQ(folder(all), folder(other));
}

struct Shape {
  std::vector<std::int64_t> shape;
  std::string message;  // empty: it is taken
};

TEST(ProgramLinks, AScoreForEachPair) {
  const Place place(asking("pool"));
  const std::string hint = " instead of (6, 1) or (6): one score for each pair asked for";
  const Shape cases[] = {
      {{6, 1}, ""},
      {{6}, ""},
      {{5, 1}, "scores.npy: has the shape (5, 1)" + hint},
      {{7}, "scores.npy: has the shape (7)" + hint},
      {{6, 2}, "scores.npy: has the shape (6, 2)" + hint},
      {{1, 6}, "scores.npy: has the shape (1, 6)" + hint},
      {{2, 3}, "scores.npy: has the shape (2, 3)" + hint},
      {{}, "scores.npy: has the shape ()" + hint},
  };
  for (const auto& [shape, message] : cases) {
    std::int64_t items = 1;
    for (const std::int64_t size : shape) items *= size;
    NpyArray array = make_npy(std::vector<float>(static_cast<std::size_t>(items), 1.0f), {items});
    array.shape = shape;
    write_npy(array, place.path("made.npy"));
    const RunRecord record = place.run("cp made.npy \"$1/scores.npy\"");
    SCOPED_TRACE(fmt::format("({})", fmt::join(shape, ", ")));
    EXPECT_EQ(record.status, message.empty() ? RunStatus::kOk : RunStatus::kFailed);
    EXPECT_NE(record.message.find(message), std::string::npos) << record.message;
    EXPECT_EQ(record.test_score.has_value(), message.empty());
    if (!message.empty()) continue;
    EXPECT_DOUBLE_EQ(*record.test_score, 1 / 2.5);  // four are equal
  }
  const std::vector<std::int64_t> whole(6, 1);
  write_npy(make_npy(std::span<const std::int64_t>(whole), {6, 1}), place.path("made.npy"));
  EXPECT_NE(place.run("cp made.npy \"$1/scores.npy\"").message.find("must hold floats"),
            std::string::npos);
}

TEST(ProgramLinks, ASearchShowsNoTestPair) {
  const Place place(asking("pool"));
  const Protocol protocol = parse_protocol(
      "x", "x.toml",
      fmt::format("task='links'\n[data]\ndatasets=['ring']\n[split]\nscheme='links'\ncount=1\n"
                  "[models.mine]\nisolation='none'\nsteps=1\n"
                  "command=['sh', '-c', '''cp -r \"$1\" {}''', 'sh', '{{task}}']\n"
                  "[tune]\nbudget=1\nsplits=1\ninits=1\n[tune.grid.mine]\nsteps=[1]\n",
                  place.path("copy").string()),
      {}, "/");
  const TunePlan plan = make_tune_plan(protocol, {}, place.sources());
  const RunRecord record = Place::run(plan.plan);
  EXPECT_NE(record.message.find("wrote no valid_scores.npy"), std::string::npos) << record.message;
  const NpzFile task(place.path("copy") / "task.npz");
  EXPECT_EQ(task.read("pairs_test").shape, (std::vector<std::int64_t>{0, 2}));
  EXPECT_NE(read_text(place.path("copy") / "task.json").find("\"rows_test\": 0"),
            std::string::npos);
  // Of the 30 links, the 3 that test would ask about are in no array: 26 are learnt from.
  std::set<std::pair<std::int64_t, std::int64_t>> links;
  for (const char* name : {"pairs_train", "pairs_valid"}) {
    const std::vector<std::int64_t> all = ids(task, name);
    for (std::size_t i = 0; i < all.size(); i += 2)
      if (all[i + 1] - all[i] == 1 || all[i + 1] - all[i] == 29) links.insert({all[i], all[i + 1]});
  }
  EXPECT_EQ(links.size(), 27u);
  EXPECT_EQ(task.read("adj_indices").items(), 2 * 26);
}

// The files that a protocol takes links and negatives from lie beside the program.
class ProgramOfLinks : public made::Isolated {};
INSTANTIATE_TEST_SUITE_P(Isolation, ProgramOfLinks, ::testing::Values("required", "none"),
                         made::isolation_name);

TEST_P(ProgramOfLinks, FilesOfAnswersAreOutOfReach) {
  const Place place(asking("pool"));
  write_text(place.path("notes"), "beside-secret");
  const RunRecord record =
      place.run(fmt::format("cat {0}/splits.json {0}/valid.csv {0}/test.csv {0}/notes; exit 1",
                            place.path("").string()),
                GetParam());
  const auto says = [&](const char* text) {
    return record.message.find(text) != std::string::npos;
  };
  for (const char* answer : {"[4, 9]", "3,7", "5,11"}) {
    EXPECT_EQ(says(answer), !kept_apart()) << record.message;
  }
  EXPECT_TRUE(says("beside-secret")) << record.message;
}

// The example that is shipped scores as our own common neighbours do, whatever is asked.
TEST(ProgramLinks, TheExampleIsCommonNeighbours) {
  std::ostringstream file;
  file << std::ifstream(std::string(CUPEL_SOURCE_DIR) + "/examples/own_links.toml").rdbuf();
  const std::string text = file.str();
  const auto with = [](std::string out, const std::string& from, const std::string& to) {
    const auto at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  };
  // Of half of the arcs one way is left.
  const auto half = [](Dataset data) {
    std::vector<Edge> edges;
    for (Index i = 0; i < data.nodes(); ++i)
      for (const Index j : data.adjacency.row_columns(i))
        if (i < j || (i + j) % 2 == 0) edges.push_back({i, j});
    data.adjacency = from_edges(data.nodes(), edges);
    return data;
  };
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const Changes cases[] = {
      {},
      {{"test = 10", "test = 10\nmessage = 'train+valid'"}},
      {{"\"roc-auc\"", "\"mrr\""}, {"uniform", "corrupt:count=20"}},
      {{"\"roc-auc\"", "\"hits@10\""}, {"uniform", "all"}},
      {{"test = 10", "test = 10\ndirected = true"}, {"\"symmetrise\", ", ""}},
  };
  for (const Changes& changes : cases) {
    std::string one = text;
    for (const auto& [from, to] : changes) one = with(one, from, to);
    SCOPED_TRACE(one);
    const Protocol protocol =
        parse_protocol("x", "x.toml", one, {}, std::string(CUPEL_SOURCE_DIR) + "/examples");
    TempFolder folder;
    Store store(folder / "s");
    PlanSources sources = plan_sources(folder / "none");
    const auto load = sources.load;
    const bool directed = one.find("directed") != std::string::npos;
    sources.load = [&](const std::string& name) {
      return directed ? half(load(name)) : load(name);
    };
    const Plan plan = make_plan(
        protocol, {{"csbm:nodes=500"}, {"shared-neighbours", "common-neighbours"}, {}, 2, 0},
        sources);
    made::expect_same_outcomes(plan, store, 2);
  }
}

}  // namespace
}  // namespace cupel
