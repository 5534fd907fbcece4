#include "cupel/engine/kernels/dense.h"

#include <memory>

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

const Cases kDense([] {
  nn("matmul/H W train 600x64x7", 600, 64, 7);
  nn("matmul/H W validation 791x64x7", 791, 64, 7);
  nt("matmul_nt/G W' 600x7x64", 600, 7, 64);
  tn("matmul_tn/H' G 64x600x7", 64, 600, 7);
  nn("matmul/dense X W 2485x1433x64", 2485, 1433, 64);
  tn("matmul_tn/dense X' G 1433x2485x64", 1433, 2485, 64);
  nn("matmul/2000x512x512", 2000, 512, 512);
  nt("matmul_nt/2000x512x512", 2000, 512, 512);
  tn("matmul_tn/512x2000x512", 512, 2000, 512);
});

}  // namespace

}  // namespace cupel::bench
