#include "cupel/engine/kernels/loss.h"

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

std::vector<Index> labels_of(Index rows, Index classes) {
  std::vector<Index> labels;
  for (Index i = 0; i < rows; ++i) labels.push_back((i * 7 + i / 3) % classes);
  return labels;
}

TEST(SoftmaxCrossEntropy, EqualsOracle) {
  on_every_target([] {
    for (const Index rows : {0, 1, 15, 16, 17, 140}) {
      for (const Index classes : {1, 2, 3, 7, 8, 9, 16, 25, 67}) {
        for (const float scale : {0.1f, 1.0f, 30.0f, 300.0f}) {
          Strided logits = Strided::random(rows, classes, 61);
          for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < classes; ++j) logits(i, j) *= scale;
          }
          const std::vector<Index> labels = labels_of(rows, classes);
          Strided grad(rows, classes), expected(rows, classes);
          const auto want = reference::softmax_cross_entropy(logits, labels.data(), expected);
          const auto got = kernels::softmax_cross_entropy(logits, labels.data(), grad);
          EXPECT_NEAR(got.mean_loss, want.mean_loss, 1e-6 * std::max(1.0, want.mean_loss));
          EXPECT_EQ(got.correct, want.correct);
          EXPECT_TRUE(got.finite);
          expect_near(grad.values, expected.values, 2e-7);
          const auto only = kernels::softmax_cross_entropy(logits, labels.data(), DenseView{});
          EXPECT_EQ(only.mean_loss, got.mean_loss);
          EXPECT_EQ(only.correct, got.correct);
        }
      }
    }
  });
}

TEST(SoftmaxCrossEntropy, TiesGoToTheLowestClass) {
  on_every_target([] {
    Strided logits(3, 20);
    logits(1, 9) = logits(1, 17) = 2;
    logits(2, 1) = logits(2, 0) = -1;
    const std::vector<Index> labels = {0, 9, 2};
    EXPECT_EQ(kernels::softmax_cross_entropy(logits, labels.data(), DenseView{}).correct, 3);
    const std::vector<Index> others = {1, 17, 3};
    EXPECT_EQ(kernels::softmax_cross_entropy(logits, others.data(), DenseView{}).correct, 0);
  });
}

TEST(SoftmaxCrossEntropy, SaysWhenNotFinite) {
  on_every_target([] {
    for (const float bad :
         {kNan, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
      for (const Index column : {0, 6, 8, 9}) {
        Strided logits = Strided::random(20, 10, 62);
        logits(3, column) = bad;
        const std::vector<Index> labels = labels_of(20, 10);
        EXPECT_FALSE(kernels::softmax_cross_entropy(logits, labels.data(), DenseView{}).finite);
      }
    }
  });
}

TEST(SoftmaxCrossEntropy, SameBitsForEveryVectorWidth) {
  Strided logits = Strided::random(50, 67, 63);
  const std::vector<Index> labels = labels_of(50, 67);
  std::vector<std::vector<float>> grads;
  on_every_target([&] {
    if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) == 0) return;
    Strided grad(50, 67);
    kernels::softmax_cross_entropy(logits, labels.data(), grad);
    grads.push_back(grad.values);
  });
  if (grads.size() < 2) GTEST_SKIP() << "this machine has one vector width only";
  EXPECT_TRUE(same_bits(grads[0], grads[1]));
}

// Straight from the definition, in long double: exact enough for logits of this size.
TEST(BinaryCrossEntropy, EqualsItsDefinition) {
  for (const Index rows : {1, 2, 17, 140}) {
    for (const float scale : {0.1f, 1.0f, 10.0f}) {
      Strided logits = Strided::random(rows, 1, 64);
      for (Index i = 0; i < rows; ++i) logits(i, 0) *= scale;
      const std::vector<Index> labels = labels_of(rows, 2);
      Strided grad(rows, 1);
      const auto got = kernels::binary_cross_entropy(logits, labels.data(), grad);
      long double loss = 0;
      Index correct = 0;
      for (Index i = 0; i < rows; ++i) {
        const long double one = 1 / (1 + std::exp(-static_cast<long double>(logits(i, 0))));
        const long double chosen = labels[i] == 1 ? one : 1 - one;
        loss -= std::log(chosen) / rows;
        correct += chosen > 0.5L;
        EXPECT_NEAR(grad(i, 0), static_cast<double>((one - labels[i]) / rows), 1e-7);
      }
      EXPECT_NEAR(got.mean_loss, static_cast<double>(loss), 1e-9 * (1 + got.mean_loss));
      EXPECT_EQ(got.correct, correct);
      EXPECT_TRUE(got.finite);
      const auto only = kernels::binary_cross_entropy(logits, labels.data(), DenseView{});
      EXPECT_EQ(only.mean_loss, got.mean_loss);
      EXPECT_EQ(only.correct, got.correct);
    }
  }
}

// One logit is two of which the first is zero.
TEST(BinaryCrossEntropy, IsThatOfTwoLogitsTheFirstZero) {
  Strided one = Strided::random(50, 1, 65), two(50, 2), grad(50, 1), grads(50, 2);
  for (Index i = 0; i < 50; ++i) two(i, 1) = one(i, 0);
  const std::vector<Index> labels = labels_of(50, 2);
  const auto binary = kernels::binary_cross_entropy(one, labels.data(), grad);
  const auto softmax = kernels::softmax_cross_entropy(two, labels.data(), grads);
  EXPECT_NEAR(binary.mean_loss, softmax.mean_loss, 1e-6);
  EXPECT_EQ(binary.correct, softmax.correct);
  for (Index i = 0; i < 50; ++i) EXPECT_NEAR(grad(i, 0), grads(i, 1), 2e-7);
}

TEST(BinaryCrossEntropy, StaysFiniteForLargeLogitsAndTakesZeroForTheFirstClass) {
  Strided logits(6, 1), grad(6, 1);
  const float large[] = {200, -200, 1e30f, -1e30f, 0, 0};
  for (Index i = 0; i < 6; ++i) logits(i, 0) = large[i];
  const std::vector<Index> labels = {1, 0, 1, 0, 0, 1};
  const auto right = kernels::binary_cross_entropy(logits, labels.data(), grad);
  EXPECT_NEAR(right.mean_loss, 2 * std::log(2.0) / 6, 1e-12);
  EXPECT_EQ(right.correct, 5);
  EXPECT_TRUE(right.finite);
  EXPECT_EQ(grad(0, 0), 0);
  EXPECT_NEAR(grad(4, 0), 0.5 / 6, 1e-8);
  EXPECT_NEAR(grad(5, 0), -0.5 / 6, 1e-8);
  const std::vector<Index> others = {0, 1, 1, 0, 0, 1};
  const auto wrong = kernels::binary_cross_entropy(logits, others.data(), grad);
  EXPECT_NEAR(wrong.mean_loss, (400 + 2 * std::log(2.0)) / 6, 1e-9);
  EXPECT_NEAR(grad(0, 0), 1.0 / 6, 1e-8);
  EXPECT_NEAR(grad(1, 0), -1.0 / 6, 1e-8);
}

TEST(BinaryCrossEntropy, SaysWhenNotFinite) {
  for (const float bad :
       {kNan, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    Strided logits = Strided::random(20, 1, 66);
    logits(3, 0) = bad;
    EXPECT_FALSE(
        kernels::binary_cross_entropy(logits, labels_of(20, 2).data(), DenseView{}).finite);
  }
}

}  // namespace
}  // namespace cupel::test
