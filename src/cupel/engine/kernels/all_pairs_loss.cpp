#include "cupel/engine/kernels/all_pairs_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/all_pairs_loss.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_ALL_PAIRS_LOSS_CPP_
#define CUPEL_ENGINE_KERNELS_ALL_PAIRS_LOSS_CPP_
namespace cupel::kernels {

// Nodes of a block: what a meeting of two reads and writes stays in the first cache at the paper's
// width of 16, and a product of as many numbers from 1 to 2 is a float.
constexpr Index kBlock = 96;

struct NodeBlock {
  const float* rows;    // size rows, `stride` apart
  const float* across;  // width x kBlock, zeros behind column `size`
  float* sums;          // as rows
  Index size;
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Rows that go through a block together: as many as the registers hold the sums of.
constexpr int kStrip = HWY_TARGET == HWY_AVX2 ? 6 : HWY_TARGET == HWY_SCALAR ? 2 : 8;

// By column of a block. softplus(x) = max(x, 0) + log(1 + exp(-|x|)), and the sum of logarithms is
// one of a product.
struct ColumnLosses {
  HWY_ALIGN float product[kBlock];
  HWY_ALIGN float positive[kBlock];
};

// sigmoid(x) of kRows rows and every column of `b`.
template <int kRows>
HWY_INLINE void Sigmoids(const float* HWY_RESTRICT rows, std::size_t stride, Index width,
                         const NodeBlock& b, ColumnLosses& losses, float* HWY_RESTRICT out) {
  const Wide d;
  using V = hn::Vec<Wide>;
  const std::size_t lanes = hn::Lanes(d);
  const V one = hn::Set(d, 1.0f), low = hn::Set(d, -125.0f), log2e = hn::Set(d, -1.44269504f);
  for (std::size_t j = 0; j < kBlock; j += 2 * lanes) {
    V x[2 * kRows];
#pragma GCC unroll 16
    for (V& sum : x) sum = hn::Zero(d);
    const float* HWY_RESTRICT across = b.across + j;
    for (Index k = 0; k < width; ++k, across += kBlock) {
      const V left = hn::Load(d, across), right = hn::Load(d, across + lanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const V by = hn::Set(d, rows[static_cast<std::size_t>(r) * stride + k]);
        x[2 * r] = hn::MulAdd(by, left, x[2 * r]);
        x[2 * r + 1] = hn::MulAdd(by, right, x[2 * r + 1]);
      }
    }
#pragma GCC unroll 2
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t at = j + side * lanes;
      V product = hn::Load(d, losses.product + at), positive = hn::Load(d, losses.positive + at);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const V score = x[2 * r + side];
        const auto negative = hn::Lt(score, hn::Zero(d));
        const V e = PowerOfTwo(d, hn::Max(hn::Mul(hn::Abs(score), log2e), low));
        const V more = hn::Add(one, e);
        const V q = hn::Div(one, more);
        product = hn::Mul(product, more);
        positive = hn::Add(positive, hn::IfThenZeroElse(negative, score));
        hn::Store(hn::IfThenElse(negative, hn::Mul(e, q), q), d,
                  out + static_cast<std::size_t>(r) * kBlock + at);
      }
      hn::Store(product, d, losses.product + at);
      hn::Store(positive, d, losses.positive + at);
    }
  }
}

// sums of the rows += s z_j over the columns j of `b`; kBoth: and sums of j += s z_i over the rows.
template <int kRows, bool kBoth>
HWY_INLINE void AddGradients(const float* HWY_RESTRICT s, const float* HWY_RESTRICT rows,
                             std::size_t stride, const NodeBlock& b, float* HWY_RESTRICT sums) {
  const Wide d;
  using V = hn::Vec<Wide>;
  for (std::size_t k = 0; k < stride; k += hn::Lanes(d)) {
    V own[kRows], mine[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      own[r] = hn::Load(d, sums + static_cast<std::size_t>(r) * stride + k);
      mine[r] = hn::Load(d, rows + static_cast<std::size_t>(r) * stride + k);
    }
    const float* HWY_RESTRICT theirs = b.rows + k;
    float* HWY_RESTRICT to = b.sums + k;
    for (Index j = 0; j < b.size; ++j, theirs += stride, to += stride) {
      const V z = hn::Load(d, theirs);
      V other = hn::Zero(d);
      if constexpr (kBoth) other = hn::Load(d, to);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const V by = hn::Set(d, s[r * kBlock + j]);
        own[r] = hn::MulAdd(by, z, own[r]);
        if constexpr (kBoth) other = hn::MulAdd(by, mine[r], other);
      }
      if constexpr (kBoth) hn::Store(other, d, to);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
      hn::Store(own[r], d, sums + static_cast<std::size_t>(r) * stride + k);
  }
}

// Sum of softplus(x_ij) over the rows of `a` and the columns of `b`, and what they add to the sums.
// A block that meets itself has every pair twice and adds to its rows alone.
double Meet(const NodeBlock& a, const NodeBlock& b, std::size_t stride, Index width,
            bool gradient) {
  ColumnLosses losses;
  std::fill_n(losses.product, kBlock, 1.0f);
  std::fill_n(losses.positive, kBlock, 0.0f);
  HWY_ALIGN float s[kStrip * kBlock];
  const bool self = a.rows == b.rows;
  const auto rows_from = [&]<int kRows>(Index i) CUPEL_INLINE_LAMBDA {
    const std::size_t at = static_cast<std::size_t>(i) * stride;
    Sigmoids<kRows>(a.rows + at, stride, width, b, losses, s);
    if (!gradient) return;
    if (self)
      AddGradients<kRows, false>(s, a.rows + at, stride, b, a.sums + at);
    else
      AddGradients<kRows, true>(s, a.rows + at, stride, b, a.sums + at);
  };
  Index i = 0;
  for (; i + kStrip <= a.size; i += kStrip) rows_from.template operator()<kStrip>(i);
  for (; i < a.size; ++i) rows_from.template operator()<1>(i);
  double sum = 0, product = 1;
  constexpr Index kColumnsPerLog = 8;  // of at most 2^96 each
  for (Index j = 0; j < b.size; ++j) {
    sum += losses.positive[j];
    product *= losses.product[j];
    if ((j + 1) % kColumnsPerLog != 0 && j + 1 < b.size) continue;
    sum += std::log(product);
    product = 1;
  }
  return sum;
}

float DotOfRows(const float* x, const float* y, std::size_t size) { return Dot(x, y, size); }

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Meet);
HWY_EXPORT(DotOfRows);

namespace {

// Who meets in game `game` of round `round`: the circle method, for an even number of players, of
// which the last stands still.
std::pair<Index, Index> meeting(Index players, Index round, Index game) {
  const Index turning = players - 1;
  if (game == 0) return {round, turning};
  const Index a = (round + game) % turning, b = (round + turning - game) % turning;
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

AllPairsWeights released_weights(Index nodes, Offset arcs) {
  const double pairs = double(nodes) * nodes, m = static_cast<double>(arcs);
  return {(pairs - m) / m, pairs / (2 * (pairs - m))};
}

AllPairsLoss::AllPairsLoss(const Csr& targets, Index width, AllPairsWeights weights)
    : targets_(targets),
      transposed_(transpose(targets)),
      width_(width),
      blocks_((targets.rows + kBlock - 1) / kBlock),
      stride_((static_cast<std::size_t>(width) + 15) / 16 * 16),
      weights_(weights) {
  if (targets.rows != targets.cols || width <= 0)
    throw std::logic_error("[all-pairs loss] wants square targets and a width above 0");
  if (transposed_.row_ptr == targets.row_ptr && transposed_.columns == targets.columns)
    transposed_ = {};
  const auto blocks = static_cast<std::size_t>(blocks_), block = std::size_t{kBlock};
  rows_.resize(blocks * block * stride_);
  sums_.resize(rows_.size());
  across_.resize(blocks * block * static_cast<std::size_t>(width));
  const std::size_t players = blocks + blocks % 2;
  partial_.resize(std::max(blocks + players * players / 2, blocks));
}

std::size_t AllPairsLoss::memory_bytes() const {
  return (rows_.size() + sums_.size() + across_.size()) * sizeof(float) +
         partial_.size() * sizeof(double) + transposed_.row_ptr.size() * sizeof(Offset) +
         transposed_.columns.size() * sizeof(Index);
}

void AllPairsLoss::take(Threads threads, ConstDenseView z, bool gradient) {
  parallel_blocks(threads, blocks_, 8, [&](std::int64_t first, std::int64_t last) {
    for (auto i = static_cast<Index>(first) * kBlock;
         i < std::min(z.rows, static_cast<Index>(last) * kBlock); ++i) {
      const auto block = static_cast<std::size_t>(i / kBlock);
      std::copy_n(z.row(i), width_, rows_.data() + static_cast<std::size_t>(i) * stride_);
      float* across =
          across_.data() + block * static_cast<std::size_t>(width_) * kBlock + i % kBlock;
      for (Index k = 0; k < width_; ++k) across[static_cast<std::size_t>(k) * kBlock] = z.row(i)[k];
      if (gradient)
        std::fill_n(sums_.data() + static_cast<std::size_t>(i) * stride_, stride_, 0.0f);
    }
  });
}

double AllPairsLoss::meet(Threads threads, bool gradient) {
  const auto block = [&](Index b) {
    const std::size_t at = static_cast<std::size_t>(b) * kBlock;
    return NodeBlock{rows_.data() + at * stride_,
                     across_.data() + at * static_cast<std::size_t>(width_),
                     sums_.data() + at * stride_, std::min(kBlock, targets_.rows - b * kBlock)};
  };
  // The sum over both orders of a pair of blocks.
  const auto play = [&](Index a, Index b) {
    const double sum = HWY_DYNAMIC_DISPATCH(Meet)(block(a), block(b), stride_, width_, gradient);
    return a == b ? sum : 2 * sum;
  };
  std::fill(partial_.begin(), partial_.end(), 0.0);
  parallel_blocks(threads, blocks_, 1, [&](std::int64_t b, std::int64_t) {
    partial_[static_cast<std::size_t>(b)] = play(static_cast<Index>(b), static_cast<Index>(b));
  });
  const Index players = blocks_ + blocks_ % 2;
  for (Index round = 0; round + 1 < players; ++round) {
    double* to = partial_.data() + blocks_ + static_cast<std::size_t>(round) * (players / 2);
    parallel_blocks(threads, players / 2, 1, [&](std::int64_t game, std::int64_t) {
      const auto [a, b] = meeting(players, round, static_cast<Index>(game));
      if (b < blocks_) to[game] = play(a, b);  // else a has no opponent
    });
  }
  return std::accumulate(partial_.begin(), partial_.end(), 0.0);
}

double AllPairsLoss::correct(Threads threads, DenseView grad) {
  const Index n = targets_.rows;
  const double pairs = double(n) * n, w = weights_.positive;
  const auto slope = static_cast<float>(weights_.scale / pairs);
  const auto row = [&](Index i) { return rows_.data() + static_cast<std::size_t>(i) * stride_; };
  // Adds t z_j over the entries of row i, and returns what they change in the loss.
  const auto over_entries = [&](const Csr& entries, Index i, float times, float* to) {
    double change = 0;
    for (const Index j : entries.row_columns(i)) {
      const double x = HWY_DYNAMIC_DISPATCH(DotOfRows)(row(i), row(j), stride_);
      const double e = std::exp(-std::abs(x)), small = e / (1 + e), log = std::log1p(e);
      const double sigma = x < 0 ? small : 1 - small, rest = x < 0 ? 1 - small : small;
      change += w * (std::max(-x, 0.0) + log) - (std::max(x, 0.0) + log);
      const float t = times * static_cast<float>(-w * rest - sigma);
      for (Index k = 0; to != nullptr && k < width_; ++k) to[k] += t * row(j)[k];
    }
    return change;
  };
  const bool symmetric = transposed_.rows != n;
  parallel_blocks(threads, blocks_, 1, [&](std::int64_t block, std::int64_t) {
    double change = 0;
    const auto first = static_cast<Index>(block) * kBlock;
    for (Index i = first; i < std::min(n, first + kBlock); ++i) {
      float* to = grad.data != nullptr ? grad.row(i) : nullptr;
      const float* sums = sums_.data() + static_cast<std::size_t>(i) * stride_;
      for (Index k = 0; to != nullptr && k < width_; ++k) to[k] = 2 * sums[k];
      change += over_entries(targets_, i, symmetric ? 2.0f : 1.0f, to);
      if (!symmetric && to != nullptr) over_entries(transposed_, i, 1.0f, to);
      for (Index k = 0; to != nullptr && k < width_; ++k) to[k] *= slope;
    }
    partial_[static_cast<std::size_t>(block)] = change;
  });
  return std::accumulate(partial_.begin(), partial_.begin() + blocks_, 0.0);
}

double AllPairsLoss::compute(Threads threads, ConstDenseView z, DenseView grad) {
  if (targets_.rows == 0) return 0;
  take(threads, z, grad.data != nullptr);
  const double absent = meet(threads, grad.data != nullptr);
  const double change = correct(threads, grad);
  return weights_.scale / (double(targets_.rows) * targets_.rows) * (absent + change);
}

}  // namespace cupel::kernels
#endif
