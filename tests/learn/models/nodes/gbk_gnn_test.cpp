#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double leaky(double x) { return x > 0 ? x : 0.2 * x; }

// The two things in which paper and released code differ.
struct Form {
  bool sender = false, equality = false;
  Settings settings() const {
    Settings out;
    if (sender) out["negative_kernel"] = std::string("sender");
    if (equality) out["gate_target"] = std::string("equal-labels");
    return out;
  }
};

// One gated layer by its definition, arc by arc; adds the gate's loss over training arcs.
Dense gated(TracedModel& model, const TaskView& task, const Dense& x, const std::string& number,
            double* gate_loss, Form form = {}) {
  const auto w = [&](const std::string& name) { return oracle::parameter(model, name + number); };
  const Dense p = oracle::product(x, w("w_gate"));
  const Dense receiver = oracle::product(p, w("a_l")), sender = oracle::product(p, w("a_r"));
  const Dense in = oracle::transposed(oracle::adjacency_of(task, false));
  Dense positive = oracle::zeros(x.size(), x[0].size()), negative = positive;
  std::vector<int> label(x.size(), -1);
  for (std::size_t i = 0; i < task.train.size(); ++i) label[task.train[i]] = task.train_labels[i];
  double loss = 0;
  int arcs = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    for (std::size_t u = 0; u < x.size(); ++u) {
      if (in[v][u] == 0) continue;
      const double s = sigmoid(leaky(receiver[v][0] + sender[u][0])), d = oracle::row_sum(in, v);
      for (std::size_t c = 0; c < x[v].size(); ++c) {
        positive[v][c] += s * x[u][c] / d;
        negative[v][c] += (1 - s) * x[form.sender ? u : v][c] / d;
      }
      if (label[v] < 0 || label[u] < 0) continue;
      const bool open = form.equality ? label[v] == label[u] : label[v] != 0 && label[u] != 0;
      const double target = open ? s : 1 - s;
      loss += std::log(std::exp(s) + std::exp(1 - s)) - target;
      ++arcs;
    }
  *gate_loss += loss / arcs;
  const Dense a = oracle::sum(oracle::product(positive, w("w_p")), w("b_p"));
  const Dense b = oracle::sum(oracle::product(negative, w("w_n")), w("b_n"));
  return oracle::sum(
      a[0].size() * 2 == w("w_x")[0].size() ? oracle::beside(a, b) : oracle::sum(a, b),
      oracle::product(x, w("w_x")));
}

constexpr Form kForms[] = {{false, false}, {true, false}, {false, true}, {true, true}};

TEST(GbkGnn, ComputesItsEquations) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("gbk-gnn");
  for (const Form form : kForms) {
    TracedModel model(entry, configure(entry, form.settings()), task.view);
    model.shake(0.2);
    double loss = 0;
    const Dense h =
        oracle::relu(gated(model, task.view, oracle::words_of(task.view), "1", &loss, form));
    oracle::expect_near(model.evaluate(), gated(model, task.view, h, "2", &loss, form));
  }
}

// The gate's loss shows in gradients alone: with a gradient of zero at the logits, the parameters'
// gradients are those of lamda times the loss.
TEST(GbkGnn, DescendsTheLossOfItsGate) {
  const ClassTask task = directed_task({.nodes = 14, .words = 9}, 8, 3);
  const ModelEntry& entry = *find_model("gbk-gnn");
  for (const Form form : kForms) {
    Settings settings = form.settings();
    settings["dropout"] = 0.0;
    settings["lamda"] = 5.0;
    TracedModel model(entry, configure(entry, settings), task.view);
    model.shake(0.2);
    BoundProgram bound = model.bind(task.view.train, true, true);
    TracedModel::backward_of_penalties(bound);
    const auto loss = [&] {
      double sum = 0;
      const Dense h =
          oracle::relu(gated(model, task.view, oracle::words_of(task.view), "1", &sum, form));
      (void)gated(model, task.view, h, "2", &sum, form);
      return 5.0 * sum;
    };
    for (const char* name : {"a_l1", "a_r2", "w_gate1", "w_p1", "w_n1"}) {
      const int slot = model.slot(name);
      float& value = *model.values.view(slot).data;
      const float before = value;
      constexpr float kStep = 1e-3f;
      value = before + kStep;
      const double above = loss();
      value = before - kStep;
      const double below = loss();
      value = before;
      EXPECT_NEAR(*model.gradients.view(slot).data, (above - below) / (2 * kStep), 2e-3) << name;
    }
  }
}

TEST(GbkGnn, WithoutItsGateIsAMeanOfNeighbours) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("gbk-gnn");
  TracedModel model(entry, configure(entry, {{"gate", false}}), task.view);
  model.shake(0.2);
  const auto w = [&](const std::string& name) { return oracle::parameter(model, name); };
  const Dense m =
      oracle::mean_over_rows(oracle::transposed(oracle::adjacency_of(task.view, false)));
  const auto layer = [&](const Dense& x, const std::string& n) {
    return oracle::sum(
        oracle::sum(oracle::product(oracle::product(m, x), w("w_l" + n)), w("b_l" + n)),
        oracle::product(x, w("w_r" + n)));
  };
  oracle::expect_near(model.evaluate(),
                      layer(oracle::relu(layer(oracle::words_of(task.view), "1")), "2"));
}

}  // namespace
}  // namespace cupel
