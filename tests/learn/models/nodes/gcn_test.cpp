#include "cupel/engine/program/op.h"
#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

void expect_equations(bool self_loops) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  const ModelEntry& entry = *find_model("gcn");
  TracedModel model(entry, configure(entry, {{"self_loops", self_loops}}), task.view);
  model.shake(0.3);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  const auto s = oracle::symmetric(oracle::adjacency_of(task.view, self_loops));
  const auto x = oracle::words_of(task.view);
  const auto z =
      oracle::relu(oracle::sum(oracle::product(s, oracle::product(x, w("w1"))), w("b1")));
  oracle::expect_near(model.evaluate(),
                      oracle::sum(oracle::product(s, oracle::product(z, w("w2"))), w("b2")));
}

TEST(Gcn, ComputesItsEquations) { expect_equations(true); }
TEST(Gcn, WithoutSelfLoopsNormalisesTheAdjacencyAlone) { expect_equations(false); }

TEST(Gcn, RegularisesTheFirstLayerOnly) {
  const ModelEntry& entry = *find_model("gcn");
  TracedModel model(entry, configure(entry), made_task().view);
  EXPECT_EQ(oracle::regularised(model, 1e-3), Names{"w1"});
}

TEST(Gcn, DecaysEveryParameterWhereItIsTold) {
  const ModelEntry& entry = *find_model("gcn");
  TracedModel model(entry, configure(entry, {{"l2_on", std::string("all")}}), made_task().view);
  EXPECT_EQ(oracle::regularised(model, 1e-3), (Names{"w1", "w2", "b1", "b2"}));
}

int dropouts(const ModelEntry& entry, const Settings& settings) {
  TracedModel model(entry, configure(entry, settings), made_task().view);
  int count = 0;
  for (const Node& node : model.program.nodes)
    count += node.kind == Node::Kind::kOp && node.op->is_random();
  return count;
}

TEST(Gcn, DropsTheHiddenLayerAloneWhereItIsTold) {
  for (const char* name : {"gcn", "mlp"}) {
    EXPECT_EQ(dropouts(*find_model(name), {}), 2) << name;
    EXPECT_EQ(dropouts(*find_model(name), {{"drop_features", false}}), 1) << name;
    EXPECT_EQ(dropouts(*find_model(name), {{"dropout", 0.0}}), 0) << name;
  }
}

}  // namespace
}  // namespace cupel
