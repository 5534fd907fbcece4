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

}  // namespace
}  // namespace cupel
