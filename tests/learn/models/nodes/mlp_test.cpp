#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

TEST(Mlp, ComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  const ModelEntry& entry = *find_model("mlp");
  TracedModel model(entry, configure(entry), task.view);
  model.shake(0.3);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  const auto z =
      oracle::relu(oracle::sum(oracle::product(oracle::words_of(task.view), w("w1")), w("b1")));
  oracle::expect_near(model.evaluate(), oracle::sum(oracle::product(z, w("w2")), w("b2")));
  EXPECT_EQ(oracle::regularised(model, 0.01), (Names{"w1", "w2"}));
}

// Two affine maps on end are what Wiki-CS's code trained.
TEST(Mlp, IsLinearWithoutActivation) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  const ModelEntry& entry = *find_model("mlp");
  const Options options = configure(entry, {{"hidden", std::int64_t{35}},
                                            {"activation", std::string("none")},
                                            {"start", std::string("pytorch")},
                                            {"l2", 5e-4},
                                            {"l2_on", std::string("all")}});
  TracedModel model(entry, options, task.view);
  for (const auto& [name, inputs] :
       {std::pair("w1", 9.0), std::pair("b1", 9.0), std::pair("w2", 35.0), std::pair("b2", 35.0)}) {
    double largest = 0;
    for (const oracle::Row& row : oracle::parameter(model, name))
      for (const double value : row) largest = std::max(largest, std::abs(value));
    EXPECT_LE(largest, 1 / std::sqrt(inputs)) << name;
    EXPECT_GT(largest, 0.3 / std::sqrt(inputs)) << name;
  }
  model.shake(0.3);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  const auto z = oracle::sum(oracle::product(oracle::words_of(task.view), w("w1")), w("b1"));
  oracle::expect_near(model.evaluate(), oracle::sum(oracle::product(z, w("w2")), w("b2")));
  EXPECT_EQ(oracle::regularised(model, 5e-4), (Names{"w1", "w2", "b1", "b2"}));
}

}  // namespace
}  // namespace cupel
