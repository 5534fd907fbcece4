#include "cupel/engine/kernels/gaussian.h"

#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

constexpr kernels::DrawSource kSource = {{7, 9}, 20, 3};

TEST(SampleGaussian, HasTheMomentsAskedFor) {
  constexpr Index kRows = 40000;
  Strided mu(kRows, 3), log_std(kRows, 3), out(kRows, 3), shift(kRows, 3);
  const double means[] = {0, 2, -1}, deviations[] = {1, 0.5, 3};
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < 3; ++j) {
      mu(i, j) = static_cast<float>(means[j]);
      log_std(i, j) = static_cast<float>(std::log(deviations[j]));
    }
  kernels::sample_gaussian({1}, kSource, nullptr, mu, log_std, out, shift);
  for (Index j = 0; j < 3; ++j) {
    double sum = 0, square = 0, cube = 0, fourth = 0, next = 0, last = 0;
    for (Index i = 0; i < kRows; ++i) {
      EXPECT_FLOAT_EQ(out(i, j), mu(i, j) + shift(i, j));
      const double e = (out(i, j) - means[j]) / deviations[j];
      sum += e;
      square += e * e;
      cube += e * e * e;
      fourth += e * e * e * e;
      next += e * last;  // rows are independent
      last = e;
    }
    // Five standard errors of each moment of 40 000 draws.
    EXPECT_NEAR(sum / kRows, 0, 5 * std::sqrt(1.0 / kRows));
    EXPECT_NEAR(square / kRows, 1, 5 * std::sqrt(2.0 / kRows));
    EXPECT_NEAR(cube / kRows, 0, 5 * std::sqrt(15.0 / kRows));
    EXPECT_NEAR(fourth / kRows, 3, 5 * std::sqrt(96.0 / kRows));
    EXPECT_NEAR(next / kRows, 0, 5 * std::sqrt(1.0 / kRows));
  }
}

TEST(SampleGaussian, ElementsAreTheDrawsOfTheirRowInOrder) {
  const std::vector<Index> ids = {5, 0, 77};
  Strided mu = Strided::random(3, 7, 61), log_std(3, 7), out(3, 7), shift(3, 7);
  log_std(2, 3) = 1;
  kernels::sample_gaussian({1}, kSource, ids.data(), mu, log_std, out, shift);
  for (Index i = 0; i < 3; ++i) {
    Stream draws(kSource.key, kSource.purpose, kSource.step, static_cast<std::uint32_t>(ids[i]));
    for (Index j = 0; j < 7; ++j) {
      const double by = draws.next_normal() * (i == 2 && j == 3 ? std::exp(1.0) : 1.0);
      EXPECT_FLOAT_EQ(shift(i, j), static_cast<float>(by));
      EXPECT_EQ(out(i, j), mu(i, j) + shift(i, j));
    }
  }
}

TEST(SampleGaussian, ARowDependsOnItsIdAlone) {
  Strided mu = Strided::random(3000, 16, 57), log_std = Strided::random(3000, 16, 58);
  Strided all(3000, 16);
  kernels::sample_gaussian({1}, kSource, nullptr, mu, log_std, all, {});
  Strided threaded(3000, 16);
  kernels::sample_gaussian({8}, kSource, nullptr, mu, log_std, threaded, {});
  EXPECT_TRUE(same_bits(all.values, threaded.values));
  const std::vector<Index> ids = {5, 77, 2999};
  Strided some_mu(3, 16), some_log_std(3, 16), some(3, 16);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 16; ++j) {
      some_mu(i, j) = mu(ids[static_cast<std::size_t>(i)], j);
      some_log_std(i, j) = log_std(ids[static_cast<std::size_t>(i)], j);
    }
  kernels::sample_gaussian({1}, kSource, ids.data(), some_mu, some_log_std, some, {});
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 16; ++j) EXPECT_EQ(some(i, j), all(ids[static_cast<std::size_t>(i)], j));
  kernels::DrawSource later = kSource;
  later.step = 4;
  Strided other(3000, 16);
  kernels::sample_gaussian({1}, later, nullptr, mu, log_std, other, {});
  Index equal = 0;
  for (Index i = 0; i < 3000; ++i)
    for (Index j = 0; j < 16; ++j) equal += other(i, j) == all(i, j);
  EXPECT_LT(equal, 10);
}

// By the definition: the integral of p log(p / q), by the trapezium rule.
TEST(GaussianDivergence, IsTheIntegral) {
  for (const auto& [mean, deviation] :
       {std::pair<double, double>{0, 1}, {0.7, 1}, {0, 0.4}, {-1.3, 2.2}}) {
    double integral = 0;
    for (double x = -40; x <= 40; x += 0x1p-9) {
      const double e = (x - mean) / deviation;
      const double log_p = -0.5 * e * e - std::log(deviation), log_q = -0.5 * x * x;
      integral += 0x1p-9 * std::exp(log_p) / std::sqrt(2 * M_PI) * (log_p - log_q);
    }
    Strided mu(2, 3), log_std(2, 3);  // the other row is the standard normal's, at no distance
    mu(1, 1) = static_cast<float>(mean);
    log_std(1, 1) = static_cast<float>(std::log(deviation));
    EXPECT_NEAR(kernels::gaussian_divergence({1}, mu, log_std), integral / 2, 1e-6);
  }
}

// What the released code of Kipf and Welling 2016 calls kl is -1 / nodes of it: numpy 2.4.6 gave
// (0.5 / 2) * mean(sum(1 + 2 * s - square(m) - square(exp(s)), 1)) = -0.962011741 for
// m = [[0.5, -1], [0.25, 2]] and s = [[0, -0.5], [0.75, 0.125]].
TEST(GaussianDivergence, IsTheReleasedCodes) {
  Strided mu(2, 2), log_std(2, 2);
  mu(0, 0) = 0.5f, mu(0, 1) = -1, mu(1, 0) = 0.25f, mu(1, 1) = 2;
  log_std(0, 1) = -0.5f, log_std(1, 0) = 0.75f, log_std(1, 1) = 0.125f;
  EXPECT_NEAR(-kernels::gaussian_divergence({1}, mu, log_std) / 2, -0.9620117410246563, 1e-9);
}

TEST(GaussianDivergence, GradientIsTheSlopeAndThreadsDoNotShow) {
  Strided mu = Strided::random(700, 16, 59), log_std = Strided::random(700, 16, 60);
  Strided by_mu(700, 16), by_log_std(700, 16);
  const double value = kernels::gaussian_divergence({1}, mu, log_std);
  EXPECT_EQ(kernels::gaussian_divergence({8}, mu, log_std), value);
  kernels::gaussian_divergence_backward({1}, mu, log_std, 3.0f, by_mu, by_log_std);
  for (Index i = 0; i < 700; i += 97)
    for (Index j = 0; j < 16; j += 5)
      for (Strided* m : {&mu, &log_std}) {
        const float x = (*m)(i, j), step = 0.0078125f;
        (*m)(i, j) = x + step;
        const double up = kernels::gaussian_divergence({1}, mu, log_std);
        (*m)(i, j) = x - step;
        const double down = kernels::gaussian_divergence({1}, mu, log_std);
        (*m)(i, j) = x;
        const double slope = 3 * (up - down) / (2.0 * step);
        EXPECT_NEAR((m == &mu ? by_mu : by_log_std)(i, j), slope, 3e-6);  // of up to 0.03
      }
}

}  // namespace
}  // namespace cupel::test
