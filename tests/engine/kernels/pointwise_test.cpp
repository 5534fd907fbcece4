#include "cupel/engine/kernels/pointwise.h"

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::Activation;
using kernels::Chain;
using kernels::DropRate;

constexpr Activation kActivations[] = {Activation::kNone, Activation::kRelu,
                                       Activation::kElu,  Activation::kLeakyRelu,
                                       Activation::kTanh, Activation::kGelu};

// A chain over rows x cols with everything it needs.
struct ChainSetup {
  std::vector<float> bias;
  Strided addend, derivative;
  std::vector<Index> ids;
  std::vector<std::uint8_t> mask;
  Chain chain;

  enum Drop { kNone, kLast, kFirst };
  ChainSetup(Index rows, Index cols, bool with_bias, Activation activation, Drop drop)
      : bias(Strided::random(1, cols, 31, 0).values),
        addend(Strided::random(rows, cols, 30)),
        derivative(rows, cols),
        mask(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols + 7) / 8 + 16) {
    for (Index i = 0; i < rows; ++i) ids.push_back(3 * i + 1);
    if (with_bias) chain.bias = bias.data();
    chain.activation = activation;
    if (activation == Activation::kNone && cols % 3 == 1) chain.addend = addend;
    if (activation == Activation::kGelu) chain.derivative = derivative;
    chain.drop = drop != kNone;
    chain.drop_first = drop == kFirst;
    chain.rate = DropRate(0.4);
    chain.source = {{1, 2}, 3, 4};
    chain.ids = ids.data();
    chain.mask = mask.data();
  }
};

template <class F>
void over_chains(const F& f) {
  on_every_target([&] {
    for (const Index cols : {1, 4, 7, 8, 16, 19, 64, 72}) {
      for (const Activation activation : kActivations) {
        for (const auto drop : {ChainSetup::kNone, ChainSetup::kLast, ChainSetup::kFirst}) {
          SCOPED_TRACE(testing::Message() << cols << " columns, activation "
                                          << static_cast<int>(activation) << ", drop " << drop);
          ChainSetup setup(13, cols, cols % 2 == 1, activation, drop);
          f(setup, cols);
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
    Strided in = Strided::random(13, cols, 32), out(13, cols), g = Strided::random(13, cols, 33);
    kernels::chain_forward({1}, setup.chain, in, out);
    Strided grad(13, cols), expected(13, cols);
    std::vector<float> sums(static_cast<std::size_t>(cols)), expected_sums = sums;
    reference::chain_backward(setup.chain, in, g, expected, expected_sums.data());
    kernels::chain_backward({1}, setup.chain, out, g, grad, nullptr);
    expect_near(grad.values, expected.values, 2e-5);
    Strided same = g;  // in place, with sums
    kernels::chain_backward({1}, setup.chain, out, same, same, sums.data());
    EXPECT_TRUE(same_bits(same.values, grad.values));
    expect_near(sums, expected_sums, 1e-4);
    const std::vector<float> first = sums;
    kernels::chain_backward({1}, setup.chain, out, g, {}, sums.data());  // sums alone
    EXPECT_TRUE(same_bits(sums, first));
  });
}

// Rows without padding, which are worked on as longer ones.
TEST(Chain, ContiguousRowsGiveTheSameBits) {
  over_chains([](const ChainSetup& setup, Index cols) {
    Strided in = Strided::random(13, cols, 41), out(13, cols), grad(13, cols);
    Strided tight = Strided::random(13, cols, 41, 0), tight_out(13, cols, 0);
    kernels::chain_forward({1}, setup.chain, in, out);
    kernels::chain_forward({1}, setup.chain, tight, tight_out);
    for (Index i = 0; i < 13; ++i)
      for (Index j = 0; j < cols; ++j) ASSERT_EQ(out(i, j), tight_out(i, j)) << i << ", " << j;
    kernels::chain_backward({1}, setup.chain, out, in, grad, nullptr);
    kernels::chain_backward({1}, setup.chain, tight_out, tight, tight, nullptr);
    for (Index i = 0; i < 13; ++i)
      for (Index j = 0; j < cols; ++j) ASSERT_EQ(grad(i, j), tight(i, j)) << i << ", " << j;
  });
}

TEST(Chain, GeluIsExactOverItsRange) {
  on_every_target([] {
    constexpr Index kCols = 4001;
    Strided in(2, kCols), out(2, kCols), slope(2, kCols);
    for (Index j = 0; j < kCols; ++j) {
      in(0, j) = static_cast<float>(j - 2000) * 0.007f;   // -14 .. 14
      in(1, j) = static_cast<float>(j - 2000) * 0.0001f;  // around zero
    }
    Chain chain;
    chain.activation = Activation::kGelu;
    chain.derivative = slope;
    kernels::chain_forward({1}, chain, in, out);
    for (Index i = 0; i < 2; ++i)
      for (Index j = 0; j < kCols; ++j) {
        const double x = in(i, j);
        double derivative = 0;
        const double y = reference::activate(Activation::kGelu, x, &derivative);
        ASSERT_NEAR(out(i, j), y, 2.5e-7 * std::fabs(x)) << "at " << x;
        // In the tail too: what x^2 / 2 was rounded to enters the exponential.
        if (x > -13) {
          ASSERT_NEAR(out(i, j), y, std::fabs(y) * (5e-7 + 7e-8 * x * x)) << "at " << x;
        }
        ASSERT_NEAR(slope(i, j), derivative, 3e-7) << "at " << x;
      }
  });
}

TEST(Chain, NanIsNeverLost) {
  on_every_target([] {
    for (const Activation activation : kActivations) {
      ChainSetup setup(3, 20, false, activation, ChainSetup::kNone);
      Strided in = Strided::random(3, 20, 36), out(3, 20), grad(3, 20);
      in(1, 2) = in(2, 19) = kNan;
      kernels::chain_forward({1}, setup.chain, in, out);
      EXPECT_TRUE(std::isnan(out(1, 2)) && std::isnan(out(2, 19)));
      EXPECT_FALSE(std::isnan(out(1, 3)));
      kernels::chain_backward({1}, setup.chain, in, out, grad, nullptr);
      EXPECT_TRUE(std::isnan(grad(1, 2)));
    }
  });
}

TEST(Chain, ThreadsDoNotShow) {
  for (const Activation activation : {Activation::kElu, Activation::kGelu}) {
    std::vector<std::vector<float>> results[3];
    for (const int threads : {1, 2, 8}) {
      ChainSetup setup(2000, 203, true, activation, ChainSetup::kFirst);
      Strided in = Strided::random(2000, 203, 37), out(2000, 203), grad(2000, 203);
      std::vector<float> sums(203);
      kernels::chain_forward({threads}, setup.chain, in, out);
      kernels::chain_backward({threads}, setup.chain, out, in, grad, sums.data());
      auto& to = results[threads == 1 ? 0 : threads == 2 ? 1 : 2];
      to = {out.values, grad.values, sums};
      kernels::chain_backward({threads}, setup.chain, out, in, grad, nullptr);
      to.push_back(grad.values);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_TRUE(same_bits(results[0][k], results[1][k]));
      EXPECT_TRUE(same_bits(results[0][k], results[2][k]));
    }
  }
}

TEST(ColumnSums, EqualsOracleToTheBit) {
  on_every_target([] {
    for (const int threads : {1, 2}) {
      for (const Index rows : {0, 1, 5, 37, 2000}) {
        for (const Index cols : {1, 7, 16, 23, 64, 200}) {
          Strided in = Strided::random(rows, cols, 38);
          std::vector<float> out(static_cast<std::size_t>(cols) + 1, 5.0f), expected = out;
          kernels::column_sums({threads}, in, out.data());
          reference::column_sums({threads}, in, expected.data());
          EXPECT_TRUE(same_bits(out, expected));
        }
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
