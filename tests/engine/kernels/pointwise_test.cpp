#include "cupel/engine/kernels/pointwise.h"

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::Activation;
using kernels::Chain;
using kernels::DrawPlan;
using kernels::DropRate;

constexpr Activation kActivations[] = {Activation::kNone, Activation::kRelu, Activation::kElu,
                                       Activation::kLeakyRelu, Activation::kTanh};

// A chain over rows x cols with everything it needs.
struct ChainSetup {
  std::vector<float> bias;
  DrawPlan plan;
  std::vector<std::uint16_t> draws;
  Chain chain;

  ChainSetup(Index rows, Index cols, bool with_bias, Activation activation, bool drop)
      : bias(Strided::random(1, cols, 31, 0).values),
        plan(DrawPlan::uniform(nullptr, rows, cols)),
        draws(plan.draws_capacity()) {
    kernels::fill_draws({{1, 2}, 3, 4}, plan.slot_rows.data(), plan.slot_blocks.data(),
                        plan.slot_rows.size(), draws.data());
    if (with_bias) chain.bias = bias.data();
    chain.activation = activation;
    chain.drop = drop;
    chain.rate = DropRate(0.4);
    chain.draws = draws.data();
  }
};

template <class F>
void over_chains(const F& f) {
  on_every_target([&] {
    for (const Index cols : {1, 4, 7, 8, 16, 19, 64}) {
      for (const Activation activation : kActivations) {
        for (const bool drop : {false, true}) {
          SCOPED_TRACE(testing::Message() << cols << " columns, activation "
                                          << static_cast<int>(activation) << ", drop " << drop);
          f(ChainSetup(13, cols, cols % 2 == 1, activation, drop), cols);
        }
      }
    }
  });
}

Strided wide_range(Index rows, Index cols) {
  Strided in = Strided::random(rows, cols, 32);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) in(i, j) *= std::pow(10.0f, static_cast<float>(i % 7 - 4));
  }
  in(0, 0) = 0.0f;
  in(1, 0) = 1e30f;
  in(2, 0) = -1e30f;
  in(3, 0) = -std::numeric_limits<float>::infinity();
  in(4, 0) = -87.4f;
  in(5, 0) = -86.0f;
  return in;
}

TEST(Chain, ForwardEqualsOracle) {
  over_chains([](const ChainSetup& setup, Index cols) {
    Strided in = wide_range(13, cols), out(13, cols), expected(13, cols);
    reference::chain_forward({1}, setup.chain, in, expected);
    kernels::chain_forward({1}, setup.chain, in, out);
    expect_near(out.values, expected.values, 1e-6);
    kernels::chain_forward({1}, setup.chain, in, in);  // in place
    EXPECT_TRUE(same_bits(in.values, out.values));
  });
}

TEST(Chain, BackwardEqualsOracle) {
  over_chains([](const ChainSetup& setup, Index cols) {
    Strided in = wide_range(13, cols), out(13, cols), g = Strided::random(13, cols, 33);
    kernels::chain_forward({1}, setup.chain, in, out);
    for (const bool accumulate : {false, true}) {
      Strided grad = Strided::random(13, cols, 34), expected = grad;
      kernels::chain_backward({1}, setup.chain, out, g, grad, accumulate);
      reference::chain_backward({1}, setup.chain, out, g, expected, accumulate);
      expect_near(grad.values, expected.values, 1e-5);
      if (accumulate) continue;
      Strided same = g;
      kernels::chain_backward({1}, setup.chain, out, same, same, false);
      EXPECT_TRUE(same_bits(same.values, grad.values));
    }
  });
}

TEST(Chain, GradientEqualsDifferences) {
  for (const Activation activation : kActivations) {
    ChainSetup setup(9, 8, true, activation, true);
    Strided in = Strided::random(9, 8, 35), out(9, 8), ones(9, 8), grad(9, 8);
    for (Index i = 0; i < 9; ++i) std::fill_n(ones.view().row(i), 8, 1.0f);
    kernels::chain_forward({1}, setup.chain, in, out);
    kernels::chain_backward({1}, setup.chain, out, ones, grad, false);
    for (Index i = 0; i < 9; ++i) {
      for (Index j = 0; j < 8; ++j) {
        if (std::fabs(in(i, j) + setup.bias[static_cast<std::size_t>(j)]) < 0.01f) continue;
        Strided up = in, down = in, up_out(9, 8), down_out(9, 8);
        up(i, j) += 1e-3f;
        down(i, j) -= 1e-3f;
        kernels::chain_forward({1}, setup.chain, up, up_out);
        kernels::chain_forward({1}, setup.chain, down, down_out);
        EXPECT_NEAR(grad(i, j), (up_out(i, j) - down_out(i, j)) / (up(i, j) - down(i, j)), 2e-3);
      }
    }
  }
}

TEST(Chain, NanIsNeverLost) {
  on_every_target([] {
    for (const Activation activation : kActivations) {
      ChainSetup setup(3, 20, false, activation, false);
      Strided in = Strided::random(3, 20, 36), out(3, 20), grad(3, 20);
      in(1, 2) = in(2, 19) = kNan;
      kernels::chain_forward({1}, setup.chain, in, out);
      EXPECT_TRUE(std::isnan(out(1, 2)) && std::isnan(out(2, 19)));
      EXPECT_FALSE(std::isnan(out(1, 3)));
      kernels::chain_backward({1}, setup.chain, in, out, grad, false);
      EXPECT_TRUE(std::isnan(grad(1, 2)));
    }
  });
}

TEST(Chain, ThreadsDoNotShow) {
  ChainSetup setup(9000, 33, true, Activation::kElu, true);
  Strided in = Strided::random(9000, 33, 37), one(9000, 33), many(9000, 33);
  kernels::chain_forward({1}, setup.chain, in, one);
  kernels::chain_forward({8}, setup.chain, in, many);
  EXPECT_TRUE(same_bits(one.values, many.values));
  kernels::chain_backward({1}, setup.chain, one, in, one, false);
  kernels::chain_backward({2}, setup.chain, many, in, many, false);
  EXPECT_TRUE(same_bits(one.values, many.values));
}

TEST(ColumnSums, EqualsOracleToTheBit) {
  on_every_target([] {
    for (const Index rows : {0, 1, 5, 37}) {
      for (const Index cols : {1, 7, 16, 23, 64, 100}) {
        Strided in = Strided::random(rows, cols, 38);
        std::vector<float> out(static_cast<std::size_t>(cols) + 1, 5.0f), expected = out;
        kernels::column_sums(in, out.data());
        reference::column_sums(in, expected.data());
        EXPECT_TRUE(same_bits(out, expected));
      }
    }
  });
}

TEST(Add, EqualsOracleAndWorksInPlace) {
  on_every_target([] {
    for (const Index cols : {1, 9, 64}) {
      Strided a = Strided::random(11, cols, 39), b = Strided::random(11, cols, 40);
      Strided expected(11, cols);
      reference::add({1}, a, b, expected);
      kernels::add({1}, a, b, a);
      EXPECT_TRUE(same_bits(a.values, expected.values));
    }
  });
}

}  // namespace
}  // namespace cupel::test
