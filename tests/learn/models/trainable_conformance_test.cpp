// Every model of the registry that is trained by gradient descent: its gradient, what pruning and
// renumbering may change, whether it learns.
#include "learn/models/conformance.h"

namespace cupel {
namespace {

class TrainableModelOf : public ConformanceOfModel {
 protected:
  std::size_t phases() const { return entry().trainable(options())->schedule().phases.size(); }
};

TEST_P(TrainableModelOf, HasALearningRate) { EXPECT_GT(options().real("lr"), 0); }

// Along its own direction a gradient shows whether it is too large or too small, in parts too;
// along a random one, whether something is missing. Of length 1 each, but for zero gradients.
std::vector<std::vector<double>> directions(const std::vector<double>& gradient, Stream& random) {
  std::vector<std::vector<double>> all = {gradient, gradient, {}};
  for (double& x : all[1]) x *= random.next_below(2);
  for (std::size_t i = 0; i < gradient.size(); ++i) all[2].push_back(random.next_normal());
  for (auto& direction : all) {
    const double length =
        std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
    for (double& x : direction) x /= length > 0 ? length : 1;
  }
  return all;
}

// The gradient of the summed training loss, dropout on and with what the model adds to it, against
// differences of the loss: that between the ends of a segment is the integral of the slope in
// between. It is so across kinks, of which a relu behind a batch norm has hundreds within any step
// that float can resolve, so that a slope at one point has nothing to be compared with. What is
// left of error:
//   the integral, by the midpoint rule: a kink between two points is taken to be at their middle.
//     Points are added until it shows; kSlack, as a share of the gradient's length, is for the
//     rest.
//   the losses, of float logits: what they move by when parameters do by their last bit.
class GradientCheck {
 public:
  struct Slope {
    double got = 0, wanted = 0, tolerance = 0;
    bool agrees() const { return std::abs(got - wanted) <= tolerance; }
  };

  GradientCheck(TracedModel& traced, const TaskView& task, int most_points)
      : traced_(traced),
        labels_(task.train_labels),
        most_points_(most_points),
        bound_(traced.bind(task.train, true, true)) {
    watch([](const Op&, const OpRun&, bool) {});
    noise_ = noise();
  }

  BoundProgram& bound() { return bound_; }
  // Penalties are seen where they join the output, which they leave as it is.
  void watch(const BoundProgram::Watcher& watcher) {
    bound_.watch([this, watcher](const Op& op, const OpRun& run, bool backward) {
      if (!backward && op.name() == "with-penalty") penalty_ += *run.in[1].value.data;
      watcher(op, run, backward);
    });
  }

  // Along each of directions().
  std::vector<Slope> slopes(int slot) {
    const std::size_t size = traced_.values.slice_size(slot);
    float* const values = traced_.values.view(slot).data;
    const std::vector<float> kept(values, values + size);
    std::vector<Slope> all;
    for (const std::vector<double>& direction : directions(gradient(slot), random_)) {
      const auto move = [&](double by) {
        for (std::size_t i = 0; i < size; ++i)
          values[i] = static_cast<float>(kept[i] + by * direction[i]);
      };
      move(kReach);
      const double end = loss({});
      move(-kReach);
      Slope slope{.wanted = (end - loss({})) / (2 * kReach)};
      for (int points = 32; points <= most_points_; points *= 4) {
        double length = 0;
        slope.got = 0;
        for (int m = 0; m < points; ++m) {
          move(kReach * ((2 * m + 1.0) / points - 1));
          const std::vector<double> g = gradient(slot);
          slope.got += std::inner_product(g.begin(), g.end(), direction.begin(), 0.0) / points;
          length += std::sqrt(std::inner_product(g.begin(), g.end(), g.begin(), 0.0)) / points;
        }
        slope.tolerance = kSlack * length + noise_ / (2 * kReach);
        if (slope.agrees()) break;
      }
      all.push_back(slope);
    }
    std::copy(kept.begin(), kept.end(), values);
    return all;
  }

 private:
  static constexpr double kReach = 0.02, kSlack = 2e-3;

  double loss(DenseView gradient) {
    penalty_ = 0;
    bound_.forward(stream_key("gradient"), 3);
    return summed_cross_entropy(bound_.output(), labels_, gradient) + penalty_;
  }
  std::vector<double> gradient(int slot) {
    loss(bound_.output_gradient());
    bound_.backward();
    const float* const found = traced_.gradients.view(slot).data;
    return {found, found + traced_.gradients.slice_size(slot)};
  }

  // Batch norms of nodes that are nearly alike make much of little.
  double noise() {
    const AlignedVector<float> kept = traced_.values.block();
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (int trial = 0; trial < 16; ++trial) {
      for (float& value : traced_.values.block())
        value = std::nextafter(value, random_.next_below(2) == 0 ? -1e9f : 1e9f);
      const double now = loss({});
      least = std::min(least, now);
      most = std::max(most, now);
    }
    traced_.values.block() = kept;
    return 4 * (most - least) + 1e-7 * most;
  }

  TracedModel& traced_;
  const std::vector<Index>& labels_;
  int most_points_;
  BoundProgram bound_;
  Stream random_{stream_key("directions"), 0};
  double penalty_ = 0;  // of the last forward
  double noise_ = 0;    // of a difference of losses
};

TEST_P(TrainableModelOf, GradientIntegratesToDifferences) {
  const ClassTask task = task_for(entry());
  Settings narrow;
  if (of_graphs(entry())) narrow["hidden"] = narrow_width();
  for (std::size_t phase = 0; phase < phases(); ++phase) {
    TracedModel traced(entry(), options(narrow), task.view, phase);
    traced.shake(0.1);
    GradientCheck check(traced, task.view, 2048);
    double largest = 0;
    for (int slot = 0; slot < static_cast<int>(traced.values.count()); ++slot) {
      for (const GradientCheck::Slope& slope : check.slopes(slot)) {
        EXPECT_NEAR(slope.got, slope.wanted, slope.tolerance)
            << "phase " << phase << ", " << traced.program.parameters[slot].name;
        largest = std::max(largest, std::abs(slope.got));
      }
    }
    EXPECT_GT(largest, 0.5) << "there is no gradient to speak of in phase " << phase;
  }
}

// What the check above is worth: 2 % on what one op passes back are found, whichever op it is.
TEST(GradientCheckItself, FindsAnOpThatIsWrongByTwoPercent) {
  for (const char* name : {"gcn", "graph-gcn"}) {
    const ModelEntry& entry = *find_model(name);
    const ClassTask task = task_for(entry);
    TracedModel traced(entry, configure(entry, {{"hidden", std::int64_t{8}}}), task.view);
    traced.shake(0.1);
    GradientCheck check(traced, task.view, 128);
    int ops = 0, passed = 0;
    check.watch([&](const Op&, const OpRun&, bool backward) { ops += backward; });
    check.bound().forward(stream_key("gradient"), 3);
    check.bound().backward();
    ASSERT_GT(ops, 3);
    for (int wrong = 0; wrong < ops; ++wrong) {
      check.watch([&](const Op&, const OpRun& run, bool backward) {
        if (!backward || passed++ % ops != wrong) return;
        for (const Operand& input : run.in)
          for (Index r = 0; input.grad.data != nullptr && r < input.grad.rows; ++r)
            for (Index c = 0; c < input.grad.cols; ++c) input.grad.row(r)[c] *= 1.02f;
      });
      bool found = false;
      for (int slot = 0; slot < static_cast<int>(traced.values.count()) && !found; ++slot)
        for (const GradientCheck::Slope& slope : check.slopes(slot)) found |= !slope.agrees();
      EXPECT_TRUE(found) << name << ", backward step " << wrong;
    }
  }
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

// Node 0 stays in place: GraphSAGE's padding, as released, gives it a part of its own. Sums over
// neighbours, and over a batch, are taken in another order: a few units of the last place of terms
// as large as the logits, which over whole graphs are sums of tens.
TEST_P(TrainableModelOf, RenumberedExamplesGetTheSameLogits) {
  const Dataset data = of_graphs(entry()) ? drawn_graphs() : made_dataset();
  const Index examples = data.examples();
  std::vector<Index> places(static_cast<std::size_t>(examples));
  for (Index i = 1; i < examples; ++i)
    places[i] = 1 + (i * 6) % (examples - 1);  // 6 and 59 are coprime
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

INSTANTIATE_TEST_SUITE_P(Registry, TrainableModelOf, testing::ValuesIn(variants(Way::kTrained)),
                         variant_name);

}  // namespace
}  // namespace cupel
