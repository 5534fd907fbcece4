#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

TEST(GprGnn, ComputesItsEquations) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("gpr-gnn");
  TracedModel model(entry, configure(entry, {{"alpha", 0.3}, {"hops", std::int64_t{3}}}),
                    task.view);
  // alpha (1 - alpha)^k, and what is left on the last power.
  const Dense start = oracle::parameter(model, "gamma");
  EXPECT_NEAR(start[0][0], 0.3, 1e-6);
  EXPECT_NEAR(start[1][0], 0.21, 1e-6);
  EXPECT_NEAR(start[0][0] + start[1][0] + start[2][0] + start[3][0], 1, 1e-6);
  model.shake(0.2);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  // Rows collect from the sources of incoming arcs; a self-loop where there is none.
  Dense a = oracle::transposed(oracle::adjacency_of(task.view, true));
  a = oracle::symmetric(a);
  auto h =
      oracle::relu(oracle::sum(oracle::product(oracle::words_of(task.view), w("w_1")), w("b_1")));
  h = oracle::sum(oracle::product(h, w("w_2")), w("b_2"));
  const Dense gamma = w("gamma");
  Dense out = oracle::zeros(h.size(), h[0].size());
  for (int k = 0; k <= 3; ++k) {
    out = oracle::sum(out, oracle::each(h, [&](double v) { return gamma[k][0] * v; }));
    h = oracle::product(a, h);
  }
  oracle::expect_near(model.evaluate(), out);
}

TEST(GprGnn, DoesNotRegulariseTheCoefficients) {
  const ModelEntry& entry = *find_model("gpr-gnn");
  TracedModel model(entry, configure(entry, {{"l2", 0.5}}), directed_task().view);
  EXPECT_EQ(oracle::regularised(model, 0.5),
            (std::vector<std::string>{"w_1", "b_1", "w_2", "b_2"}));
}

}  // namespace
}  // namespace cupel
