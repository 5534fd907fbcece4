#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"
#include "learn/models/nodes/parallel_arcs.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;
using oracle::Dense;

// H, then equation 4 with the rows of the transpose, whom a node collects from.
Dense expected(TracedModel& model, const Dense& x, const Dense& arcs, bool bias, int steps,
               double alpha) {
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  Dense z = oracle::product(x, w("w1"));
  z = oracle::relu(bias ? oracle::sum(z, w("b1")) : z);
  z = oracle::product(z, w("w2"));
  const Dense h = bias ? oracle::sum(z, w("b2")) : z;
  const Dense s = oracle::symmetric(oracle::transposed(arcs));
  z = h;
  for (int k = 0; k < steps; ++k)
    z = oracle::each_of(oracle::product(s, z), h,
                        [&](double sz, double own) { return (1 - alpha) * sz + alpha * own; });
  return z;
}

TEST(Appnp, ComputesItsEquations) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("appnp");
  TracedModel model(entry, configure(entry), task.view);
  model.shake(0.3);
  oracle::expect_near(model.evaluate(),
                      expected(model, oracle::words_of(task.view),
                               oracle::adjacency_of(task.view, true), false, 10, 0.1));
  EXPECT_EQ(oracle::regularised(model, 5e-3), Names{"w1"});
}

TEST(Appnp, AsWikiCsHasIt) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("appnp");
  const Options options = configure(entry, {{"steps", std::int64_t{2}},
                                            {"alpha", 0.11},
                                            {"self_loops", false},
                                            {"bias", true},
                                            {"l2", 5e-4},
                                            {"l2_on", std::string("all")}});
  TracedModel model(entry, options, task.view);
  for (const char* name : {"w1", "b1", "w2", "b2"}) {
    const DenseView view = model.view(name);
    const double limit = 1 / std::sqrt(name[1] == '1' ? 9.0 : 64.0);
    double largest = 0;
    for (Index r = 0; r < view.rows; ++r)
      for (Index c = 0; c < view.cols; ++c)
        largest = std::max(largest, std::abs(double{view.row(r)[c]}));
    EXPECT_LE(largest, limit) << name;
    EXPECT_GT(largest, 0.3 * limit) << name;
  }
  model.shake(0.3);
  oracle::expect_near(model.evaluate(),
                      expected(model, oracle::words_of(task.view),
                               oracle::adjacency_of(task.view, false), true, 2, 0.11));
  EXPECT_EQ(oracle::regularised(model, 5e-4), (Names{"w1", "b1", "w2", "b2"}));
}

// An arc that is there twice counts twice, in sums and degrees; so do self-links, unless the model
// puts one of its own in their place.
TEST(Appnp, ParallelArcsCountAsOftenAsTheyAreThere) {
  const auto [data, counts] = oracle::ParallelArcs(6);
  const ClassTask task = task_of(data, leading_split(data, 1, 1));
  for (const bool loops : {false, true}) {
    const ModelEntry& entry = *find_model("appnp");
    TracedModel model(entry, configure(entry, {{"self_loops", loops}}), task.view);
    model.shake(0.3);
    Dense wanted = counts;
    for (std::size_t i = 0; i < 6; ++i)
      if (loops) wanted[i][i] = 1;
    oracle::expect_near(model.evaluate(),
                        expected(model, oracle::words_of(task.view), wanted, false, 10, 0.1));
    // Of arcs both ways, on which GCN's rows are the columns.
    const ModelEntry& gcn = *find_model("gcn");
    TracedModel second(gcn, configure(gcn, {{"self_loops", loops}}), task.view);
    second.shake(0.3);
    const Dense s = oracle::symmetric(wanted);
    const auto p = [&](const char* name) { return oracle::parameter(second, name); };
    const Dense z = oracle::relu(oracle::sum(
        oracle::product(s, oracle::product(oracle::words_of(task.view), p("w1"))), p("b1")));
    oracle::expect_near(second.evaluate(),
                        oracle::sum(oracle::product(s, oracle::product(z, p("w2"))), p("b2")));
  }
}

// A row's sum over ones is the number of its arcs that stayed, scaled.
TEST(Appnp, ArcsAreDroppedAnewInEveryStepAndScaled) {
  const ClassTask task = made_task({.nodes = 400}, 300, 50);
  Builder b;
  GraphInputs in(b, task.view);
  const Value ones = affine(matmul(in.feature_matrix(), b.glorot("v", in.features(), 1)), 0, 1);
  const Value arcs = in.adjacency(false);
  const Value first = propagate_dropped(arcs, ones, 0.4),
              second = propagate_dropped(arcs, ones, 0.4);
  const Program program = b.finish(concat_columns({first, second}));
  ParameterSet values(program.parameters), gradients(program.parameters);
  initialise(program.parameters, {}, values);
  BoundProgram bound(compile(program, true),
                     {in.constants(), task.view.train, true, &values, &gradients});
  double kept = 0, arcs_there = 0;
  int same = 0, rows = 0;
  for (std::uint32_t step = 0; step < 20; ++step) {
    bound.forward(stream_key("arcs"), step);
    for (std::size_t i = 0; i < task.view.train.size(); ++i, ++rows) {
      const float* row = bound.output().row(static_cast<Index>(i));
      const auto degree = static_cast<double>(task.view.adjacency().row_size(task.view.train[i]));
      for (const int c : {0, 1}) {
        const double count = row[c] * 0.6;
        EXPECT_NEAR(count, std::round(count), 1e-3 * degree);
        kept += count;
        arcs_there += degree;
      }
      same += row[0] == row[1];
    }
  }
  // Four standard deviations of a binomial.
  EXPECT_NEAR(kept, 0.6 * arcs_there, 4 * std::sqrt(0.24 * arcs_there));
  EXPECT_LT(same, rows / 2) << "two steps drop alike";
}

}  // namespace
}  // namespace cupel
