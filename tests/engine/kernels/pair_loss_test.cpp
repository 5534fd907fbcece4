#include "cupel/engine/kernels/pair_loss.h"

#include "cupel/engine/kernels/loss.h"
#include "engine/kernels/reference/pair_loss.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::pair_loss;
using kernels::PairLossForm;

struct DrawnPairs {
  std::vector<float> scores, links;
  DrawnPairs(std::size_t count, double scale, std::uint32_t seed) {
    Stream stream({seed, 80}, 0);
    for (std::size_t i = 0; i < count; ++i) {
      scores.push_back(static_cast<float>(scale * stream.next_normal()));
      links.push_back(stream.next_unit() < 0.4 ? 1.0f : 0.0f);
    }
  }
};

TEST(PairLoss, EqualsLogarithmsOfProbabilities) {
  on_every_target([] {
    for (const auto form : {PairLossForm::kMean, PairLossForm::kMeansOfBoth})
      for (const std::size_t count : {1, 2, 7, 8, 9, 255, 257, 5000})
        for (const double scale : {0.1, 1.0, 10.0, 25.0}) {
          SCOPED_TRACE(testing::Message() << count << " pairs, scores of " << scale);
          DrawnPairs pairs(count, scale, 61);
          std::vector<float> grad(count), expected(count);
          const double want = reference::pair_loss(form, pairs.scores, pairs.links, expected);
          const auto got = pair_loss({1}, form, pairs.scores, pairs.links, grad);
          EXPECT_NEAR(got.loss, want, 1e-6 * want);
          EXPECT_TRUE(got.finite);
          for (std::size_t i = 0; i < count; ++i)
            ASSERT_NEAR(grad[i], expected[i], 1e-6 * std::abs(expected[i]) + 1e-37)
                << pairs.scores[i];
          const auto only = pair_loss({1}, form, pairs.scores, pairs.links, {});
          EXPECT_EQ(only.loss, got.loss);
        }
  });
}

TEST(PairLoss, TheMeanIsBinaryCrossEntropy) {
  DrawnPairs pairs(900, 3, 62);
  std::vector<Index> labels(pairs.links.begin(), pairs.links.end());
  const ConstDenseView logits(pairs.scores.data(), 900, 1, 1);
  const auto want = kernels::binary_cross_entropy(logits, labels.data(), DenseView{});
  const auto got = pair_loss({1}, PairLossForm::kMean, pairs.scores, pairs.links, {});
  EXPECT_NEAR(got.loss, want.mean_loss, 1e-7);
}

// The formula with fifty digits (Python's decimal module): -sum((S(x) + e).ln()) / 3 over the links
// minus sum((1 - S(x) + e).ln()) / 4 over the others, S(x) = 1 / (1 + (-x).exp()), e = 1e-15.
TEST(PairLoss, OfBothHasTheValueOfTheFormula) {
  const std::vector<float> scores = {2, -1, 0.5, -3, 0, 1.5, 40}, links = {1, 1, 1, 0, 0, 0, 0};
  const auto got = pair_loss({1}, PairLossForm::kMeansOfBoth, scores, links, {});
  EXPECT_NEAR(got.loss, 9.8825101066348732, 1e-6);
}

TEST(PairLoss, BothPartsWeighAlikeWhateverTheirNumbers) {
  // One link and many others, all with score 0: log 2 each.
  std::vector<float> scores(1000, 0.0f), links(1000, 0.0f), grad(1000);
  links[17] = 1;
  const auto got = pair_loss({1}, PairLossForm::kMeansOfBoth, scores, links, grad);
  EXPECT_NEAR(got.loss, 2 * std::log(2.0), 1e-6);
  EXPECT_FLOAT_EQ(grad[17], -0.5f);
  EXPECT_FLOAT_EQ(grad[18], 0.5f / 999);
  // Links alone: the other part is not there.
  std::fill(links.begin(), links.end(), 1.0f);
  EXPECT_NEAR(pair_loss({1}, PairLossForm::kMeansOfBoth, scores, links, grad).loss, std::log(2.0),
              1e-6);
  EXPECT_EQ(pair_loss({1}, PairLossForm::kMeansOfBoth, {}, {}, {}).loss, 0);
}

TEST(PairLoss, EpsilonBoundsTheLossOfAHopelessLink) {
  const std::vector<float> scores = {-1000, -60}, links = {1, 1};
  std::vector<float> grad(2);
  const auto got = pair_loss({1}, PairLossForm::kMeansOfBoth, scores, links, grad);
  EXPECT_NEAR(got.loss, 15 * std::log(10.0), 1e-5);
  EXPECT_NEAR(grad[0], 0, 1e-9);
  EXPECT_NEAR(pair_loss({1}, PairLossForm::kMean, scores, links, grad).loss, 530, 1e-3);
  EXPECT_FLOAT_EQ(grad[0], -0.5f);
}

TEST(PairLoss, SameBitsOnAnyNumberOfThreadsAndWidths) {
  DrawnPairs pairs(30000, 12, 63);
  for (const auto form : {PairLossForm::kMean, PairLossForm::kMeansOfBoth}) {
    std::vector<std::vector<float>> grads;
    std::vector<double> losses;
    on_every_target([&] {
      if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) == 0) return;
      for (const int threads : {1, 2, 8}) {
        std::vector<float> grad(30000);
        losses.push_back(pair_loss({threads}, form, pairs.scores, pairs.links, grad).loss);
        grads.push_back(grad);
      }
    });
    for (std::size_t i = 1; i < grads.size(); ++i) {
      EXPECT_EQ(losses[i], losses[0]);
      EXPECT_TRUE(same_bits(grads[i], grads[0]));
    }
  }
}

TEST(PairLoss, SaysWhenNotFinite) {
  for (const float bad : {kNan, std::numeric_limits<float>::infinity()})
    for (const std::size_t at : {0, 8, 4999}) {
      DrawnPairs pairs(5000, 1, 64);
      pairs.scores[at] = bad;
      EXPECT_FALSE(pair_loss({1}, PairLossForm::kMean, pairs.scores, pairs.links, {}).finite);
      EXPECT_FALSE(
          pair_loss({1}, PairLossForm::kMeansOfBoth, pairs.scores, pairs.links, {}).finite);
    }
}

}  // namespace
}  // namespace cupel::test
