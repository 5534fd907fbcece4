// Every model of the registry that is trained by gradient descent: its gradient, what pruning and
// renumbering may change, whether it learns.
#include "learn/models/conformance.h"

namespace cupel {
namespace {

class TrainableModelOf : public ConformanceOfModel {};

TEST_P(TrainableModelOf, HasALearningRate) { EXPECT_GT(options().real("lr"), 0); }

// Of the summed training loss, dropout on. Float forward passes leave about 1e-5 / h of noise in a
// difference; the rest of the tolerance is its cubic term.
TEST_P(TrainableModelOf, GradientEqualsDifferences) {
  const NodeTask task = task_for(entry());
  // The loss compared here is that of the logits: a model's own penalty is tested beside it.
  Settings unpenalised;
  if (of_graphs(entry())) unpenalised["hidden"] = narrow_width();
  for (const OptionSpec& option : entry().options)
    if (option.name == "lamda") unpenalised[option.name] = 0.0;
  TracedModel traced(entry(), options(unpenalised), task.view);
  traced.shake(0.1);
  BoundProgram bound = traced.bind(task.view.train, true, true);
  const StreamKey key = stream_key("gradient");
  const auto loss = [&](DenseView gradient) {
    bound.forward(key, 3);
    return summed_cross_entropy(bound.output(), task.view.train_labels, gradient);
  };
  const auto gradient = [&](int slot, std::size_t i) {
    loss(bound.output_gradient());
    bound.backward();
    return double{traced.gradients.view(slot).data[i]};
  };
  (void)gradient(0, 0);
  ParameterSet analytic = traced.gradients;
  Stream random(stream_key("entries to check"), 0);
  int checked = 0, kinks = 0;
  double largest = 0;
  for (int slot = 0; slot < static_cast<int>(traced.values.count()); ++slot) {
    for (int k = 0; k < 8; ++k) {
      const auto i = random.next_below(static_cast<std::uint32_t>(traced.values.slice_size(slot)));
      float& w = traced.values.view(slot).data[i];
      const float kept = w;
      const auto at = [&](float offset) {
        w = kept + offset;
        const double value = loss({});
        w = kept;
        return value;
      };
      const double here = at(0);
      const auto slope = [&](float h) { return (at(h) - at(-h)) / (2.0 * h); };
      const auto bend = [&](float h) { return (at(h) + at(-h) - 2 * here) / h; };
      const double expected = slope(4e-3f);
      // Of large losses, as sums over a graph's nodes give, there is as much more noise.
      const double tolerance = 5e-3 + 1e-2 * std::abs(expected) +
                               (of_graphs(entry()) ? 1e-6 * std::abs(here) / 4e-3 : 0.0);
      // Where a relu or a maximum switches within h there is no derivative to compare: slopes
      // differ, or slopes to the left and right do and their difference does not halve with h.
      double got = analytic.view(slot).data[i];
      const bool kink = std::abs(expected - slope(2e-3f)) > tolerance / 2 ||
                        std::abs(2 * bend(2e-3f) - bend(4e-3f)) > tolerance;
      kinks += kink;
      if (kink && !of_graphs(entry())) continue;
      // All nodes of a batch meet in a batch norm: kinks are everywhere, more than one within h.
      // A difference is the mean of the gradients in between, whatever they do there: of ever more
      // of them, until it shows.
      for (int between = 16; of_graphs(entry()) && between <= 1024; between *= 4) {
        if (!kink && std::abs(got - expected) <= tolerance) break;
        got = 0;
        for (int m = 0; m < between; ++m) {
          w = kept + 4e-3f * (static_cast<float>(2 * m + 1) / static_cast<float>(between) - 1);
          got += gradient(slot, i) / between;
        }
        w = kept;
        if (std::abs(got - expected) <= tolerance) break;
      }
      EXPECT_NEAR(got, expected, tolerance) << traced.program.parameters[slot].name << " " << i;
      largest = std::max(largest, std::abs(got));
      ++checked;
    }
  }
  if (!of_graphs(entry())) {
    EXPECT_LE(kinks, checked / 5);
  }
  EXPECT_GT(largest, 0.1) << "there is no gradient to speak of";
}

// Where a parameter has a row for every node, rows move with their nodes.
void renumber_rows(TracedModel& traced, const std::vector<Index>& places) {
  for (const Parameter& p : traced.program.parameters) {
    if (p.rows != traced.nodes) continue;
    const DenseView view = traced.view(p.name);
    Matrix moved(view.rows, view.cols);
    for (Index i = 0; i < view.rows; ++i) std::copy_n(view.row(i), view.cols, moved.row(places[i]));
    std::copy(moved.values.begin(), moved.values.end(), view.data);
  }
}

// Node 0 stays in place: GraphSAGE's padding, as released, gives it a part of its own.
TEST_P(TrainableModelOf, RenumberedExamplesGetTheSameLogits) {
  const Dataset data = of_graphs(entry()) ? drawn_graphs() : made_dataset();
  const Index examples = data.examples();
  std::vector<Index> places(static_cast<std::size_t>(examples));
  for (Index i = 1; i < examples; ++i)
    places[i] = 1 + (i * 6) % (examples - 1);  // 6 and 59 are coprime
  std::vector<Index> unmoved(places.size());
  std::iota(unmoved.begin(), unmoved.end(), 0);
  const auto logits = [&](const Dataset& d, const std::vector<Index>& at) {
    const Split split = d.graphs ? leading_graphs(d, 20, 20) : leading_split(d, 20, 20);
    // Graphs draw their numbers to drop by their place, where a model drops when evaluated.
    TracedModel traced(entry(), options(d.graphs ? undropped() : Settings{}),
                       task_of(d, split).view);
    traced.shake(0.1);
    if (!d.graphs) renumber_rows(traced, at);
    return traced.evaluate();
  };
  const Matrix a = logits(data, unmoved), b = logits(renumbered_examples(data, places), places);
  // The slip that this setting reproduces is that a graph depends on the numbers of its nodes; a
  // model of two phases does not read its graph in the first.
  const bool by_number = GetParam().settings.contains("node_order") &&
                         !entry().trainable(options())->second_phase_from();
  double largest = 0, moved = 0;
  for (Index i = 0; i < examples; ++i)
    for (Index c = 0; c < a.cols; ++c) {
      moved = std::max(moved, std::abs(double{a(i, c)} - b(places[i], c)));
      if (!by_number) {
        EXPECT_NEAR(a(i, c), b(places[i], c), 1e-5 * std::max(1.0f, std::abs(a(i, c))))
            << "example " << i;
      }
      largest = std::max(largest, std::abs(double{a(i, c)} - a(0, c)));
    }
  EXPECT_GT(largest, 1e-2) << "all examples have the same logits";
  if (by_number) {
    EXPECT_GT(moved, 1e-2) << "the order of nodes does not matter";
  }
}

// A whole short training, and what is learnt by it, to the bit: rows that the loss does not read
// pass on gradients of zero, which no sum over rows can see.
TEST_P(TrainableModelOf, PrunedTrainingEqualsUnprunedToTheBit) {
  const NodeTask task =
      task_for(entry(), {.nodes = 600, .words = 150, .words_per_node = 25}, 40, 20);
  const auto trained = [&](bool prune) {
    TracedModel traced(entry(), options(), task.view);
    traced.shake(0.1);
    train_by_hand(traced, task.view, 0.01, 10, prune);
    return traced.values.block();
  };
  EXPECT_EQ(trained(true), trained(false));
}

// Whether some value depends on all rows, so that nothing can be left out before it.
bool reads_every_row(const Program& program) {
  for (const Node& node : program.nodes) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.kind == Node::Kind::kOp &&
          program.nodes[node.inputs[i]].shape.space != kStaticSpace &&
          node.op->reads(static_cast<int>(i)) == Reads::kAllRows)
        return true;
  }
  return false;
}

TEST_P(TrainableModelOf, ComputesFewerRowsPruned) {
  const NodeTask task = task_for(entry(), {.nodes = 600}, 2, 5);
  Settings near;  // ten hops reach all nodes from any
  for (const OptionSpec& option : entry().options)
    if (option.name == "hops") near[option.name] = std::int64_t{2};
  TracedModel traced(entry(), options(near), task.view);
  // In training, a batch norm reads every row of the binding, which is then a batch.
  const bool training = !of_graphs(entry());
  const auto pruned = traced.bind(task.view.train, training, true).computed_rows();
  const auto all = traced.bind(task.view.train, training, false).computed_rows();
  EXPECT_LT(pruned, reads_every_row(traced.program) ? all : all / 2);
}

// Twenty examples with random labels, no dropout and no L2: whoever can train at all learns them by
// heart.
TEST_P(TrainableModelOf, OverfitsTwentyExamples) {
  const NodeTask task =
      of_graphs(entry()) ? drawn_task({.graphs = 26, .nodes = 25}, 20, 3) : task_for(entry());
  Settings plain = undropped();
  for (const OptionSpec& option : entry().options) {
    if (option.name == "l2") plain[option.name] = 0.0;
    // What tells graphs apart, to those who see little of them.
    if (option.name == "features" && of_graphs(entry()))
      plain[option.name] = option.fallback == OptionValue(std::string("average-degree"))
                               ? std::string("average-degree,degree-distribution:width=16")
                           : option.fallback == OptionValue(std::string("labels"))
                               ? std::string("labels,random:width=16")
                               : std::get<std::string>(option.fallback);
  }
  TracedModel traced(entry(), options(plain), task.view);
  train_by_hand(traced, task.view, 0.01, 600, true);
  const Matrix logits = traced.evaluate();
  int right = 0;
  for (std::size_t i = 0; i < task.view.train.size(); ++i) {
    const float* row = logits.row(task.view.train[i]);
    right += std::max_element(row, row + logits.cols) - row == task.view.train_labels[i];
  }
  // A relu on the logits, as released, keeps some graphs from being learnt at all.
  const auto relu = GetParam().settings.find("output_relu");
  if (relu != GetParam().settings.end() && relu->second == OptionValue(true))
    EXPECT_GE(right, 10);
  else
    EXPECT_EQ(right, 20);
}

TEST_P(TrainableModelOf, EveryParameterIsUsedAndStartsAsDeclared) {
  const NodeTask task = task_for(entry());
  TracedModel traced(entry(), options(), task.view);
  for (int slot = 0; slot < static_cast<int>(traced.values.count()); ++slot) {
    const Parameter& p = traced.program.parameters[static_cast<std::size_t>(slot)];
    if (p.init == Parameter::Init::kFill) continue;
    double largest = 0;
    for (std::size_t i = 0; i < traced.values.slice_size(slot); ++i)
      largest = std::max(largest, std::abs(double{traced.values.view(slot).data[i]}));
    const double fan = p.fan > 0 ? p.fan : p.rows + p.cols;
    const double limit = p.init == Parameter::Init::kNormal    ? 6 * p.gain
                         : p.init == Parameter::Init::kUniform ? std::sqrt(1.0 / fan)
                         : p.init == Parameter::Init::kGlorotNormal
                             ? 6 * p.gain * std::sqrt(2.0 / fan)
                             : std::sqrt(6.0 / fan);
    EXPECT_LE(largest, limit) << p.name;
    EXPECT_GT(largest, 0) << p.name;
  }
  std::vector<double> gradient(traced.values.count());
  const auto add_gradients = [&](TracedModel& phase) {
    phase.shake(0.1);
    BoundProgram bound = phase.bind(task.view.train, true, true);
    bound.forward(stream_key("use"), 0);
    summed_cross_entropy(bound.output(), task.view.train_labels, bound.output_gradient());
    bound.backward();
    for (std::size_t slot = 0; slot < gradient.size(); ++slot)
      for (std::size_t i = 0; i < phase.values.slice_size(static_cast<int>(slot)); ++i)
        gradient[slot] += std::abs(double{phase.gradients.view(static_cast<int>(slot)).data[i]});
  };
  add_gradients(traced);
  if (traced.model->second_phase_from()) {
    TracedModel second(entry(), options(), task.view,
                       [](TrainableModel& model, Builder& b, GraphInputs& in) {
                         return model.second_logits(b, in);
                       });
    ASSERT_EQ(second.values.count(), gradient.size());
    add_gradients(second);
  }
  const Matrix evaluated = traced.evaluate();
  for (std::size_t slot = 0; slot < gradient.size(); ++slot) {
    if (gradient[slot] > 0) continue;
    // A bias before a batch norm, and what is not trained, show when evaluated alone.
    float* values = traced.values.view(static_cast<int>(slot)).data;
    for (std::size_t i = 0; i < traced.values.slice_size(static_cast<int>(slot)); ++i)
      values[i] += 0.5f;
    EXPECT_FALSE(same_bits(traced.evaluate(), evaluated))
        << "nothing reads " << traced.program.parameters[slot].name;
    for (std::size_t i = 0; i < traced.values.slice_size(static_cast<int>(slot)); ++i)
      values[i] -= 0.5f;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, TrainableModelOf, testing::ValuesIn(variants(true)),
                         variant_name);

}  // namespace
}  // namespace cupel
