// Attention whose heads share keys and values, and its gradients, against its formula in double;
// and cosines.
#include "cupel/engine/kernels/shared_attention.h"

#include "cupel/engine/kernels/unary.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

constexpr float kFactor = 0.3f;

struct Case {
  Csr a;
  Transposed t;
  Index heads, d;
  Strided receiver, x, g;
  std::vector<std::uint8_t> keep;
  kernels::KeptWeights kept;

  Case(Index rows, Index heads_, Index d_, bool drops)
      : a(random_csr(rows, rows + 7, 6, false, 3)),  // some rows are empty
        t(a),
        heads(heads_),
        d(d_),
        receiver(Strided::random(rows, heads * d, 4)),
        x(Strided::random(rows + 7, d, 5)),
        g(Strided::random(rows, heads * d, 6)) {
    for (Offset e = 0; e < a.entries(); ++e)
      keep.push_back(static_cast<std::uint8_t>(e * 37 % 251));
    if (drops) kept = {keep.data(), 1.25f};
  }
  Case(const Case&) = delete;

  // The output and the gradients of the receivers and of x, one after the other.
  std::vector<float> run(Threads threads, bool wants_receiver = true) {
    const auto weights_size = static_cast<std::size_t>(a.entries() * heads);
    std::vector<float> weights(weights_size), slopes(weights_size);
    Strided out(a.rows, heads * d), grad_receiver(a.rows, heads * d), grad_x(x.rows, d);
    kernels::shared_attention(threads, view(a), receiver, x, heads, kFactor, kept, out,
                              weights.data());
    kernels::shared_attention_rows(threads, view(a), x, heads, kFactor, kept, weights.data(), g,
                                   slopes.data(),
                                   wants_receiver ? grad_receiver.view() : DenseView());
    kernels::shared_attention_columns(threads, view(t.pattern), t.entry.data(), receiver, heads,
                                      kept, weights.data(), slopes.data(), g, grad_x);
    return joined({&out, &grad_receiver, &grad_x});
  }

  double dot(Strided& of, Index r, Index h, Index c) {
    double sum = 0;
    for (Index j = 0; j < d; ++j) sum += double{of(r, h * d + j)} * x(c, j);
    return sum;
  }
  std::vector<float> expected() {
    Strided out(a.rows, heads * d), grad_receiver(a.rows, heads * d), grad_x(x.rows, d);
    std::vector<double> of_x(static_cast<std::size_t>(x.rows * d));
    for (Index r = 0; r < a.rows; ++r)
      for (Index h = 0; h < heads; ++h) {
        double sum = 0, mean = 0;
        std::vector<double> to(static_cast<std::size_t>(d)), of_receiver(to);
        const auto scale = [&](Offset e) {
          if (kept.keep == nullptr) return 1.0;
          return (keep[static_cast<std::size_t>(e)] >> h & 1) != 0 ? 1.25 : 0.0;
        };
        const auto over_entries = [&](const auto& f) {
          for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
            f(e, a.columns[static_cast<std::size_t>(e)]);
        };
        const auto exponential = [&](Index c) {
          return std::exp(kFactor * dot(receiver, r, h, c));
        };
        over_entries([&](Offset, Index c) { sum += exponential(c); });
        over_entries(
            [&](Offset e, Index c) { mean += exponential(c) / sum * scale(e) * dot(g, r, h, c); });
        over_entries([&](Offset e, Index c) {
          const double weight = exponential(c) / sum;
          const double slope = kFactor * weight * (scale(e) * dot(g, r, h, c) - mean);
          for (Index j = 0; j < d; ++j) {
            to[static_cast<std::size_t>(j)] += scale(e) * weight * x(c, j);
            of_receiver[static_cast<std::size_t>(j)] += slope * x(c, j);
            of_x[static_cast<std::size_t>(c * d + j)] +=
                scale(e) * weight * g(r, h * d + j) + slope * receiver(r, h * d + j);
          }
        });
        for (Index j = 0; j < d; ++j) {
          out(r, h * d + j) = static_cast<float>(to[static_cast<std::size_t>(j)]);
          grad_receiver(r, h * d + j) =
              static_cast<float>(of_receiver[static_cast<std::size_t>(j)]);
        }
      }
    for (Index c = 0; c < x.rows; ++c)
      for (Index j = 0; j < d; ++j)
        grad_x(c, j) = static_cast<float>(of_x[static_cast<std::size_t>(c * d + j)]);
    return joined({&out, &grad_receiver, &grad_x});
  }
};

TEST(SharedAttention, AndItsGradientsEqualTheirFormula) {
  on_every_target([] {
    for (const auto& [heads, d] : {std::pair<Index, Index>{1, 1}, {2, 8}, {3, 21}, {8, 3}})
      for (const bool drops : {false, true}) {
        SCOPED_TRACE(testing::Message() << heads << " heads of " << d << ", drops " << drops);
        Case c(40, heads, d, drops);
        const std::vector<float> expected = c.expected();
        for (const int threads : {1, 2, 8}) expect_near(c.run({threads}), expected, 3e-6);
      }
  });
}

TEST(SharedAttention, NeitherThreadsNorVectorWidthShow) {
  Case c(1500, 3, 21, true);
  expect_same_bits_of([&](Threads threads) { return c.run(threads); });
}

TEST(SharedAttention, AReceiversGradientThatNobodyWantsChangesNoOther) {
  Case c(40, 2, 8, true);
  const std::vector<float> all = c.run({1}), some = c.run({1}, false);
  const Strided of_rows(40, 16);
  EXPECT_TRUE(std::equal(all.begin(), all.begin() + std::ssize(of_rows.values), some.begin()));
  EXPECT_TRUE(std::equal(all.begin() + 2 * std::ssize(of_rows.values), all.end(),
                         some.begin() + 2 * std::ssize(of_rows.values)));
}

TEST(SharedAttention, NanStaysInItsRow) {
  Case c(40, 2, 8, false);
  ASSERT_GT(c.a.row_size(7), 0);
  const std::vector<float> before = c.run({1});
  c.receiver(7, 3) = kNan;
  const std::vector<float> after = c.run({1});
  for (Index r = 0; r < 40; ++r)
    for (Index j = 0; j < 16; ++j) {
      const auto at = static_cast<std::size_t>(r * c.receiver.stride + j);
      if (r == 7 && j < 8) {
        EXPECT_TRUE(std::isnan(after[at])) << j;
      } else {
        EXPECT_EQ(after[at], before[at]) << r << ", " << j;
      }
    }
}

TEST(Cosine, AlsoOfManyTurns) {
  Matrix in(1, 40011);
  for (Index i = 0; i < 20000; ++i) in(0, i) = 0.01f * static_cast<float>(i - 10000);
  Stream random(stream_key("angles"), 0);
  for (Index i = 20000; i < 40000; ++i)
    in(0, i) = static_cast<float>((random.next_unit() - 0.5) * std::pow(10, random.next_below(10)));
  for (Index i = 40000; i < in.cols; ++i) in(0, i) = static_cast<float>(i - 40005) * 1e8f;
  Matrix out(1, in.cols), slope(1, in.cols), ones(1, in.cols);
  for (float& v : ones.values) v = 1;
  kernels::function_forward({}, kernels::Function::kCosine, in, view(out));
  kernels::function_backward({}, kernels::Function::kCosine, in, ones, view(slope));
  for (Index i = 0; i < in.cols; ++i) {
    ASSERT_NEAR(out(0, i), std::cos(double{in(0, i)}), 3e-7) << in(0, i);
    ASSERT_NEAR(slope(0, i), -std::sin(double{in(0, i)}), 3e-7) << in(0, i);
  }
  in(0, 0) = std::numeric_limits<float>::infinity();
  in(0, 1) = std::numeric_limits<float>::quiet_NaN();
  kernels::function_forward({}, kernels::Function::kCosine, in, view(out));
  EXPECT_TRUE(std::isnan(out(0, 0)) && std::isnan(out(0, 1)));
}

}  // namespace
}  // namespace cupel::test
