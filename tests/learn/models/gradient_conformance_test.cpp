// The gradient of every model of the registry that is trained by gradient descent
// (trainable_conformance_test.cpp has them all).
#include "learn/models/conformance.h"

namespace cupel {
namespace {

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

}  // namespace
}  // namespace cupel
