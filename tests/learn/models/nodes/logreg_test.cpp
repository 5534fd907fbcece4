#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

TEST(LogReg, ComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  const ModelEntry& entry = *find_model("logreg");
  TracedModel model(entry, configure(entry), task.view);
  model.shake(0.3);
  oracle::expect_near(model.evaluate(), oracle::sum(oracle::product(oracle::words_of(task.view),
                                                                    oracle::parameter(model, "w")),
                                                    oracle::parameter(model, "b")));
  EXPECT_EQ(oracle::regularised(model, 5e-4), Names{"w"});
}

}  // namespace
}  // namespace cupel
