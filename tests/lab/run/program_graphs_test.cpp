// Programs and functions that classify the graphs of a set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "cupel/data/formats/npz.h"
#include "cupel/lab/plan/model_function.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/run/tune.h"
#include "data/made_graph_sets.h"
#include "lab/fake.h"
#include "lab/isolation/attack.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::read_text;
using made::TempFolder;

constexpr Index kGraphs = 20;

// A path of n nodes has label 0, a ring 1; the third has no arc and the fourth no node.
Dataset paths_and_rings() {
  std::vector<test::MadeGraph> graphs;
  for (Index g = 0; g < kGraphs; ++g) {
    test::MadeGraph graph{g == 2 ? 1 : g == 3 ? 0 : 3 + g, {}, g % 2};
    for (Index i = 0; i + 1 < graph.nodes; ++i) graph.edges.emplace_back(i, i + 1);
    if (g % 2 == 1 && graph.nodes > 0) graph.edges.emplace_back(0, graph.nodes - 1);
    graphs.push_back(std::move(graph));
  }
  return test::made_set(graphs);
}

Dataset with_two_tasks() {
  Dataset out = paths_and_rings();
  out.target = BinaryTasks{Matrix(kGraphs, 2)};
  for (Index g = 0; g < kGraphs; ++g) {
    out.task_answers()(g, 0) = static_cast<float>(g % 2);
    out.task_answers()(g, 1) =
        g % 5 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(g / 2 % 2);
  }
  return out;
}

PlanSources sources(Dataset (*made)(), std::shared_ptr<const ModelFunction> function = nullptr) {
  PlanSources out = fake_sources();
  out.load = [made](const std::string&) { return made(); };
  out.function = [function](const std::string&) { return function; };
  return out;
}

Protocol protocol(const std::string& row, const std::string& more = "") {
  return parse_protocol("x", "x.toml",
                        fmt::format("task='graph-classification'\n{}[data]\ndatasets=['made']\n"
                                    "[split]\nscheme='random'\ntrain=60\nvalid=20\ncount=2\n"
                                    "[models.own]\n{}\n",
                                    more, row));
}

RunRecord run(const Plan& plan, int split = 0) {
  const RunGroup group{plan.cells.at(0).family, split, {0}, {}};
  return make_executor()->open(group, {1})->run(0, {7, 9}, {});
}

std::vector<std::int64_t> ids(const NpyArray& array) { return to_integers(array); }

// The folder of the task, as a program finds it.
std::filesystem::path task_folder(const TempFolder& folder, Dataset (*made)(),
                                  const std::string& more = "") {
  const std::filesystem::path copy = folder / "copy";
  run(make_plan(protocol(fmt::format("isolation='none'\ncommand=['sh', '-c', "
                                     "'cp -r \"$1\" {}', 'sh', '{{task}}']",
                                     copy.string()),
                         more),
                {}, sources(made)));
  return copy;
}

std::set<std::string> keys_of(const NpzFile& file) {
  const std::vector<std::string> keys = file.keys();
  return {keys.begin(), keys.end()};
}

TEST(ProgramGraphs, GetsTheTask) {
  const TempFolder folder;
  const std::filesystem::path copy = task_folder(folder, paths_and_rings);
  const NpzFile task(copy / "task.npz");
  EXPECT_EQ(keys_of(task), (std::set<std::string>{
                               "adj_data", "adj_indices", "adj_indptr", "adj_shape", "attr_data",
                               "attr_indices", "attr_indptr", "attr_shape", "graph_starts",
                               "idx_test", "idx_train", "idx_valid", "y_train", "y_valid"}));
  const Dataset data = paths_and_rings();
  const auto starts = ids(task.read("graph_starts"));
  ASSERT_EQ(starts.size(), kGraphs + 1u);
  EXPECT_TRUE(std::equal(starts.begin(), starts.end(), data.graphs->start.begin()));
  // Parts are graphs, each of one part, and answers are theirs.
  std::set<std::int64_t> all;
  std::size_t count = 0;
  for (const char* part : {"train", "valid", "test"}) {
    const auto graphs = ids(task.read(fmt::format("idx_{}", part)));
    all.insert(graphs.begin(), graphs.end());
    count += graphs.size();
    if (part == std::string("test")) continue;
    const auto answers = ids(task.read(fmt::format("y_{}", part)));
    ASSERT_EQ(answers.size(), graphs.size());
    for (std::size_t i = 0; i < graphs.size(); ++i) EXPECT_EQ(answers[i], graphs[i] % 2);
  }
  EXPECT_EQ(count, static_cast<std::size_t>(kGraphs));
  EXPECT_EQ(all.size(), count);
  EXPECT_EQ(*all.rbegin(), kGraphs - 1);
  const std::string told = read_text(copy / "task.json");
  EXPECT_NE(told.find("\"classes\": 2"), std::string::npos) << told;
  EXPECT_NE(told.find("\"task\": \"graph-classification\""), std::string::npos) << told;
}

TEST(ProgramGraphs, GetsAnswersToSeveralTasksAndWhatNodesAndArcsCameWith) {
  const TempFolder folder;
  const auto made = +[] {
    Dataset out = with_two_tasks();
    out.graphs->node_attributes = Matrix(out.nodes(), 2);
    std::iota(out.graphs->node_attributes.values.begin(), out.graphs->node_attributes.values.end(),
              0.0f);
    out.graphs->arc_attributes = Matrix(static_cast<Index>(out.adjacency.entries()), 1);
    return out;
  };
  const std::filesystem::path copy = task_folder(folder, made, "metric='roc-auc'\n");
  const NpzFile task(copy / "task.npz");
  const auto graphs = ids(task.read("idx_train"));
  const NpyArray answers = task.read("y_train");
  EXPECT_EQ(answers.shape, (std::vector<std::int64_t>{std::ssize(graphs), 2}));
  const Dataset data = made();
  const std::span<const float> values(reinterpret_cast<const float*>(answers.bytes.data()),
                                      static_cast<std::size_t>(answers.items()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float wanted = data.task_answers()(static_cast<Index>(graphs[i / 2]), i % 2);
    EXPECT_TRUE(values[i] == wanted || (std::isnan(values[i]) && std::isnan(wanted))) << i;
  }
  EXPECT_EQ(task.read("node_attributes").shape, (std::vector<std::int64_t>{data.nodes(), 2}));
  EXPECT_EQ(task.read("arc_attributes").shape,
            (std::vector<std::int64_t>{data.adjacency.entries(), 1}));
  EXPECT_FALSE(task.has("y_test"));
  EXPECT_NE(read_text(copy / "task.json").find("\"tasks\": 2"), std::string::npos);
}

NpyArray scores(std::int64_t rows, const std::function<float(std::int64_t, Index)>& of) {
  Matrix out(static_cast<Index>(rows), 2);
  for (Index i = 0; i < out.rows; ++i)
    for (Index c = 0; c < 2; ++c) out(i, c) = of(i, c);
  return make_npy(std::span<const float>(out.values), {rows, 2});
}

std::shared_ptr<ModelFunction> function(
    std::function<FunctionScores(const std::map<std::string, std::vector<std::int64_t>>&)> call) {
  auto out = std::make_shared<ModelFunction>();
  out->name = "mine";
  out->call = [call = std::move(call)](const FunctionTask& task) {
    std::map<std::string, std::vector<std::int64_t>> parts;
    for (const auto& [name, array] : task.told->arrays)
      if (name.starts_with("idx_")) parts[name] = ids(array);
    return call(parts);
  };
  return out;
}

TEST(FunctionGraphs, IsScoredOnGraphs) {
  // Right on every graph but those below 10.
  int wrong = 0;
  const auto near = function([&](const auto& parts) {
    const auto part = [&](const char* name) {
      const auto& graphs = parts.at(name);
      wrong += static_cast<int>(std::ranges::count_if(graphs, [](auto g) { return g < 10; }));
      return scores(std::ssize(graphs), [&](std::int64_t i, Index c) {
        const std::int64_t graph = graphs[static_cast<std::size_t>(i)];
        return (graph % 2 == c) == (graph >= 10) ? 1.0f : 0.0f;
      });
    };
    return FunctionScores{part("idx_valid"), part("idx_test")};
  });
  const Plan plan = make_plan(protocol("function='mine'"), {}, sources(paths_and_rings, near));
  for (const int split : {0, 1}) {
    wrong = 0;
    const RunRecord record = run(plan, split);
    ASSERT_EQ(record.status, RunStatus::kOk) << record.message;
    // 20 % of 20 graphs are 4 each.
    EXPECT_DOUBLE_EQ(*record.test_score + *record.valid_score, 2 - 0.25 * wrong);
    EXPECT_GT(wrong, 0);
  }
}

TEST(FunctionGraphs, IsScoredOnSeveralTasks) {
  const auto right = function([](const auto& parts) {
    const auto part = [&](const char* name) {
      const auto& graphs = parts.at(name);
      return scores(std::ssize(graphs), [&](std::int64_t i, Index t) {
        const std::int64_t graph = graphs[static_cast<std::size_t>(i)];
        return static_cast<float>(t == 0 ? graph % 2 : graph / 2 % 2);
      });
    };
    return FunctionScores{part("idx_valid"), part("idx_test")};
  });
  const RunRecord record = run(make_plan(protocol("function='mine'", "metric='roc-auc'\n"), {},
                                         sources(with_two_tasks, right)));
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_EQ(record.test_score, 1.0);
}

TEST(FunctionGraphs, OfAWrongShapeIsToldSo) {
  const auto wrong = function([](const auto&) {
    return FunctionScores{{}, scores(3, [](std::int64_t, Index) { return 0.0f; })};
  });
  const RunRecord record =
      run(make_plan(protocol("function='mine'"), {}, sources(paths_and_rings, wrong)));
  EXPECT_EQ(record.status, RunStatus::kFailed);
  EXPECT_NE(record.message.find("(3, 2) instead of (4, 2): one row for each graph asked for"),
            std::string::npos)
      << record.message;
}

// A search hands over no graph of the test part.
TEST(FunctionGraphs, OfASearchSeesNoTestGraph) {
  int calls = 0;
  const auto looking = function([&](const auto& parts) {
    ++calls;
    EXPECT_TRUE(parts.at("idx_test").empty());
    return FunctionScores{
        scores(std::ssize(parts.at("idx_valid")), [](std::int64_t, Index) { return 0.0f; }), {}};
  });
  looking->settings.push_back({.name = "c", .fallback = 1.0});
  const Protocol searching =
      protocol("function='mine'\n[tune]\nsplits=2\n[tune.grid.own]\nc=[1.0]");
  const TempFolder folder;
  Store store(folder / "s");
  const TunePlan plan = make_tune_plan(searching, {}, sources(paths_and_rings, looking));
  EXPECT_EQ(execute(pending_runs(plan.plan, store, false, {}), store, *make_executor(), {}).ok, 2);
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(tune_result(plan, store).models.at(0).trials.at(0).score);
}

}  // namespace
}  // namespace cupel
