#include "cupel/engine/kernels/edge.h"

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

constexpr Index kHeads[] = {1, 2, 3, 8, 9, 16};

// A pattern, its transpose, and edge values on it.
struct Pattern {
  Csr a;
  Transposed t;
  SparseView view_a, view_at;
  Index entries;
  explicit Pattern(Index rows = 30, Index cols = 25, int mean = 6)
      : a(random_csr(rows, cols, mean, false, 71)),
        t(a),
        view_a(view(a)),
        view_at(view(t.pattern)),
        entries(static_cast<Index>(a.entries())) {}
};

// Calls f(heads, padding): one contiguous head takes a path of its own.
template <class F>
void over_heads(const F& f) {
  on_every_target([&] {
    for (const Index heads : kHeads) {
      for (const Index padding : {0, 3}) {
        SCOPED_TRACE(testing::Message() << heads << " heads, padding " << padding);
        f(heads, padding);
      }
    }
  });
}

TEST(Edge, AddAndSums) {
  const Pattern p;
  over_heads([&](Index heads, Index padding) {
    Strided receiver = Strided::random(30, heads, 1, padding);
    Strided sender = Strided::random(25, heads, 2, padding);
    Strided out(p.entries, heads, padding), expected = out;
    kernels::edge_add({1}, p.view_a, receiver, sender, out);
    reference::edge_add({1}, p.view_a, receiver, sender, expected);
    EXPECT_TRUE(same_bits(out.values, expected.values));
    Strided rows = Strided::random(30, heads, 3, padding), rows2 = rows;
    kernels::edge_sum({1}, p.view_a, out, rows);
    reference::edge_sum({1}, p.view_a, out, rows2);
    expect_near(rows.values, rows2.values, 2e-6);
    Strided cols = Strided::random(25, heads, 4, padding), cols2 = cols;
    kernels::edge_sum_transposed({1}, p.view_at, p.t.entry.data(), out, cols);
    reference::edge_sum_transposed({1}, p.view_at, p.t.entry.data(), out, cols2);
    expect_near(cols.values, cols2.values, 2e-6);
  });
}

TEST(Edge, Softmax) {
  const Pattern p(30, 60, 14);
  over_heads([&](Index heads, Index padding) {
    Strided in = Strided::random(p.entries, heads, 5, padding);
    for (Index e = 0; e < p.entries; e += 3) in(e, 0) *= 90;
    Strided out(p.entries, heads, padding), expected = out;
    kernels::edge_softmax({1}, p.view_a, in, out);
    reference::edge_softmax({1}, p.view_a, in, expected);
    expect_near(out.values, expected.values, 1e-6);
    Strided g = Strided::random(p.entries, heads, 6, padding);
    Strided grad = Strided::random(p.entries, heads, 7, padding), grad2 = grad;
    kernels::edge_softmax_backward({1}, p.view_a, out, g, grad);
    reference::edge_softmax_backward({1}, p.view_a, out, g, grad2);
    expect_near(grad.values, grad2.values, 1e-6);
    kernels::edge_softmax({1}, p.view_a, in, in);  // in place
    EXPECT_TRUE(same_bits(in.values, out.values));
  });
}

TEST(Edge, SoftmaxKeepsNanInItsRowAndHead) {
  const Pattern p;
  over_heads([&](Index heads, Index padding) {
    Strided in = Strided::random(p.entries, heads, 5, padding), out = in;
    const std::size_t row = p.a.row_size(6) > 0 ? 6 : 7;
    ASSERT_GT(p.a.row_size(static_cast<Index>(row)), 1);
    const auto bad = static_cast<Index>(p.a.row_ptr[row]);
    in(bad, heads - 1) = kNan;
    kernels::edge_softmax({1}, p.view_a, in, out);
    for (Index e = 0; e < p.entries; ++e) {
      for (Index h = 0; h < heads; ++h) {
        EXPECT_EQ(std::isnan(out(e, h)),
                  h == heads - 1 && e >= p.a.row_ptr[row] && e < p.a.row_ptr[row + 1]);
      }
    }
  });
}

TEST(Edge, Normalise) {
  const Pattern p;
  over_heads([&](Index heads, Index padding) {
    Strided in = Strided::random(p.entries, heads, 8, padding);
    for (Index e = 0; e < p.entries; ++e) {
      for (Index h = 0; h < heads; ++h) in(e, h) = std::fabs(in(e, h)) + 0.01f;
    }
    Strided out(p.entries, heads, padding), expected = out, sums(30, heads), sums2(30, heads);
    kernels::edge_normalise({1}, p.view_a, 1e-3f, in, out, sums);
    reference::edge_normalise({1}, p.view_a, 1e-3f, in, expected, sums2);
    expect_near(out.values, expected.values, 1e-6);
    expect_near(sums.values, sums2.values, 1e-6);
    Strided g = Strided::random(p.entries, heads, 9, padding);
    Strided grad = Strided::random(p.entries, heads, 10, padding), grad2 = grad;
    kernels::edge_normalise_backward({1}, p.view_a, out, sums, g, grad);
    reference::edge_normalise_backward({1}, p.view_a, out, sums, g, grad2);
    expect_near(grad.values, grad2.values, 3e-6);
  });
}

TEST(Edge, GatherAndItsGradients) {
  const Pattern p;
  on_every_target([&] {
    for (const Index heads : kHeads) {
      for (const Index d : {1, 7, 8, 13, 16, 32, 64, 70}) {
        for (const bool sum_heads : {false, true}) {
          SCOPED_TRACE(testing::Message() << heads << " heads of " << d << ", sum " << sum_heads);
          const Index width = sum_heads ? d : heads * d;
          Strided weight = Strided::random(p.entries, heads, 11);
          Strided h = Strided::random(25, heads * d, 12), g = Strided::random(30, width, 13);
          Strided out(30, width), expected(30, width);
          kernels::edge_gather({1}, p.view_a, weight, h, sum_heads, out);
          reference::edge_gather({1}, p.view_a, weight, h, sum_heads, expected);
          expect_near(out.values, expected.values, 5e-6);
          Strided grad = Strided::random(25, heads * d, 14), grad2 = grad;
          kernels::edge_gather_backward_values({1}, p.view_at, p.t.entry.data(), weight, g,
                                               sum_heads, grad);
          reference::edge_gather_backward_values({1}, p.view_at, p.t.entry.data(), weight, g,
                                                 sum_heads, grad2);
          expect_near(grad.values, grad2.values, 5e-6);
          Strided gw = Strided::random(p.entries, heads, 15), gw2 = gw;
          kernels::edge_gather_backward_weights({1}, p.view_a, g, h, sum_heads, gw);
          reference::edge_gather_backward_weights({1}, p.view_a, g, h, sum_heads, gw2);
          expect_near(gw.values, gw2.values, 5e-6);
        }
      }
    }
  });
}

TEST(Edge, HeadDot) {
  on_every_target([] {
    for (const Index heads : kHeads) {
      for (const Index d : {1, 7, 8, 16, 33}) {
        Strided h = Strided::random(21, heads * d, 16), a = Strided::random(heads, d, 17);
        Strided out(21, heads), expected(21, heads), g = Strided::random(21, heads, 18);
        kernels::head_dot({1}, h, a, out);
        reference::head_dot({1}, h, a, expected);
        expect_near(out.values, expected.values, 3e-6);
        Strided gh = Strided::random(21, heads * d, 19), gh2 = gh, only_h = gh;
        Strided ga = Strided::random(heads, d, 20), ga2 = ga, only_a = ga;
        kernels::head_dot_backward({1}, h, a, g, gh, ga);
        reference::head_dot_backward({1}, h, a, g, gh2, ga2);
        expect_near(gh.values, gh2.values, 1e-6);
        expect_near(ga.values, ga2.values, 5e-6);
        kernels::head_dot_backward({1}, h, a, g, only_h, {});
        EXPECT_TRUE(same_bits(only_h.values, gh.values));
        kernels::head_dot_backward({1}, h, a, g, {}, only_a);
        EXPECT_TRUE(same_bits(only_a.values, ga.values));
      }
    }
  });
}

TEST(Edge, GaussianKernels) {
  on_every_target([] {
    for (const Index rows : {0, 1, 5, 16, 45}) {
      for (const Index kernels_count : {1, 2, 5}) {
        for (const Index coordinates : {1, 2, 3}) {
          Strided v = Strided::random(rows, coordinates, 21);
          Strided mu = Strided::random(kernels_count, coordinates, 22);
          Strided sigma = Strided::random(kernels_count, coordinates, 23);
          for (Index q = 0; q < coordinates; ++q) sigma(0, q) = 0.3f;
          Strided out(rows, kernels_count), expected(rows, kernels_count);
          kernels::gaussian_kernels({1}, v, mu, sigma, out);
          reference::gaussian_kernels({1}, v, mu, sigma, expected);
          // An exponent of size 80 keeps 1e-7 of itself.
          expect_near(out.values, expected.values, 2e-5);
          Strided g = Strided::random(rows, kernels_count, 24);
          Strided gv = Strided::random(rows, coordinates, 25), gv2 = gv;
          Strided gm = Strided::random(kernels_count, coordinates, 26), gm2 = gm;
          Strided gs = Strided::random(kernels_count, coordinates, 27), gs2 = gs;
          kernels::gaussian_kernels_backward(v, mu, sigma, expected, g, gv, gm, gs);
          reference::gaussian_kernels_backward(v, mu, sigma, expected, g, gv2, gm2, gs2);
          expect_near(gv.values, gv2.values, 2e-5);
          expect_near(gm.values, gm2.values, 2e-5);
          expect_near(gs.values, gs2.values, 2e-5);
        }
      }
    }
  });
}

TEST(Edge, ThreadsDoNotShow) {
  const Pattern p(9000, 800, 12);
  Strided weight = Strided::random(p.entries, 8, 28, 0), h = Strided::random(800, 64, 29, 0);
  const auto run = [&](int threads) {
    std::vector<Strided> results = {Strided(p.entries, 8), Strided(9000, 64),     Strided(800, 64),
                                    Strided(p.entries, 8), Strided(p.entries, 8), Strided(9000, 8)};
    kernels::edge_softmax({threads}, p.view_a, weight, results[0]);
    kernels::edge_gather({threads}, p.view_a, results[0], h, false, results[1]);
    kernels::edge_gather_backward_values({threads}, p.view_at, p.t.entry.data(), results[0],
                                         results[1], false, results[2]);
    kernels::edge_gather_backward_weights({threads}, p.view_a, results[1], h, false, results[3]);
    kernels::edge_softmax_backward({threads}, p.view_a, results[0], results[3], results[4]);
    kernels::edge_sum({threads}, p.view_a, results[4], results[5]);
    return results;
  };
  const auto one = run(1);
  for (const int threads : {2, 8}) {
    const auto many = run(threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_TRUE(same_bits(one[i].values, many[i].values)) << "result " << i;
    }
  }
}

}  // namespace
}  // namespace cupel::test
