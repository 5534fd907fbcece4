// Every model of the registry that is trained by gradient descent: what pruning and renumbering
// may change, whether it learns.
#include <set>

#include "learn/models/conformance.h"
#include "learn/train/stopping_checkpoint.h"

namespace cupel {
namespace {

TEST_P(TrainableModelOf, HasALearningRate) { EXPECT_GT(options().real("lr"), 0); }

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

// Node 0 stays in place: GraphSAGE's padding, as released, gives it a part of its own. Sums over
// neighbours, and over a batch, are taken in another order: a few units of the last place of terms
// as large as the logits, which over whole graphs are sums of tens.
//
// 67 nodes, a prime: no layer is as wide, so that parameters with as many rows are of nodes.
TEST_P(TrainableModelOf, RenumberedExamplesGetTheSameLogits) {
  const Dataset data = of_graphs(entry()) ? drawn_graphs() : made_dataset({.nodes = 67});
  const Index examples = data.examples();
  std::vector<Index> places(static_cast<std::size_t>(examples));
  for (Index i = 1; i < examples; ++i) places[i] = 1 + (i * 7) % (examples - 1);
  ASSERT_EQ(std::set<Index>(places.begin(), places.end()).size(), places.size());
  std::vector<Index> unmoved(places.size());
  std::iota(unmoved.begin(), unmoved.end(), 0);
  const auto logits = [&](const Dataset& d, const std::vector<Index>& at, std::size_t phase) {
    const Split split = d.graphs ? leading_graphs(d, 20, 20) : leading_split(d, 20, 20);
    // Graphs draw their numbers to drop by their place, where a model drops when evaluated.
    TracedModel traced(entry(), options(d.graphs ? undropped() : Settings{}),
                       task_of(d, split).view, phase);
    traced.shake(0.1);
    if (!d.graphs) renumber_rows(traced, at);
    return traced.evaluate();
  };
  const bool exempt = exemption(entry(), Requirement::kEquivariance, options()) != nullptr;
  double most_moved = 0;
  for (std::size_t phase = 0; phase < phases(); ++phase) {
    const Matrix a = logits(data, unmoved, phase),
                 b = logits(renumbered_examples(data, places), places, phase);
    double largest = 0;
    for (Index i = 0; i < examples; ++i)
      for (Index c = 0; c < a.cols; ++c) {
        const double moved = std::abs(double{a(i, c)} - b(places[i], c));
        most_moved = std::max(most_moved, moved);
        if (!exempt) {
          EXPECT_LE(moved, 4e-6 * std::max(1.0f, std::abs(a(i, c))))
              << "phase " << phase << ", example " << i;
        }
        largest = std::max(largest, std::abs(double{a(i, c)} - a(0, c)));
      }
    EXPECT_GT(largest, 1e-2) << "all examples have the same logits in phase " << phase;
  }
  if (exempt) {
    EXPECT_GT(most_moved, 1e-2) << "there is nothing to be exempt from";
  }
}

// A whole short training, and what is learnt by it, to the bit: rows that the loss does not read
// pass on gradients of zero, which no sum over rows can see.
TEST_P(TrainableModelOf, PrunedTrainingEqualsUnprunedToTheBit) {
  const ClassTask task =
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

// Nodes in a ring, where many hops lead to few nodes.
ClassTask ring_task() {
  Dataset data = made_dataset({.nodes = 600});
  std::vector<Edge> ring;
  for (Index i = 0; i < data.nodes(); ++i) ring.push_back({i, (i + 1) % data.nodes()});
  data.adjacency = symmetrise(from_edges(data.nodes(), ring));
  const Split split = leading_split(data, 2, 5);
  return task_of(std::move(data), split);
}

TEST_P(TrainableModelOf, ComputesFewerRowsPruned) {
  const ClassTask task = of_graphs(entry()) ? task_for(entry(), {.nodes = 600}, 2, 5) : ring_task();
  TracedModel traced(entry(), options(), task.view);
  // In training, a batch norm reads every row of the binding, which is then a batch.
  const bool training = !of_graphs(entry());
  const auto pruned = traced.bind(task.view.train, training, true).computed_rows();
  const auto all = traced.bind(task.view.train, training, false).computed_rows();
  EXPECT_LT(pruned, reads_every_row(traced.program) ? all : all / 2);
}

// Twenty examples with random labels, no dropout and no L2: whoever can train at all learns them by
// heart.
TEST_P(TrainableModelOf, OverfitsTwentyExamples) {
  const ClassTask task =
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
  // How many are out of reach depends on where a training starts.
  if (exemption(entry(), Requirement::kCapacity, options()) != nullptr)
    EXPECT_GE(right, 10);
  else
    EXPECT_EQ(right, 20);
}

TEST_P(TrainableModelOf, EveryParameterIsUsedAndStartsAsDeclared) {
  const ClassTask task = task_for(entry());
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
  for (std::size_t phase = 0; phase < phases(); ++phase) {
    TracedModel shaken(entry(), options(), task.view, phase);
    ASSERT_EQ(shaken.values.count(), gradient.size());
    shaken.shake(0.1);
    BoundProgram bound = shaken.bind(task.view.train, true, true);
    bound.forward(stream_key("use"), 0);
    summed_cross_entropy(bound.output(), task.view.train_labels, bound.output_gradient());
    bound.backward();
    for (std::size_t slot = 0; slot < gradient.size(); ++slot)
      for (std::size_t i = 0; i < shaken.values.slice_size(static_cast<int>(slot)); ++i)
        gradient[slot] += std::abs(double{shaken.gradients.view(static_cast<int>(slot)).data[i]});
  }
  traced.shake(0.1);
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

// Stopped in each phase, and begun again each time by a trainer that knows nothing of it.
TEST_P(TrainableModelOf, GoesOnToTheSameBitsAfterItWasStopped) {
  const auto view = view_for(entry());
  std::vector<int> stops = {1, 3};
  for (const TrainingPhase& phase : entry().trainable(options())->schedule().phases)
    if (phase.from > 0) stops.insert(stops.end(), {phase.from + 1, phase.from + 2});
  TrainRule rule;
  rule.max_epochs = stops.back() + 2;
  rule.patience = 0;
  rule.batch_size = of_graphs(entry()) ? 7 : 0;
  const auto run = [&](const RunLimits& limits) {
    Trainer trainer(view, entry(), options(), rule, view->kind().metric);
    return trainer.run(stream_key("trial"), limits);
  };
  const TrialOutcome whole = run({});
  StoppingCheckpoint checkpoint;
  RunLimits limits;
  limits.interrupt = &checkpoint.stop;
  limits.checkpoint = &checkpoint;
  for (const int at : stops) {
    checkpoint.stop = false, checkpoint.stop_after = at;
    EXPECT_THROW((void)run(limits), Interrupted);
    EXPECT_EQ(checkpoint.times, at) << "epochs were done again";
  }
  checkpoint.stop = false, checkpoint.stop_after = 0;
  const TrialOutcome again = run(limits);
  EXPECT_EQ(checkpoint.times, rule.max_epochs);
  ASSERT_TRUE(again.test_scores && whole.test_scores);
  EXPECT_TRUE(same_bits(*again.test_scores, *whole.test_scores));
  EXPECT_EQ(again.epochs, whole.epochs);
  EXPECT_EQ(again.best_epoch, whole.best_epoch);
  EXPECT_EQ(again.valid_loss, whole.valid_loss);
  EXPECT_EQ(again.valid_score, whole.valid_score);
}

INSTANTIATE_TEST_SUITE_P(Registry, TrainableModelOf, testing::ValuesIn(variants(Way::kTrained)),
                         variant_name);

}  // namespace
}  // namespace cupel
