#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

TEST(Sgc, AveragesFeaturesHopsTimes) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  const ModelEntry& entry = *find_model("sgc");
  const auto s = oracle::symmetric(oracle::adjacency_of(task.view, true));
  for (const std::int64_t hops : {0, 1, 2, 3}) {
    TracedModel model(entry, configure(entry, {{"hops", hops}}), task.view);
    model.shake(0.3);
    auto x = oracle::words_of(task.view);
    for (int k = 0; k < hops; ++k) x = oracle::product(s, x);
    oracle::expect_near(model.evaluate(),
                        oracle::sum(oracle::product(x, oracle::parameter(model, "w")),
                                    oracle::parameter(model, "b")));
    EXPECT_EQ(oracle::regularised(model, 5e-4), Names{"w"});
  }
}

}  // namespace
}  // namespace cupel
