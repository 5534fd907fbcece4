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

}  // namespace
}  // namespace cupel::test
