#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "cupel/learn/task_kind.h"
#include "learn/models/graphs/graph_oracle.h"

namespace cupel {
namespace {

using oracle::Dense;

void expect_equations(Settings settings, const std::string& pooling, bool train_eps) {
  const ClassTask task = drawn_task({.graphs = 12}, 4, 4);
  const ModelEntry& entry = *find_model("gin");
  settings.merge(Settings{{"hidden", std::string("6,9")},
                          {"pooling", pooling},
                          {"train_eps", train_eps},
                          {"dropout", 0.0}});
  TracedModel model(entry, configure(entry, settings), task.view);
  model.shake(0.2);
  const auto equations = [&](bool as_trained) {
    const auto mlp = [&](Dense x, const std::string& number) {
      for (const std::string& name : {number + "a", number + "b"})
        x = oracle::relu(
            oracle::norm(model, oracle::linear(model, x, name), "norm_" + name, as_trained));
      return x;
    };
    const Dense a = oracle::adjacency_of(task.view, false);
    Dense x =
        settings.contains("features") ? oracle::degrees_of(task.view) : oracle::words_of(task.view);
    x = mlp(x, "0");
    Dense out = oracle::pool(task.view, oracle::linear(model, x, "out0"), pooling);
    for (const std::string& number : {std::string("1"), std::string("2")}) {
      const double eps = train_eps ? oracle::parameter(model, "eps" + number)[0][0] : 0.0;
      const Dense neighbours = oracle::product(a, x);
      const Dense own = oracle::each(x, [&](double v) { return (1 + eps) * v; });
      x = mlp(oracle::sum(own, neighbours), number);
      out = oracle::sum(out,
                        oracle::linear(model, oracle::pool(task.view, x, pooling), "out" + number));
    }
    return out;
  };
  oracle::expect_equations(model, equations);
}

TEST(Gin, ComputesItsEquations) { expect_equations({}, "mean", false); }
TEST(Gin, CanTrainEps) { expect_equations({}, "mean", true); }
TEST(Gin, CanReadTheSumOrTheMaximum) {
  expect_equations({}, "sum", false);
  expect_equations({}, "max", false);
}
TEST(Gin, CanStartFromDegrees) {
  expect_equations({{"features", std::string("degree")}}, "mean", false);
}

// Of the published setting on MUTAG: 7 labels, 2 classes.
TEST(Gin, HasTheParametersOfTheReleasedModel) {
  const ClassTask task = drawn_task({.classes = 2, .kinds = 7});
  const ModelEntry& entry = *find_model("gin");
  TracedModel model(entry, configure(entry), task.view);
  const auto stage = [](std::size_t in, std::size_t out) {
    const std::size_t first = in * out + out + 2 * out, second = out * out + out + 2 * out;
    return first + second + out * 2 + 2;
  };
  EXPECT_EQ(model.parameter_count(),
            stage(7, 64) + stage(64, 64) + stage(64, 300) + stage(300, 300) + stage(300, 64));
}

TEST(Gin, DropsTheFirstReadOutWhenEvaluatedOnlyAsReleased) {
  const ClassTask task = drawn_task();
  const ModelEntry& entry = *find_model("gin");
  for (const bool released : {false, true}) {
    TracedModel model(entry,
                      configure(entry, {{"hidden", std::string("8")},
                                        {"readout_dropout_when_evaluated", released}}),
                      task.view);
    model.shake(0.2);
    BoundProgram bound = model.bind(task.view.train, false, true);
    std::vector<Matrix> scores;
    for (const std::uint32_t step : {0u, 1u}) {
      bound.forward(stream_key("evaluation"), step);
      const ConstDenseView out = bound.output();
      scores.emplace_back(out.rows, out.cols);
      for (Index r = 0; r < out.rows; ++r) std::copy_n(out.row(r), out.cols, scores.back().row(r));
    }
    EXPECT_EQ(scores[0].values == scores[1].values, !released);
  }
}

TEST(Gin, RefusesWidthsThatAreNone) {
  const ModelEntry& entry = *find_model("gin");
  for (const char* text : {"", "64,", ",64", "64;64", "64,0", "64, 64", "1.5", "99999999999"}) {
    EXPECT_THROW((void)entry.trainable(configure(entry, {{"hidden", std::string(text)}})), Error)
        << text;
  }
}

TEST(Models, AreNotAskedForExamplesOfTheOtherKind) {
  const ClassTask nodes = made_task(), graphs = drawn_task();
  const auto check = [](const char* model, const TaskView& view) {
    view.kind().check("here", view.facts(), find_model(model), {}, "accuracy");
  };
  EXPECT_NO_THROW(check("gin", graphs.view));
  EXPECT_NO_THROW(check("gcn", nodes.view));
  EXPECT_THROW(check("gcn", graphs.view), Error);
  try {
    check("gin", nodes.view);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'gin' classifies graphs"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("'made'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("mlp"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace cupel
