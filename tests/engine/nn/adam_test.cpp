#include "cupel/engine/nn/adam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cupel {
namespace {

constexpr Index kSize = 40;

std::vector<Parameter> one_parameter(double l2 = 0) {
  return {{.name = "w", .rows = 1, .cols = kSize, .l2 = l2}};
}

// Gradients of very different sizes, in which epsilon decides or does not.
float gradient(int step, Index i) {
  return static_cast<float>(std::sin(step * 0.7 + i) * std::pow(10.0, -(i % 12)));
}

// PyTorch's documentation of torch.optim.Adam, line by line, without amsgrad; weight_decay is l2.
// Before it clip_grad_norm_, where max_norm is not 0.
struct TorchAdam {
  double rate, epsilon, weight_decay = 0, max_norm = 0;
  std::vector<double> w = {}, m = std::vector<double>(kSize), v = std::vector<double>(kSize);
  void step(int t) {
    double squares = 0;
    for (Index i = 0; i < kSize; ++i) squares += std::pow(gradient(t, i), 2);
    const double coefficient = max_norm > 0 ? max_norm / (std::sqrt(squares) + 1e-6) : 1;
    for (Index i = 0; i < kSize; ++i) {
      const double g = gradient(t, i) * std::min(1.0, coefficient) + weight_decay * w[i];
      m[i] = 0.9 * m[i] + (1 - 0.9) * g;
      v[i] = 0.999 * v[i] + (1 - 0.999) * g * g;
      const double m_hat = m[i] / (1 - std::pow(0.9, t)), v_hat = v[i] / (1 - std::pow(0.999, t));
      w[i] -= rate * m_hat / (std::sqrt(v_hat) + epsilon);
    }
  }
};

// How far values of `adam` are from those of the oracle after 30 steps, in steps of the rate.
double distance_from_torch(Adam::Epsilon epsilon, double l2, double max_norm = 0) {
  const std::vector<Parameter> parameters = one_parameter(l2);
  const double rate = 0.01;
  ParameterSet values(parameters), gradients(parameters);
  initialise(parameters, stream_key("adam"), values);
  TorchAdam oracle{
      .rate = rate, .epsilon = epsilon.value, .weight_decay = l2, .max_norm = max_norm};
  const float* w = values.view(0).data;
  oracle.w.assign(w, w + kSize);
  Adam adam(parameters, rate, epsilon);
  adam.clip(max_norm);
  double largest = 0;
  for (int t = 1; t <= 30; ++t) {
    for (Index i = 0; i < kSize; ++i) gradients.view(0).data[i] = gradient(t, i);
    adam.step(values, gradients);
    oracle.step(t);
    for (Index i = 0; i < kSize; ++i)
      largest = std::max(largest, std::abs(w[i] - oracle.w[i]) / rate);
  }
  return largest;
}

TEST(Adam, WithCorrectedEpsilonIsThatOfPyTorch) {
  EXPECT_LT(distance_from_torch({1e-8, true}, 0), 1e-3);
  EXPECT_LT(distance_from_torch({1e-8, true}, 5e-4), 1e-3);
  EXPECT_LT(distance_from_torch({1e-4, true}, 0), 1e-3);
}

// Norms are between 1.1 and 1.7: 100 never clips, 1.4 at some steps.
TEST(Adam, ClipsTheNormOfAllGradientsBeforeL2) {
  for (const double norm : {100.0, 1.4, 0.01})
    EXPECT_LT(distance_from_torch({1e-8, true}, 5e-4, norm), 1e-3) << norm;
}

TEST(Adam, ClipsParametersTogether) {
  const std::vector<Parameter> parameters = {
      {.name = "a", .rows = 1, .cols = 1},
      {.name = "fixed", .rows = 1, .cols = 1, .trained = false},
      {.name = "b", .rows = 2, .cols = 1}};
  ParameterSet values(parameters), gradients(parameters);
  gradients.view(0).data[0] = 3;
  gradients.view(1).data[0] = 100;
  gradients.view(2).row(0)[0] = 4;
  Adam adam(parameters, 0.01);
  adam.clip(0.5);
  adam.step(values, gradients);
  EXPECT_NEAR(gradients.view(0).data[0], 0.3, 1e-6);
  EXPECT_NEAR(gradients.view(2).row(0)[0], 0.4, 1e-6);
}

// The other form shrinks steps by up to 1 / (1 + epsilon / (31.6 |g|)): told apart where gradients
// are as small as epsilon.
TEST(Adam, WithUncorrectedEpsilonIsNot) {
  EXPECT_GT(distance_from_torch({1e-8, false}, 0), 0.1);
  EXPECT_GT(distance_from_torch({1e-4, false}, 0), 0.1);
}

// In the first step m / c1 = g and v / c2 = g^2: lr g / (|g| + epsilon), to be done by hand.
TEST(Adam, FirstStepShowsWhereEpsilonIsAdded) {
  const std::vector<Parameter> parameters = one_parameter();
  for (const bool corrected : {false, true}) {
    ParameterSet values(parameters), gradients(parameters);
    for (Index i = 0; i < kSize; ++i) gradients.view(0).data[i] = 1e-8f;
    Adam adam(parameters, 1.0, {1e-8, corrected});
    adam.step(values, gradients);
    const double uncorrected = 1 / (1 + 1 / std::sqrt(0.001));
    EXPECT_NEAR(values.view(0).data[0], corrected ? -0.5 : -uncorrected, 1e-5);
  }
}

TEST(Adam, ResetForgetsEverything) {
  const std::vector<Parameter> parameters = one_parameter();
  ParameterSet values(parameters), gradients(parameters);
  Adam adam(parameters, 0.01, {1e-8, true});
  const auto three_steps = [&] {
    initialise(parameters, stream_key("adam"), values);
    for (int t = 1; t <= 3; ++t) {
      for (Index i = 0; i < kSize; ++i) gradients.view(0).data[i] = gradient(t, i);
      adam.step(values, gradients);
    }
    return values.block();
  };
  const auto first = three_steps();
  EXPECT_NE(three_steps(), first);
  adam.reset();
  EXPECT_EQ(three_steps(), first);
}

}  // namespace
}  // namespace cupel
