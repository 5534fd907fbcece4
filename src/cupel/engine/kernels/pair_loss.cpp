#include "cupel/engine/kernels/pair_loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupel/base/matrix.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/pair_loss.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_PAIR_LOSS_CPP_
#define CUPEL_ENGINE_KERNELS_PAIR_LOSS_CPP_
namespace cupel::kernels {

constexpr std::size_t kPairsOfBlock = 4096;
constexpr double kEpsilon = 1e-15;

// Sums of the losses of links and of other pairs.
struct PairSums {
  double links = 0, others = 0;
  bool finite = true;
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// The loss is softplus(t), t = -x for a link and x for another pair, less what epsilon takes off:
// log(1 + epsilon (1 + exp(t))), which is nothing in float until t is large. The slope by t is
// sigmoid(t) / (1 + epsilon (1 + exp(t))). `by`: factors of the slopes of others and of links.
PairSums LossOfBlock(bool epsilon, const float* HWY_RESTRICT scores,
                     const float* HWY_RESTRICT links, std::size_t size, const float* by,
                     float* HWY_RESTRICT grad) {
  const Eight d;
  using V = hn::Vec<Eight>;
  constexpr float kLarge = 15;  // epsilon (1 + exp(15)) is 3e-9
  const V one = hn::Set(d, 1.0f), by_other = hn::Set(d, by[0]), by_link = hn::Set(d, by[1]);
  PairSums sums;
  V probe = hn::Zero(d);
  constexpr std::size_t kChain = 256;  // floats are added up in short chains, then in double
  for (std::size_t first = 0; first < size; first += kChain) {
    const std::size_t count = std::min(kChain, size - first);
    V of_links = hn::Zero(d), of_others = hn::Zero(d);
    OverColumns(d, count, [&](std::size_t at, std::size_t n) CUPEL_INLINE_LAMBDA {
      const std::size_t j = first + at;
      const V x = LoadUpTo(d, scores + j, n);
      const auto link = hn::Eq(LoadUpTo(d, links + j, n), one);
      probe = hn::Add(probe, hn::Sub(x, x));
      const V t = hn::IfThenElse(link, hn::Neg(x), x);
      V loss = Softplus(d, t), slope = Sigmoid(d, t);
      if (epsilon && !hn::AllFalse(d, hn::Gt(t, hn::Set(d, kLarge)))) {
        HWY_ALIGN float ts[8], losses[8], slopes[8];
        hn::Store(t, d, ts);
        hn::Store(loss, d, losses);
        hn::Store(slope, d, slopes);
        for (std::size_t lane = 0; lane < n; ++lane) {
          if (!(ts[lane] > kLarge)) continue;
          // Divided by exp(t), which may overflow.
          const double e = std::exp(-double{ts[lane]});
          losses[lane] = static_cast<float>(-std::log(e / (1 + e) + kEpsilon));
          slopes[lane] = static_cast<float>(e / ((1 + e) * (e + kEpsilon * (1 + e))));
        }
        loss = hn::Load(d, losses);
        slope = hn::Load(d, slopes);
      }
      if (n != hn::Lanes(d)) loss = hn::IfThenElseZero(hn::FirstN(d, n), loss);
      of_links = hn::Add(of_links, hn::IfThenElseZero(link, loss));
      of_others = hn::Add(of_others, hn::IfThenZeroElse(link, loss));
      if (grad == nullptr) return;
      const V factor = hn::IfThenElse(link, by_link, by_other);
      StoreUpTo(hn::Mul(factor, slope), d, grad + j, n);
    });
    sums.links += hn::GetLane(hn::SumOfLanes(d, of_links));
    sums.others += hn::GetLane(hn::SumOfLanes(d, of_others));
  }
  sums.finite = hn::AllTrue(d, hn::Eq(probe, hn::Zero(d)));
  return sums;
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(LossOfBlock);

PairLossValue pair_loss(Threads threads, PairLossForm form, std::span<const float> scores,
                        std::span<const float> links, std::span<float> grad) {
  const bool both = form == PairLossForm::kMeansOfBoth;
  const auto count = static_cast<double>(std::count(links.begin(), links.end(), 1.0f));
  const auto all = static_cast<double>(scores.size());
  const auto share = [&](double part) {
    const double of = both ? part : all;
    return of > 0 ? 1 / of : 0.0;
  };
  const double of_links = share(count), of_others = share(all - count);
  const float by[] = {static_cast<float>(of_others), static_cast<float>(-of_links)};
  thread_local std::vector<PairSums> kept;  // so that no step allocates
  std::vector<PairSums>& sums = kept;       // this thread's, whichever fills it
  sums.assign((scores.size() + kPairsOfBlock - 1) / kPairsOfBlock, {});
  parallel_blocks(threads, static_cast<std::int64_t>(scores.size()), kPairsOfBlock,
                  [&](std::int64_t begin, std::int64_t end) {
                    const auto at = static_cast<std::size_t>(begin);
                    sums[at / kPairsOfBlock] = HWY_DYNAMIC_DISPATCH(LossOfBlock)(
                        both, scores.data() + at, links.data() + at,
                        static_cast<std::size_t>(end - begin), by,
                        grad.empty() ? nullptr : grad.data() + at);
                  });
  PairLossValue value;
  double links_sum = 0, others_sum = 0;
  for (const PairSums& block : sums) {
    links_sum += block.links;
    others_sum += block.others;
    value.finite = value.finite && block.finite;
  }
  value.loss = links_sum * of_links + others_sum * of_others;
  return value;
}

}  // namespace cupel::kernels
#endif
