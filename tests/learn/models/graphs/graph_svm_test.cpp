// The kernel models, and that of sizes alone, on made sets of graphs.
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/error.h"
#include "cupel/learn/graph_kernels/svm.h"
#include "cupel/learn/graph_kernels/weisfeiler_lehman.h"
#include "cupel/learn/model.h"
#include "error_of.h"
#include "learn/graph_kernels/made_graphs.h"
#include "learn/made_task.h"
#include "learn/models/traced_model.h"

namespace cupel {
namespace {

Dataset dataset_of(const MadeLabelledGraphs& made, std::vector<Index> labels) {
  Dataset out;
  out.name = "made graphs";
  out.adjacency = made.adjacency;
  Csr one_hot;
  one_hot.rows = made.adjacency.rows;
  one_hot.cols = 3;
  for (const Index label : made.node_labels) {
    one_hot.columns.push_back(label);
    one_hot.row_ptr.push_back(static_cast<Offset>(one_hot.columns.size()));
  }
  out.features = std::move(one_hot);
  out.graphs.emplace();
  out.graphs->start = made.start;
  out.graphs->node_attributes = Matrix(made.adjacency.rows, 0);
  out.graphs->arc_attributes = Matrix(static_cast<Index>(made.adjacency.entries()), 1);
  for (std::size_t i = 0; i < made.arc_labels.size(); ++i)
    out.graphs->arc_attributes.values[i] = static_cast<float>(made.arc_labels[i]);
  out.labels() = std::move(labels);
  for (Index c = 0; c <= *std::max_element(out.labels().begin(), out.labels().end()); ++c)
    out.class_names().push_back(std::to_string(c));
  return out;
}

// Cycles, paths and stars of 5 to 24 nodes, in turn.
Dataset shapes() {
  std::vector<MadeGraph> graphs;
  std::vector<Index> labels;
  for (Index size = 5; size < 25; ++size) {
    graphs.insert(graphs.end(), {cycle(size), path(size), star(size - 1)});
    labels.insert(labels.end(), {0, 1, 2});
  }
  return dataset_of(union_of(graphs), labels);
}

// Thirds: train, valid, test, sizes mixed.
Split thirds(Index graphs) {
  Split out;
  for (Index g = 0; g < graphs; ++g)
    (g / 3 % 3 == 0 ? out.train : g / 3 % 3 == 1 ? out.valid : out.test).push_back(g);
  return out;
}

DirectModel::Result fit(const std::string& name, const TaskView& view, const Settings& settings) {
  const ModelEntry& entry = *find_model(name);
  return entry.direct(configure(entry, settings))->fit_predict(view);
}

double test_accuracy(const ClassTask& task, const std::string& name, const Settings& settings) {
  return task.test_labels.score("accuracy", fit(name, task.view, settings).test_scores);
}

TEST(KernelSvm, TellsShapesApart) {
  const ClassTask task = task_of(shapes(), thirds(60));
  for (const char* use : {"precomputed", "rbf-rows"}) {
    const Settings settings = {{"use", std::string(use)}, {"normalise", true}, {"C", 1000.0}};
    EXPECT_EQ(test_accuracy(task, "wl-svm", settings), 1) << use;
    EXPECT_EQ(test_accuracy(task, "sm-svm", settings), 1) << use;
    EXPECT_GT(test_accuracy(task, "sp-svm", settings), 0.75) << use;
  }
}

// Graphs that differ in their labels alone.
TEST(KernelSvm, SeesLabelsIfToldTo) {
  MadeLabelledGraphs made;
  std::vector<Index> labels;
  {
    std::vector<MadeGraph> graphs(45, cycle(8));
    made = union_of(graphs);
    for (Index g = 0; g < 45; ++g) {
      labels.push_back(g % 2);
      for (Index v = 0; v < 8; ++v)  // in class 0 two halves, in class 1 in turn
        made.node_labels[8 * g + v] = g % 2 == 0 ? v / 4 : v % 2;
    }
  }
  const ClassTask task = task_of(dataset_of(made, labels), thirds(45));
  for (const char* model : {"wl-svm", "sp-svm", "sm-svm"}) {
    EXPECT_EQ(test_accuracy(task, model, {{"start", std::string("labels")}}), 1) << model;
    EXPECT_LT(test_accuracy(task, model, {}), 0.7) << model;
  }
}

TEST(KernelSvm, SeesLabelsOfArcs) {
  MadeLabelledGraphs made = union_of(std::vector<MadeGraph>(45, cycle(8)));
  std::vector<Index> labels;
  for (Index g = 0; g < 45; ++g) labels.push_back(g % 2);
  for (Index u = 0; u < made.adjacency.rows; ++u)
    for (Offset at = made.adjacency.row_ptr[u]; at < made.adjacency.row_ptr[u + 1]; ++at)
      made.arc_labels[at] = u / 8 % 2;
  const ClassTask task = task_of(dataset_of(made, labels), thirds(45));
  EXPECT_EQ(test_accuracy(task, "sm-svm", {{"arcs", std::string("labels")}}), 1);
  EXPECT_LT(test_accuracy(task, "sm-svm", {}), 0.7);
}

// Paths of three nodes, 0 along the path and 1 back: all isomorphic, those of odd number numbered
// from the other end. Whichever arc's label were read, it would tell the numbering.
TEST(KernelSvm, RefusesLabelsOfArcsThatGoOneWay) {
  MadeLabelledGraphs made = union_of(std::vector<MadeGraph>(24, path(3)));
  std::vector<Index> labels;
  for (Index g = 0; g < 24; ++g) labels.push_back(g % 2);
  for (Index u = 0; u < made.adjacency.rows; ++u)
    for (Offset at = made.adjacency.row_ptr[u]; at < made.adjacency.row_ptr[u + 1]; ++at)
      made.arc_labels[at] = (made.adjacency.columns[at] > u) == (u / 3 % 2 == 1);
  const ClassTask task = task_of(dataset_of(made, labels), thirds(24));
  EXPECT_EQ(error_of([&] {
              (void)fit("sm-svm", task.view, {{"arcs", std::string("labels")}});
            }),
            "sm-svm: arcs = labels, and in graph 0 the arc from node 0 to node 1 has other "
            "attributes than its way back, where the kernel is one of undirected graphs; set arcs "
            "= constant");
  EXPECT_LE(test_accuracy(task, "sm-svm", {}), 0.75);
  for (const char* model : {"wl-svm", "sp-svm"}) EXPECT_NO_THROW((void)fit(model, task.view, {}));
}

// The kernel matrix of a data set is made once: here it is found as somebody else left it.
TEST(KernelSvm, SplitsShareTheKernelMatrix) {
  const auto data = std::make_shared<const TaskData>(std::make_shared<const Dataset>(shapes()));
  const Split split = thirds(60);
  const Split turned = {split.test, split.train, split.valid};
  (void)fit("wl-svm", make_task(data, split).view, {});
  (void)fit("wl-svm", make_task(data, turned).view, {{"C", 10.0}});
  bool made = false;
  const auto kept = data->visible()->derived<SvmRows>("wl kernel, 5 levels, start constant", [&] {
    made = true;
    return SvmRows::of_numbers({});
  });
  EXPECT_FALSE(made);
  EXPECT_EQ(kept->size(), 60);
}

// The released code's use of the matrix, by LIBSVM's own RBF kernel on the rows.
TEST(KernelSvm, RowsAsFeaturesOfAnRbfKernel) {
  const Dataset data = shapes();
  const Split split = thirds(60);
  const ClassTask task = task_of(data, split);
  const Scores got = fit("wl-svm", task.view, {{"use", std::string("rbf-rows")}}).test_scores;

  const LabelledGraphs graphs = {data.adjacency, data.graphs->start, {}, {}};
  const Gram gram = inner_products(wl_histograms(graphs, 5), {1});
  const auto columns = split.train.size();
  double mean = 0, variance = 0;
  for (const Index i : split.train)
    for (const Index j : split.train) mean += gram(i, j) / (columns * columns);
  for (const Index i : split.train)
    for (const Index j : split.train)
      variance += std::pow(gram(i, j) - mean, 2) / (columns * columns);
  std::vector<std::vector<svm_node>> rows(60);
  for (Index i = 0; i < 60; ++i) {
    for (std::size_t c = 0; c < columns; ++c)
      rows[i].push_back({static_cast<int>(c + 1), gram(i, split.train[c])});
    rows[i].push_back({-1, 0});
  }
  std::vector<svm_node*> x;
  std::vector<double> y;
  for (Index c = 0; c < 3; ++c) {
    for (const Index i : split.train) {
      if (data.labels()[i] != c) continue;
      x.push_back(rows[i].data());
      y.push_back(c);
    }
  }
  svm_problem problem = {static_cast<int>(columns), y.data(), x.data()};
  svm_parameter parameter = {};
  parameter.kernel_type = RBF;
  parameter.gamma = 1 / (columns * variance);
  parameter.C = 1;
  parameter.eps = 1e-3;
  parameter.cache_size = 10;
  parameter.shrinking = 1;
  svm_model* model = svm_train(&problem, &parameter);
  std::vector<double> decisions(3);
  for (std::size_t r = 0; r < split.test.size(); ++r) {
    const double predicted =
        svm_predict_values(model, rows[split.test[r]].data(), decisions.data());
    const float* row = got.row(static_cast<Index>(r));
    EXPECT_EQ(std::max_element(row, row + 3) - row, predicted);
    const double sums[] = {decisions[0] + decisions[1], decisions[2] - decisions[0],
                           -decisions[1] - decisions[2]};
    for (Index c = 0; c < 3; ++c) {
      const double votes = (c == 0   ? (decisions[0] > 0) + (decisions[1] > 0)
                            : c == 1 ? (decisions[0] <= 0) + (decisions[2] > 0)
                                     : (decisions[1] <= 0) + (decisions[2] <= 0));
      EXPECT_NEAR(row[c], votes + sums[c] / (3 * (std::abs(sums[c]) + 1)), 1e-4);
    }
  }
  svm_free_and_destroy_model(&model);
}

TEST(KernelSvm, ValidationPartMayBeLearntFrom) {
  // One graph of each class to train on; the validation part has the others.
  const Dataset data = shapes();
  Split split = thirds(60);
  split.valid.insert(split.valid.end(), split.train.begin() + 3, split.train.end());
  split.train.resize(3);
  const ClassTask task = task_of(data, split);
  const double less = test_accuracy(task, "sp-svm", {});
  const double more = test_accuracy(task, "sp-svm", {{"fit_on", std::string("train+valid")}});
  EXPECT_GT(more, less + 0.1);
}

TEST(SizeSvm, KnowsSizesAndNothingElse) {
  std::vector<MadeGraph> graphs;
  std::vector<Index> labels;
  for (Index i = 0; i < 60; ++i) {
    const bool large = i % 2 == 1;
    graphs.push_back(path(large ? 20 + i % 5 : 8 + i % 5));  // 2 n - 1 nodes and edges
    labels.push_back(large);
  }
  const ClassTask task = task_of(dataset_of(union_of(graphs), labels), thirds(60));
  for (const char* kernel : {"linear", "rbf"})
    EXPECT_EQ(test_accuracy(task, "size-svm", {{"kernel", std::string(kernel)}}), 1) << kernel;
  EXPECT_EQ(task.test_labels.score("roc-auc", fit("size-svm", task.view, {}).test_scores), 1);
  // A path of n nodes, and a star and a path of the same number: n nodes, n - 1 edges.
  const ClassTask same = task_of(shapes(), thirds(60));
  const Matrix scores = fit("size-svm", same.view, {}).test_scores;
  for (Index i = 0; i + 2 < scores.rows; i += 3)
    for (Index c = 0; c < 3; ++c) EXPECT_EQ(scores(i + 1, c), scores(i + 2, c));
}

TEST(KernelSvm, MemoryGrowsWithPairsOfGraphs) {
  const ClassTask task = task_of(shapes(), thirds(60));
  const ModelEntry& entry = *find_model("wl-svm");
  const auto bytes = [&](const Settings& settings) {
    return entry.direct(configure(entry, settings))->memory_bytes(task.view);
  };
  EXPECT_GE(bytes({}), 24u * 60 * 60);
  EXPECT_GE(bytes({{"use", std::string("rbf-rows")}}), bytes({}) + 32u * 60 * 60);
}

TEST(KernelSvm, SaysWhatIsTooLargeBeforeItBegins) {
  std::vector<MadeGraph> graphs = {star(3000)};  // 1e18 subgraphs of at most 7 nodes
  std::vector<Index> labels;
  while (graphs.size() < 60) graphs.push_back(path(3));
  for (Index g = 0; g < 60; ++g) labels.push_back(g % 2);
  const ClassTask task = task_of(dataset_of(union_of(graphs), labels), thirds(60));
  const ModelEntry& entry = *find_model("sm-svm");
  const auto check = [&](std::int64_t k) {
    entry.direct(configure(entry, {{"k", k}}))->check(task.view);
  };
  EXPECT_NO_THROW(check(3));
  try {
    check(7);
    FAIL() << "not refused";
  } catch (const Error& e) {
    for (const char* part : {"sm-svm", "takes about", "set k = 4", "wl-svm"})
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << e.what();
  }
  EXPECT_THROW((void)fit("sm-svm", task.view, {{"k", std::int64_t{7}}}), Error);
  EXPECT_NO_THROW(
      find_model("wl-svm")->direct(configure(*find_model("wl-svm"), {}))->check(task.view));
}

TEST(KernelSvm, SaysWhatItCannotLearnFrom) {
  const ClassTask nodes = made_task();
  for (const char* model : {"wl-svm", "sp-svm", "sm-svm", "size-svm"}) {
    try {
      (void)fit(model, nodes.view, {});
      FAIL() << model;
    } catch (const Error& e) {
      EXPECT_TRUE(std::string(e.what()).starts_with(model)) << e.what();
    }
  }
  Dataset one_way = shapes();
  one_way.adjacency.columns.pop_back();
  --one_way.adjacency.row_ptr.back();
  EXPECT_THROW((void)fit("wl-svm", task_of(one_way, thirds(60)).view, {}), Error);
  Dataset unlabelled = shapes();
  unlabelled.features = Matrix(unlabelled.nodes(), 0);
  const ClassTask task = task_of(unlabelled, thirds(60));
  EXPECT_NO_THROW((void)fit("wl-svm", task.view, {}));
  EXPECT_THROW((void)fit("wl-svm", task.view, {{"start", std::string("labels")}}), Error);
}

}  // namespace
}  // namespace cupel
