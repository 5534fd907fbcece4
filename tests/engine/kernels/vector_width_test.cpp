// One battery of the kernels that sum or take a function, but for those whose own tests do this, on
// each instruction set with fused multiply-adds: the bits have to agree, so that a result does not
// depend on the machine.
#include "cupel/engine/kernels/all_pairs_loss.h"
#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/edge.h"
#include "cupel/engine/kernels/gather.h"
#include "cupel/engine/kernels/gru.h"
#include "cupel/engine/kernels/headwise.h"
#include "cupel/engine/kernels/layer_norm.h"
#include "cupel/engine/kernels/loss.h"
#include "cupel/engine/kernels/optimiser.h"
#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/kernels/rows.h"
#include "cupel/engine/kernels/sparse.h"
#include "cupel/engine/kernels/unary.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using Results = std::vector<std::vector<float>>;

void products(Results* results) {
  for (const Index n : {5, 16, 30, 64, 75, 200}) {
    Strided a = Strided::random(70, 90, 1), b = Strided::random(90, n, 2), out(70, n);
    Strided bt = Strided::random(n, 90, 3), at = Strided::random(90, 70, 4);
    kernels::matmul({1}, a, b, out);
    results->push_back(out.values);
    kernels::matmul_nt({1}, a, bt, out);
    results->push_back(out.values);
    kernels::matmul_tn({1}, at, b, out);
    results->push_back(out.values);
    const Csr sparse = random_csr(70, 90, 7, true, 5);
    kernels::spmm({1}, view(sparse), nullptr, b, out);
    results->push_back(out.values);
    Strided g = Strided::random(70, n, 6), scattered(90, n);
    kernels::spmm_transposed({1}, view(sparse), nullptr, g, scattered);
    results->push_back(scattered.values);
  }
}

// Shapes that are computed in blocks.
void large_products(Results* results) {
  for (const Index n : {40, 256, 331}) {
    Strided a = Strided::random(610, 600, 1), b = Strided::random(600, n, 2), out(610, n);
    Strided bt = Strided::random(n, 600, 3), at = Strided::random(600, 301, 4), sums(301, n);
    kernels::matmul({1}, a, b, out);
    results->push_back(out.values);
    kernels::matmul_nt({1}, a, bt, out);
    results->push_back(out.values);
    kernels::matmul_tn({1}, at, b, sums);
    results->push_back(sums.values);
  }
}

void chains(Results* results) {
  for (const auto activation :
       {kernels::Activation::kElu, kernels::Activation::kTanh, kernels::Activation::kGelu}) {
    kernels::Chain chain;
    Strided in = Strided::random(40, 37, 7), out(40, 37), slope(40, 37);
    std::vector<std::uint8_t> mask(40 * 5 + 8);
    std::vector<float> sums(37);
    chain.activation = activation;
    chain.drop = true;
    chain.rate = kernels::DropRate(0.3);
    chain.mask = mask.data();
    chain.derivative = slope;
    kernels::chain_forward({1}, chain, in, out);
    results->push_back(out.values);
    kernels::chain_backward({1}, chain, out, in, out, sums.data());
    results->push_back(out.values);
    results->push_back(slope.values);
    results->push_back(sums);
  }
}

void rows(Results* results) {
  for (const Index cols : {5, 16, 45, 200}) {
    Strided x = Strided::random(40, cols, 21), g = Strided::random(40, cols, 22), out(40, cols);
    Strided row = Strided::random(2, cols, 23, 0), column = Strided::random(40, 1, 24);
    const float *gain = row.view().row(0), *shift = row.view().row(1);
    std::vector<kernels::RowMoments> moments(40);
    std::vector<float> partial(static_cast<std::size_t>(2 * cols)), norms(40);
    Strided sums(2, cols, 0);
    kernels::layer_norm({1}, x, gain, shift, out, moments.data());
    results->push_back(out.values);
    kernels::layer_norm_backward({1}, kernels::RowBlocks(nullptr, 40), x, gain, moments.data(), g,
                                 out, false, partial.data(), sums.view().row(0),
                                 sums.view().row(1));
    results->push_back(out.values);
    results->push_back(sums.values);
    kernels::softmax_rows({1}, x, out);
    results->push_back(out.values);
    kernels::softmax_rows_backward({1}, out, g, out);
    results->push_back(out.values);
    kernels::normalise_rows({1}, 1e-6f, x, out, norms.data());
    results->push_back(out.values);
    kernels::normalise_rows_backward({1}, 1e-6f, out, norms.data(), g, out);
    results->push_back(out.values);
    for (const auto f : {kernels::Function::kSigmoid, kernels::Function::kSoftplus,
                         kernels::Function::kAbsolute, kernels::Function::kCosine}) {
      kernels::function_forward({1}, f, x, out);
      results->push_back(out.values);
      kernels::function_backward({1}, f, x, g, out);
      results->push_back(out.values);
    }
    Strided wide = Strided::random(40, 3 * cols, 25), of_wide(40, 3 * cols);
    kernels::gru({1}, {wide, g, x}, out);
    results->push_back(out.values);
    kernels::gru_backward({1}, {wide, g, x}, g, {of_wide, {}, out});
    results->push_back(of_wide.values);
    kernels::row_dots({1}, x, g, column);
    kernels::column_dots({1}, x, g, sums.view().row(0));
    results->push_back(column.values);
    results->push_back(sums.values);
    results->push_back({kernels::total_dot(x, g)});
    const std::vector<ConstDenseView> parts = {x, g};
    for (const Index each : {Index{1}, cols}) {
      kernels::weighted_sum({1}, parts, Strided::random(2, each, 26), out);
      results->push_back(out.values);
    }
  }
}

void edges(Results* results) {
  const Csr a = random_csr(60, 50, 9, false, 8);
  const Transposed t(a);
  const auto entries = static_cast<Index>(a.entries());
  for (const Index heads : {1, 3, 8, 12}) {
    for (const Index d : {7, 8, 16, 33}) {
      Strided weight = Strided::random(entries, heads, 9), softmax(entries, heads);
      Strided h = Strided::random(50, heads * d, 10), out(60, heads * d), grad_h(50, heads * d);
      Strided score = Strided::random(heads, d, 11, 0), scores(50, heads), sums(60, heads);
      kernels::edge_softmax({1}, view(a), weight, softmax);
      kernels::edge_gather({1}, view(a), softmax, h, false, out);
      kernels::edge_gather_backward_values({1}, view(t.pattern), t.entry.data(), softmax, out,
                                           false, grad_h);
      kernels::edge_gather_backward_weights({1}, view(a), out, h, false, weight);
      kernels::edge_softmax_backward({1}, view(a), softmax, weight, softmax);
      kernels::edge_normalise({1}, view(a), 1e-2f, softmax, weight, sums);
      kernels::head_dot({1}, h, score, scores);
      for (const Strided* m : {&softmax, &out, &grad_h, &weight, &sums, &scores}) {
        results->push_back(m->values);
      }
      Strided summed(60, d), grad_score(heads, d);
      kernels::edge_normalise_backward({1}, view(a), weight, sums, softmax, softmax);
      kernels::head_dot_backward({1}, h, score, scores, grad_h, grad_score);
      results->push_back(grad_h.values);
      kernels::edge_sum({1}, view(a), softmax, sums);
      kernels::edge_sum_transposed({1}, view(t.pattern), t.entry.data(), softmax, scores);
      kernels::edge_gather({1}, view(a), softmax, h, true, summed);
      kernels::edge_gather_backward_values({1}, view(t.pattern), t.entry.data(), softmax, summed,
                                           true, grad_h);
      kernels::edge_gather_backward_weights({1}, view(a), summed, h, true, weight);
      for (const Strided* m : {&softmax, &grad_score, &sums, &scores, &summed, &grad_h, &weight})
        results->push_back(m->values);
    }
  }
  Strided v = Strided::random(100, 2, 12), mu = Strided::random(3, 2, 13);
  Strided sigma = Strided::random(3, 2, 14), out(100, 3);
  kernels::gaussian_kernels({1}, v, mu, sigma, out);
  results->push_back(out.values);
}

void headwise(Results* results) {
  const Csr a = random_csr(60, 50, 9, true, 41);
  const Transposed t(a);
  Csr at = t.pattern;
  for (const Offset e : t.entry) at.values.push_back(a.values[static_cast<std::size_t>(e)]);
  std::vector<std::uint8_t> keep;
  for (Offset e = 0; e < a.entries(); ++e) keep.push_back(static_cast<std::uint8_t>(e * 37 % 251));
  for (const Index width : {1, 7, 40}) {
    const kernels::HeadColumns columns(3, 3 * width);
    Strided b = Strided::random(50, 3 * width, 42), out(60, 3 * width), grad(50, 3 * width);
    kernels::headwise_spmm({1}, view(a), keep.data(), columns, 1.25f, b, out);
    kernels::headwise_spmm_transposed({1}, view(at), t.entry.data(), keep.data(), columns, 1.25f,
                                      out, grad);
    results->push_back(out.values);
    results->push_back(grad.values);
  }
}

void losses(Results* results) {
  for (const Index classes : {3, 7, 8, 20, 67}) {
    Strided logits = Strided::random(40, classes, 15), grad(40, classes);
    std::vector<Index> labels;
    for (Index i = 0; i < 40; ++i) labels.push_back(i % classes);
    kernels::softmax_cross_entropy(logits, labels.data(), grad);
    results->push_back(grad.values);
  }
  std::vector<float> w(3001, 0.5f), m(3001), v(3001), g = Strided::random(1, 3001, 16, 0).values;
  kernels::adam({1}, {.rate = 0.01f, .l2 = 1e-3f}, 3001, g.data(), w.data(), m.data(), v.data());
  results->push_back(w);
}

void pairs(Results* results) {
  const Csr targets = random_csr(250, 250, 3, false, 38);
  for (const Index width : {5, 16, 24}) {
    Strided z = Strided::random(250, width, 39), grad(250, width);
    kernels::AllPairsLoss loss(targets, width, {50, 0.5});
    results->push_back({static_cast<float>(loss.compute({1}, z, grad))});
    results->push_back(grad.values);
    const std::vector<Index> from = {0, 7, 249, 7}, to = {3, 7, 0, 100};
    Strided dots(4, 1);
    kernels::pair_dots({1}, from.data(), to.data(), z, dots);
    kernels::pair_dots_gradient({1}, from.data(), to.data(), z, dots, grad);
    results->push_back(dots.values);
    results->push_back(grad.values);
  }
}

TEST(VectorWidth, DoesNotShowInTheBits) {
  std::vector<Results> all;
  on_every_target([&] {
    if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2 | HWY_NEON)) == 0) return;
    all.emplace_back();
    products(&all.back());
    large_products(&all.back());
    chains(&all.back());
    rows(&all.back());
    edges(&all.back());
    headwise(&all.back());
    losses(&all.back());
    pairs(&all.back());
  });
  if (all.size() < 2) GTEST_SKIP() << "this machine has one vector width only";
  ASSERT_EQ(all[0].size(), all[1].size());
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    EXPECT_TRUE(same_bits(all[0][i], all[1][i])) << "result " << i;
  }
}

}  // namespace
}  // namespace cupel::test
