#include "cupel/base/error.h"
#include "cupel/engine/program/pointwise_op.h"
#include "learn/models/nodes/residual_oracle.h"

namespace cupel {
namespace {

const std::vector<std::string> kModels = {"resnet",       "resnet-sgc",      "resnet-adj",
                                          "residual-gcn", "residual-sage",   "residual-gat",
                                          "residual-gt",  "residual-gt-sep", "residual-gat-sep"};

bool attends(const std::string& name) {
  return name.starts_with("residual-ga") || name.starts_with("residual-gt");
}

// Arcs one way only, some both ways, self-loops; 7 and 8 have no incoming arc, 8 no outgoing one
// either, 9 only its own loop.
Dataset directed(Index classes) {
  Dataset data = made_dataset({.nodes = 12, .words = 9, .classes = classes});
  data.adjacency = from_edges(
      12, std::vector<Edge>{{0, 1},  {1, 0}, {0, 2}, {2, 3}, {3, 3}, {3, 4},  {4, 2},   {5, 5},
                            {5, 4},  {6, 5}, {7, 0}, {7, 6}, {7, 4}, {9, 9},  {10, 11}, {11, 10},
                            {10, 4}, {1, 4}, {2, 6}, {6, 1}, {0, 4}, {11, 11}});
  return data;
}

ClassTask directed_task(Index classes) {
  Dataset data = directed(classes);
  const Split split = leading_split(data, 4, 4);
  return task_of(std::move(data), split);
}

Settings small(const std::string& name, double multiplier = 1) {
  Settings settings = {{"hidden", std::int64_t{12}}, {"multiplier", multiplier}};
  if (attends(name)) settings["heads"] = std::int64_t{3};
  return settings;
}

class ResidualBaseline : public testing::TestWithParam<std::string> {
 protected:
  const std::string& name() const { return GetParam(); }
  const ModelEntry& entry() const { return *find_model(name()); }

  void expect_equations(const TaskView& task, double multiplier, std::int64_t layers) {
    Settings settings = small(name(), multiplier);
    settings["layers"] = layers;
    TracedModel model(entry(), configure(entry(), settings), task);
    model.shake(0.3);
    oracle::Residual slow(model, task, 12, 3);
    oracle::expect_near(model.evaluate(), slow.logits(name(), static_cast<int>(layers)), 1e-4);
  }
};

TEST_P(ResidualBaseline, ComputesItsEquationsOnDirectedGraphsWithSelfLoops) {
  expect_equations(directed_task(3).view, 1, 2);
  expect_equations(directed_task(3).view, 0.5, 1);
}

TEST_P(ResidualBaseline, ComputesItsEquationsOnUndirectedGraphs) {
  expect_equations(made_task({.nodes = 20, .words = 9}, 4, 4).view, 2, 1);
}

TEST_P(ResidualBaseline, HasOneOutputForTwoClasses) {
  const ClassTask task = directed_task(2);
  TracedModel model(entry(), configure(entry(), small(name())), task.view);
  EXPECT_EQ(model.evaluate().cols, 1);
  expect_equations(task.view, 1, 2);
}

// 512F + 512 in, 1024 + 513 outputs out, and these for each layer: the paper's models have these
// sizes as released.
TEST_P(ResidualBaseline, HasAsManyParametersAsReleased) {
  const std::map<std::string, std::size_t> each_layer = {
      {"resnet", 526336},       {"resnet-sgc", 526336},        {"resnet-adj", 526336},
      {"residual-gcn", 526336}, {"residual-sage", 788480},     {"residual-gat", 797192},
      {"residual-gt", 1577984}, {"residual-gat-sep", 1059336}, {"residual-gt-sep", 1840128}};
  struct Case {
    Index words, classes;
    std::size_t outputs;
    std::int64_t layers;
  };
  for (const Case& c : {Case{7, 2, 1, 1}, Case{300, 5, 5, 2}}) {
    const ClassTask task = made_task({.nodes = 60, .words = c.words, .classes = c.classes});
    const TracedModel model(entry(), configure(entry(), {{"layers", c.layers}}), task.view);
    std::size_t inputs = static_cast<std::size_t>(c.words);
    if (name() == "resnet-sgc") inputs *= 2;
    if (name() == "resnet-adj") inputs += 60;
    EXPECT_EQ(model.parameter_count(),
              512 * inputs + 512 + 1024 + 513 * c.outputs + each_layer.at(name()) * c.layers);
  }
}

// PyTorch's linear layers: weights and biases alike, and the fan of all parts for each of them.
TEST_P(ResidualBaseline, LinearMapsStartUniformByFanIn) {
  const ClassTask task = made_task();
  const TracedModel model(entry(), configure(entry(), small(name())), task.view);
  std::map<std::string, Index> fan;
  const auto stem = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  const auto kind = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  for (const Parameter& p : model.program.parameters)
    if (kind(p.name)[0] == 'w') fan[stem(p.name)] += p.rows;
  EXPECT_EQ(fan.at("input"), name() == "resnet-sgc" ? 80 : name() == "resnet-adj" ? 100 : 40);
  for (const Parameter& p : model.program.parameters) {
    EXPECT_EQ(p.l2, 0) << p.name;
    if (kind(p.name) == "gain" || kind(p.name) == "shift") {
      EXPECT_EQ(p.init, Parameter::Init::kFill) << p.name;
      EXPECT_EQ(p.fill, std::vector<float>{kind(p.name) == "gain" ? 1.0f : 0.0f}) << p.name;
    } else {
      EXPECT_EQ(p.init, Parameter::Init::kUniform) << p.name;
      EXPECT_EQ(p.fan, fan.at(stem(p.name))) << p.name;
    }
  }
}

// Released order: linear, dropout, GELU. Every MLP drops twice, the attention of GT once more.
TEST_P(ResidualBaseline, DropsBeforeTheActivationAndBeforeEveryResidual) {
  const ClassTask task = made_task();
  const TracedModel model(entry(), configure(entry(), small(name())), task.view);
  const auto& nodes = model.program.nodes;
  const auto is = [](const Node& node, std::string_view op) {
    return node.kind == Node::Kind::kOp && node.op->name() == op;
  };
  const auto random = [](const Node& node) {
    return node.kind == Node::Kind::kOp && node.op->is_random();
  };
  int dropouts = 0, activations = 0, residuals = 0;
  for (const Node& node : nodes) {
    dropouts += random(node);
    const auto* pointwise = dynamic_cast<const Pointwise*>(node.op.get());
    if (pointwise != nullptr && pointwise->spec().activation == kernels::Activation::kGelu) {
      ++activations;
      EXPECT_TRUE(random(nodes[node.inputs[0]]));
    }
    if (is(node, "add") && random(nodes[node.inputs[1]])) ++residuals;
  }
  const int residuals_each = name().starts_with("residual-gt") ? 2 : 1;
  EXPECT_EQ(activations, 1 + 2);
  EXPECT_EQ(residuals, 2 * residuals_each);
  EXPECT_EQ(dropouts, 1 + 2 * (1 + residuals_each));
}

INSTANTIATE_TEST_SUITE_P(Registry, ResidualBaseline, testing::ValuesIn(kModels),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ResidualAttention, RefusesHeadsThatDoNotShareOutTheWidth) {
  for (const std::string& name : kModels) {
    if (!attends(name)) continue;
    const ModelEntry& entry = *find_model(name);
    EXPECT_THROW((void)entry.trainable(configure(entry, {{"hidden", std::int64_t{30}}})), Error);
  }
}

}  // namespace
}  // namespace cupel
