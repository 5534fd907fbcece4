// Programs drawn at random from all ops: whatever is left out, shared, ordered anew or computed on
// several threads, they give what they give as they were written down.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "cupel/engine/program/product_order.h"
#include "engine/program/example_graph.h"

namespace cupel {
namespace {

const StreamKey kKey = stream_key("random programs");

// Writes down a program of some steps, each of which reads what was written down before it, often
// the last few values, and the same value again and again.
class RandomProgram {
 public:
  RandomProgram(Builder& b, const OpExampleInputs& in, std::uint32_t number)
      : b_(b), in_(in), random_(stream_key("random program"), number) {}

  Value trace() {
    values_ = {in_.dense_features,
               matmul(b_.dropout(in_.sparse_features, 0.4), weight(9, width()))};
    for (Index left = 3 + below(9); left > 0; --left) values_.push_back(step());
    Value out = to(values_.back(), 3);
    if (below(2) == 0) out = out + to(any(), 3);
    return below(4) == 0 ? row_dot(out, to(any(), 3)) : out;
  }

 private:
  Index below(Index n) {
    return static_cast<Index>(random_.next_below(static_cast<std::uint32_t>(n)));
  }
  Index width() { return std::array{1, 3, 4, 8, 17}[static_cast<std::size_t>(below(5))]; }
  std::string name() { return "p" + std::to_string(names_++); }

  Value any() {
    const auto count = static_cast<Index>(values_.size());
    const Index back = below(3) == 0 ? below(count) : below(std::min<Index>(3, count));
    return values_[static_cast<std::size_t>(count - 1 - back)];
  }
  // A parameter, often one that is there; some are computed.
  Value weight(Index rows, Index cols) {
    for (const Value known : weights_)
      if (known.shape().rows == rows && known.shape().cols == cols && below(2) == 0) return known;
    weights_.push_back(b_.glorot(name(), rows, cols));
    return below(6) == 0 ? tanh(weights_.back()) : weights_.back();
  }
  Value to(Value x, Index cols) {
    return x.shape().cols == cols ? x : matmul(x, weight(x.shape().cols, cols));
  }
  Value arcs() { return below(2) == 0 ? in_.adjacency : in_.pattern; }

  Value step() {
    const Value x = any();
    const Index cols = x.shape().cols;
    switch (below(30)) {
      case 0:
        return matmul(x, weight(cols, width()));
      case 1:
        return elu(x + weight(1, cols));
      case 2:
        return tanh(x);
      case 3:
        return gelu(b_.dropout(x, 0.3));
      case 4:
        return x + to(any(), cols);
      case 5:
        return to(any(), cols) - x;
      case 6:
        return tanh(x) * to(any(), cols);
      case 7:
        return x * to(any(), 1);
      case 8:
        return x * weight(1, below(2) == 0 ? cols : 1);
      case 9:
      case 10:
        return propagate(arcs(), x);
      case 11:
        return propagate_dropped(in_.adjacency, x, 0.3);
      case 12:
        return b_.dropout(x, 0.3) + to(any(), cols);
      case 13:
        return batch_norm(x, weight(1, cols), weight(1, cols), b_.running_moments(name(), cols));
      case 14:
        return layer_norm(x, weight(1, cols), weight(1, cols));
      case 15: {
        const Value both = concat_columns({x, any()});
        return both.shape().cols > 20 ? columns(both, 1, 8) : both;
      }
      case 16:
        return softmax_rows(x);
      case 17:
        return normalise_rows(x, 1e-3);
      case 18:
        return neighbour_max(in_.pattern, x, below(2) - 1);
      case 19:
        return additive_attention(arcs(), to(any(), 1), to(any(), 1), x);
      case 20:
        return dot_attention(in_.pattern, to(any(), cols), to(any(), cols), x, 1, 0.4);
      case 21:
        return shared_attention(in_.pattern, to(any(), 2 * cols), x, 2, 0.4, 0.3 * below(2));
      case 22: {
        const Value scores = edge_add(in_.pattern, to(any(), 1), to(any(), 1));
        const Value shares = b_.dropout(edge_softmax(in_.pattern, leaky_relu(scores)), 0.2);
        return edge_gather(in_.pattern, shares, x, false);
      }
      case 23:
        return affine(x * column_sums(softmax_rows(x)), 0.1);
      case 24:
        return matmul(x, affine(inner_products(tanh(x), tanh(to(any(), 3))), 0.1));
      case 25:
        return gather_rows(in_.selection, weight(4, cols)) * x;
      case 26:
        return block_product(in_.selection, to(x, 4), weight(4, 8));
      case 27:
        return gru(to(any(), 3 * cols), to(any(), cols), x);
      case 28:
        return sample_gaussian(x, affine(tanh(to(any(), cols)), 0.3, -1));
      default:
        return weighted_sum({x, to(any(), cols), x}, weight(3, below(2) == 0 ? 1 : cols));
    }
  }

  Builder& b_;
  const OpExampleInputs& in_;
  Stream random_;
  std::vector<Value> values_, weights_;
  int names_ = 0;
};

// What a binding gives in two steps: outputs, and the gradient of a fixed weighting of them.
std::vector<float> outcome(const BoundExample& example, BoundProgram& bound) {
  std::vector<float> out;
  for (std::uint32_t step = 0; step < 2; ++step) {
    bound.forward(kKey, step);
    Stream random(stream_key("what is asked"), step);
    const ConstDenseView values = bound.output();
    const DenseView gradient = bound.output_gradient();
    for (Index r = 0; r < values.rows; ++r)
      for (Index c = 0; c < values.cols; ++c) {
        out.push_back(values.row(r)[c]);
        gradient.row(r)[c] = static_cast<float>(random.next_normal());
      }
    bound.backward();
    const AlignedVector<float>& gradients = example.gradients.block();
    out.insert(out.end(), gradients.begin(), gradients.end());
  }
  return out;
}

TEST(RandomPrograms, GiveTheSameHoweverTheyAreBound) {
  int hoisted = 0;
  for (std::uint32_t number = 0; number < 500; ++number) {
    const auto trace = [&](Builder& b, const OpExampleInputs& in) {
      return RandomProgram(b, in, number).trace();
    };
    std::vector<Index> rows;
    Stream chosen(stream_key("rows of a random program"), number);
    for (Index row = 0; row < ExampleGraph::kNodes; ++row)
      if (row == 3 || chosen.next_below(3) == 0) rows.push_back(row);
    // Each with parameters of its own, as batch norms write some.
    const auto bound = [&](const auto& bind) {
      BoundExample example(trace);
      Binding binding{example.graph.constants(), rows, true, &example.values, &example.gradients};
      BoundProgram program = bind(example, binding);
      return outcome(example, program);
    };
    const BoundExample example(trace);
    SCOPED_TRACE(std::to_string(number) + "\n" + example.program.to_text());

    const std::vector<float> pruned = bound([](const BoundExample& of, const Binding& binding) {
      return BoundProgram(compile(of.program, true), binding);
    });
    EXPECT_EQ(pruned, bound([](const BoundExample& of, Binding binding) {
                binding.prune = false;
                return BoundProgram(compile(of.program, true), std::move(binding));
              }))
        << "all rows";
    EXPECT_EQ(pruned, bound([](const BoundExample& of, const Binding& binding) {
                return BoundProgram(compile(of.program, true), binding, {3});
              }))
        << "threads";
    AlignedVector<float> memory(100'000, std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(pruned, bound([&](const BoundExample& of, Binding binding) {
                binding.memory = &memory;
                return BoundProgram(compile(of.program, true), std::move(binding));
              }))
        << "memory of others";

    const auto expect_near = [&](const std::vector<float>& other, const char* what) {
      ASSERT_EQ(other.size(), pruned.size()) << what;
      float largest = 1;
      for (const float value : pruned) largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < pruned.size(); ++i)
        ASSERT_NEAR(other[i], pruned[i], 1e-3 * largest) << what << ", number " << i;
    };
    expect_near(bound([](const BoundExample& of, Binding binding) {
                  binding.prune = false;
                  return BoundProgram(drop_unread(of.program), std::move(binding));
                }),
                "as it was written down");
    expect_near(
        bound([&](const BoundExample& of, const Binding& binding) {
          const Program compiled = compile(of.program, true);
          for (const ProductOrder& order : choose_product_orders(compiled, binding, 100'000))
            hoisted += order.hoist ? 1 : 0;
          return BoundProgram(order_products(compiled, binding, 100'000), binding);
        }),
        "ordered for the binding");
  }
  EXPECT_GT(hoisted, 0);
}

}  // namespace
}  // namespace cupel
