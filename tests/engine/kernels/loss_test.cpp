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

// A third is not known, of column 1 nothing and of row 0 nothing.
Strided answers_of(Index rows, Index cols) {
  Strided answers(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index t = 0; t < cols; ++t) {
      const bool known = i > 0 && t != 1 && (i * 5 + t * 3 + i / 4) % 3 != 0;
      answers(i, t) = known ? static_cast<float>((i * 7 + t * 11) % 4 == 0) : kNan;
    }
  return answers;
}

TEST(MaskedBinaryCrossEntropy, EqualsOracle) {
  for (const Index rows : {0, 1, 2, 17, 128}) {
    for (const Index tasks : {1, 2, 12}) {
      for (const float scale : {0.1f, 1.0f, 10.0f}) {
        Strided logits = Strided::random(rows, tasks, 67);
        for (Index i = 0; i < rows; ++i)
          for (Index t = 0; t < tasks; ++t) logits(i, t) *= scale;
        Strided answers = answers_of(rows, tasks), grad(rows, tasks), expected(rows, tasks);
        const auto want = reference::masked_binary_cross_entropy(logits, answers, expected);
        const auto got = kernels::masked_binary_cross_entropy(logits, answers, grad);
        EXPECT_EQ(got.known, want.known);
        EXPECT_EQ(got.correct, want.correct);
        EXPECT_NEAR(got.mean_loss, want.mean_loss, 1e-12 * (1 + want.mean_loss));
        EXPECT_TRUE(got.finite);
        for (Index i = 0; i < rows; ++i)
          for (Index t = 0; t < tasks; ++t) EXPECT_NEAR(grad(i, t), expected(i, t), 1e-7);
        const auto only = kernels::masked_binary_cross_entropy(logits, answers, DenseView{});
        EXPECT_EQ(only.mean_loss, got.mean_loss);
      }
    }
  }
}

TEST(MaskedBinaryCrossEntropy, GradientIsTheSlopeOfTheLoss) {
  Strided logits = Strided::random(9, 4, 68), answers = answers_of(9, 4), grad(9, 4);
  (void)kernels::masked_binary_cross_entropy(logits, answers, grad);
  for (Index i = 0; i < 9; ++i)
    for (Index t = 0; t < 4; ++t) {
      const float x = logits(i, t), step = 0.0078125f;
      const auto at = [&](float value) {
        logits(i, t) = value;
        return kernels::masked_binary_cross_entropy(logits, answers, DenseView{}).mean_loss;
      };
      const double slope = (at(x + step) - at(x - step)) / (double{x + step} - double{x - step});
      logits(i, t) = x;
      EXPECT_NEAR(grad(i, t), slope, 1e-6);
    }
}

TEST(MaskedBinaryCrossEntropy, OfOneFullColumnIsBinaryCrossEntropy) {
  Strided logits = Strided::random(50, 1, 69), answers(50, 1), grad(50, 1), grads(50, 1);
  const std::vector<Index> labels = labels_of(50, 2);
  for (Index i = 0; i < 50; ++i) answers(i, 0) = static_cast<float>(labels[i]);
  const auto one = kernels::binary_cross_entropy(logits, labels.data(), grad);
  const auto masked = kernels::masked_binary_cross_entropy(logits, answers, grads);
  EXPECT_EQ(one.mean_loss, masked.mean_loss);
  EXPECT_EQ(one.correct, masked.correct);
  EXPECT_TRUE(same_bits(grad.values, grads.values));
}

TEST(MaskedBinaryCrossEntropy, OfNothingKnownIsZero) {
  Strided logits = Strided::random(5, 3, 70), answers(5, 3), grad = Strided::random(5, 3, 71);
  for (Index i = 0; i < 5; ++i)
    for (Index t = 0; t < 3; ++t) answers(i, t) = kNan;
  const auto got = kernels::masked_binary_cross_entropy(logits, answers, grad);
  EXPECT_EQ(got.known, 0);
  EXPECT_EQ(got.mean_loss, 0);
  for (Index i = 0; i < 5; ++i)
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(grad(i, t), 0);
}

TEST(MaskedBinaryCrossEntropy, SaysWhenNotFiniteWhereNothingIsKnownToo) {
  Strided logits = Strided::random(5, 3, 72), answers = answers_of(5, 3);
  logits(0, 1) = kNan;
  const auto got = kernels::masked_binary_cross_entropy(logits, answers, DenseView{});
  EXPECT_FALSE(got.finite);
  EXPECT_TRUE(std::isfinite(got.mean_loss));
}

}  // namespace
}  // namespace cupel::test
