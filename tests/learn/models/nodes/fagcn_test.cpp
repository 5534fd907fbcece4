#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

TEST(Fagcn, ComputesItsEquations) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("fagcn");
  TracedModel model(entry, configure(entry, {{"epsilon", 0.4}}), task.view);
  model.shake(0.2);
  const auto w = [&](const std::string& name) { return oracle::parameter(model, name); };
  const Dense a =
      oracle::without_diagonal(oracle::undirected(oracle::adjacency_of(task.view, false)));
  const Dense raw =
      oracle::relu(oracle::sum(oracle::product(oracle::words_of(task.view), w("w_in")), w("b_in")));
  Dense h = raw;
  for (const std::string layer : {"gate0", "gate1"}) {
    const Dense gates = oracle::product(h, w(layer));
    const double bias = w("b_" + layer)[0][0];
    Dense next = oracle::each(raw, [](double v) { return 0.4 * v; });
    for (std::size_t v = 0; v < a.size(); ++v)
      for (std::size_t u = 0; u < a.size(); ++u) {
        if (a[v][u] == 0) continue;
        const double e = std::tanh(gates[v][0] + gates[u][1] + bias) /
                         std::sqrt(oracle::row_sum(a, v) * oracle::row_sum(a, u));
        for (std::size_t c = 0; c < h[v].size(); ++c) next[v][c] += e * h[u][c];
      }
    h = next;
  }
  oracle::expect_near(model.evaluate(), oracle::sum(oracle::product(h, w("w_out")), w("b_out")));
}

}  // namespace
}  // namespace cupel
