#include "cupel/engine/kernels/block_product.h"

#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

struct Case {
  std::vector<Index> which;
  Strided in, table, g;

  Case(Index rows, Index d)
      : in(Strided::random(rows, d, 1)),
        table(Strided::random(5, 2 * d, 2)),
        g(Strided::random(rows, d, 3)) {
    Stream stream({9, 9}, 0);
    for (Index i = 0; i < rows; ++i)  // the last kind never comes
      which.push_back(static_cast<Index>(stream.next_below(4)));
  }
  // Product and gradients, one after the other; the table's gradient from `start`.
  std::vector<float> run(Threads threads, float start) {
    Strided out(in.rows, in.cols), grad_in(in.rows, in.cols), grad_table(5, 2 * in.cols);
    for (Index k = 0; k < 5; ++k) std::fill_n(grad_table.view().row(k), 2 * in.cols, start);
    kernels::block_product(threads, which.data(), in, table, out);
    kernels::block_product_backward(threads, which.data(), table, g, grad_in);
    kernels::block_product_table(threads, which.data(), in, g, grad_table, start != 0);
    return joined({&out, &grad_in, &grad_table});
  }
  // By matrices written out: entry (row, column) of the matrix of kind k is that of block b in one
  // of the four corners.
  std::vector<float> expected(float start) {
    const Index half = in.cols / 2;
    Strided out(in.rows, in.cols), grad_in(in.rows, in.cols), grad_table(5, 2 * in.cols);
    for (Index k = 0; k < 5; ++k) std::fill_n(grad_table.view().row(k), 2 * in.cols, start);
    for (Index i = 0; i < in.rows; ++i)
      for (Index row = 0; row < in.cols; ++row)
        for (Index col = 0; col < in.cols; ++col) {
          if (row % half != col % half) continue;
          const Index corner = 2 * (row / half) + col / half,
                      k = which[static_cast<std::size_t>(i)];
          float& w = table(k, corner * half + row % half);
          out(i, row) += w * in(i, col);
          grad_in(i, col) += w * g(i, row);
          grad_table(k, corner * half + row % half) += g(i, row) * in(i, col);
        }
    return joined({&out, &grad_in, &grad_table});
  }
};

TEST(BlockProduct, EqualsMatricesWrittenOut) {
  on_every_target([] {
    for (const Index d : {2, 6, 16, 34, 200})
      for (const float start : {0.0f, 0.5f}) {
        SCOPED_TRACE(d);
        Case c(50, d);
        expect_near(c.run({1}, start), c.expected(start), 1e-5);
      }
  });
}

TEST(BlockProduct, NeitherThreadsNorVectorWidthShow) {
  Case c(3000, 60);
  expect_same_bits_of([&](Threads threads) { return c.run(threads, 0); });
}

}  // namespace
}  // namespace cupel::test
