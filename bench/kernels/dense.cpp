#include "cupel/engine/kernels/dense.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

using Multiply = void (*)(Threads, ConstDenseView, ConstDenseView, DenseView);

// out: m x n, summed over k.
void product_case(const char* name, Multiply kernel, Multiply oracle, Matrix a, Matrix b, Index m,
                  Index k, Index n) {
  struct Data {
    Matrix a, b, out, expected;
  };
  auto data = std::make_shared<Data>(Data{std::move(a), std::move(b), Matrix(m, n), Matrix(m, n)});
  Data* p = data.get();
  add_case({name, [data, p, kernel] { kernel({1}, p->a, p->b, view(p->out)); },
            [p, oracle] { oracle({1}, p->a, p->b, view(p->expected)); },
            [p] { return difference(p->out, p->expected); }, 1e-6,
            4 * (double(m) * k + double(k) * n + double(m) * n), 2.0 * m * k * n});
}

void nn(const char* name, Index m, Index k, Index n) {
  product_case(name, kernels::matmul, reference::matmul, random_matrix(m, k, 1),
               random_matrix(k, n, 2), m, k, n);
}
void nt(const char* name, Index m, Index k, Index n) {
  product_case(name, kernels::matmul_nt, reference::matmul_nt, random_matrix(m, k, 1),
               random_matrix(n, k, 2), m, k, n);
}
void tn(const char* name, Index m, Index k, Index n) {
  product_case(name, kernels::matmul_tn, reference::matmul_tn, random_matrix(k, m, 1),
               random_matrix(k, n, 2), m, k, n);
}

// The shapes of the heterophily protocol: 10 000 to 25 000 nodes, hidden width 512. The oracle
// takes seconds for all of it and computes the first rows only, so "oracle/kernel" says nothing
// here.
void large(Index m, Index k, Index n, int threads) {
  constexpr Index kChecked = 6;
  struct Data {
    Matrix a, b, bt, g, out, sums, expected;
  };
  auto data = std::make_shared<Data>();
  data->a = random_matrix(m, k, 1);
  data->b = random_matrix(k, n, 2);
  data->bt = random_matrix(n, k, 3);
  data->g = random_matrix(m, n, 4);
  data->out = Matrix(m, n);
  data->sums = Matrix(k, n);
  data->expected = Matrix(kChecked, n);
  Data* p = data.get();
  const double bytes = 4 * (double(m) * k + double(k) * n + double(m) * n);
  const std::string shape = fmt::format(" {}x{}x{} threads={}", m, k, n, threads);
  const ConstDenseView first_rows(p->a.values.data(), kChecked, k, k);
  const ConstDenseView first_cols(p->a.values.data(), m, kChecked, k);
  const auto checked = [p, n](const Matrix& out) {
    return difference(out.values.data(), p->expected.values.data(),
                      static_cast<std::size_t>(kChecked) * static_cast<std::size_t>(n));
  };
  const auto add = [&](const char* name, auto kernel, auto oracle, auto difference_of) {
    add_case({name + shape, kernel, oracle, difference_of, 1e-6, bytes, 2.0 * m * k * n});
  };
  add(
      "large/A B", [data, p, threads] { kernels::matmul({threads}, p->a, p->b, view(p->out)); },
      [=] { reference::matmul({1}, first_rows, p->b, view(p->expected)); },
      [=] { return checked(p->out); });
  add(
      "large/A B'",
      [data, p, threads] { kernels::matmul_nt({threads}, p->a, p->bt, view(p->out)); },
      [=] { reference::matmul_nt({1}, first_rows, p->bt, view(p->expected)); },
      [=] { return checked(p->out); });
  add(
      "large/A' B",
      [data, p, threads] { kernels::matmul_tn({threads}, p->a, p->g, view(p->sums)); },
      [=] { reference::matmul_tn({1}, first_cols, p->g, view(p->expected)); },
      [=] { return checked(p->sums); });
}

const Cases kDense([] {
  nn("matmul/H W train 600x64x7", 600, 64, 7);
  nn("matmul/H W validation 791x64x7", 791, 64, 7);
  nt("matmul_nt/G W' 600x7x64", 600, 7, 64);
  tn("matmul_tn/H' G 64x600x7", 64, 600, 7);
  nn("matmul/dense X W 2485x1433x64", 2485, 1433, 64);
  tn("matmul_tn/dense X' G 1433x2485x64", 1433, 2485, 64);
  tn("matmul_tn/batch of graphs X' G 64x1500x64", 64, 1500, 64);
  nn("matmul/order X W 300x767x10", 300, 767, 10);
  nn("matmul/order X W 5000x767x64", 5000, 767, 64);
  tn("matmul_tn/order X' G 767x300x10", 767, 300, 10);
  nn("matmul/2000x512x512", 2000, 512, 512);
  nt("matmul_nt/2000x512x512", 2000, 512, 512);
  tn("matmul_tn/512x2000x512", 512, 2000, 512);
  // Scores of 23,033 entities, and gated units 200 wide: RE-Net on ICEWS18.
  nt("matmul_nt/logits 728x200x23033", 728, 200, 23033);
  nn("matmul/of logits 728x23033x200", 728, 23033, 200);
  tn("matmul_tn/of weights 23033x728x200", 23033, 728, 200);
  nn("matmul/gates 9000x200x600", 9000, 200, 600);
  nt("matmul_nt/of gates 9000x600x200", 9000, 600, 200);
  tn("matmul_tn/of gates 200x9000x600", 200, 9000, 600);
  nn("matmul/gates 300x200x600", 300, 200, 600);
  nt("matmul_nt/of gates 300x600x200", 300, 600, 200);
  tn("matmul_tn/of gates 200x300x600", 200, 300, 600);
  for (const int threads : {1, 2}) {
    large(11758, 512, 512, threads);
    large(10000, 1024, 512, threads);
    large(24000, 512, 1024, threads);
    large(10000, 2089, 512, threads);
    large(5000, 512, 300, threads);
  }
});

}  // namespace

}  // namespace cupel::bench
