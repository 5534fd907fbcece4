#include "cupel/engine/kernels/sparse.h"

#include <fmt/format.h>

#include <memory>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

// Output rows are `rows` of A (the first ones), so that demanded rows are what is measured.
void spmm_case(const char* name, Index rows, Index inner, Index n, int mean, bool valued) {
  struct Data {
    Csr a;
    Matrix b, out, expected;
  };
  auto data = std::make_shared<Data>();
  data->a = random_csr(rows, inner, mean, valued, 7);
  data->b = random_matrix(inner, n, 8);
  data->out = Matrix(rows, n);
  data->expected = Matrix(rows, n);
  Data* p = data.get();
  const double entries = static_cast<double>(p->a.entries());
  add_case({name, [data, p] { kernels::spmm({1}, view(p->a), nullptr, p->b, view(p->out)); },
            [p] { reference::spmm({1}, view(p->a), nullptr, p->b, view(p->expected)); },
            [p] { return difference(p->out, p->expected); }, 1e-6,
            4 * (entries * (n + (valued ? 2 : 1)) + double(rows) * n), 2 * entries * n});
}

void transposed_case(const char* name, Index rows, Index outer, Index n, int mean, bool valued) {
  struct Data {
    Csr a;
    Matrix g, out, expected;
  };
  auto data = std::make_shared<Data>();
  data->a = random_csr(rows, outer, mean, valued, 9);
  data->g = random_matrix(rows, n, 10);
  data->out = Matrix(outer, n);
  data->expected = Matrix(outer, n);
  Data* p = data.get();
  const double entries = static_cast<double>(p->a.entries());
  add_case({name,
            [data, p] { kernels::spmm_transposed({1}, view(p->a), nullptr, p->g, view(p->out)); },
            [p] { reference::spmm_transposed({1}, view(p->a), nullptr, p->g, view(p->expected)); },
            [p] { return difference(p->out, p->expected); }, 1e-6,
            4 * (entries * (2 * n + 1) + double(outer) * n + double(rows) * n), 2 * entries * n});
}

// `arcs` arcs over `nodes` nodes, both ways, some nodes far more popular than others (as
// tolokers'); or, without arcs, the eight neighbours of each cell of a square grid (as
// minesweeper's).
Csr graph(Index nodes, int arcs) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(nodes));
  Stream stream({11, 3}, 0);
  for (int e = 0; e < arcs / 2; ++e) {
    const auto u = static_cast<Index>(stream.next_unit() * nodes);
    const auto v = static_cast<Index>(std::pow(stream.next_unit(), 2.5) * nodes);
    rows[static_cast<std::size_t>(u)].push_back(v);
    rows[static_cast<std::size_t>(v)].push_back(u);
  }
  const auto side = static_cast<Index>(std::sqrt(nodes));
  for (Index i = 0; arcs == 0 && i < nodes; ++i) {
    for (Index y = -1; y <= 1; ++y) {
      for (Index x = -1; x <= 1; ++x) {
        const Index column = i % side + x, row = i / side + y;
        if ((x == 0 && y == 0) || column < 0 || column >= side || row < 0 || row >= side) continue;
        rows[static_cast<std::size_t>(i)].push_back(row * side + column);
      }
    }
  }
  Csr m = test::csr_of(std::move(rows), nodes);
  m.values.resize(m.columns.size());
  for (float& x : m.values) x = static_cast<float>(stream.next_unit());
  return m;
}

// The oracle computes some rows only, so "oracle/kernel" says nothing here.
void graph_case(const char* name, Index nodes, int arcs, Index n, int threads) {
  struct Data {
    Csr a;
    Matrix b, out, expected;
  };
  auto data = std::make_shared<Data>(
      Data{graph(nodes, arcs), random_matrix(nodes, n, 8), Matrix(nodes, n), Matrix(100, n)});
  Data* p = data.get();
  const double entries = static_cast<double>(p->a.entries());
  add_case(
      {fmt::format("spmm/{} n={} threads={}", name, n, threads),
       [data, p, threads] { kernels::spmm({threads}, view(p->a), nullptr, p->b, view(p->out)); },
       [p] { reference::spmm({1}, view(p->a), nullptr, p->b, view(p->expected)); },
       [p] {
         return difference(p->out.values.data(), p->expected.values.data(),
                           p->expected.values.size());
       },
       1e-6, 4 * entries * n, 2 * entries * n});
}

const Cases kSparse([] {
  spmm_case("spmm/X validation 1840x1433 18/row n=64", 1840, 1433, 64, 18, false);
  spmm_case("spmm/X dropped 1628x1433 4/row n=64", 1628, 1433, 64, 4, false);
  spmm_case("spmm/A hidden train 600x1628 5/row n=64", 600, 1628, 64, 5, true);
  spmm_case("spmm/A hidden validation 791x1840 5/row n=64", 791, 1840, 64, 5, true);
  spmm_case("spmm/A output train 140x600 5/row n=7", 140, 600, 7, 5, true);
  spmm_case("spmm/all X 2485x1433 18/row n=32", 2485, 1433, 32, 18, false);
  spmm_case("spmm/all X 2485x1433 18/row n=16", 2485, 1433, 16, 18, false);
  spmm_case("spmm/all X 2485x1433 18/row n=8", 2485, 1433, 8, 18, false);
  transposed_case("spmm_transposed/X dropped 1628x1433 4/row n=64", 1628, 1433, 64, 4, false);
  transposed_case("spmm_transposed/A hidden 600x1628 5/row n=64", 600, 1628, 64, 5, true);
  transposed_case("spmm_transposed/A output 140x600 5/row n=7", 140, 600, 7, 5, true);
  // What the order of products weighs (engine/program/product_order.h).
  spmm_case("spmm/order X 12000x767 267/row n=10", 12000, 767, 10, 267, false);
  spmm_case("spmm/order X 12000x767 267/row n=64", 12000, 767, 64, 267, false);
  spmm_case("spmm/order A 5000x13000 50/row n=10", 5000, 13000, 10, 50, true);
  spmm_case("spmm/order A 5000x13000 50/row n=64", 5000, 13000, 64, 50, true);
  spmm_case("spmm/order wide A 300x5000 50/row n=767", 300, 5000, 767, 50, true);
  transposed_case("spmm_transposed/order X 12000x767 267/row n=10", 12000, 767, 10, 267, false);
  transposed_case("spmm_transposed/order X 12000x767 267/row n=64", 12000, 767, 64, 267, false);
  for (const int threads : {1, 2}) {
    graph_case("tolokers-like", 11758, 1'038'000, 512, threads);
    graph_case("minesweeper", 10000, 0, 512, threads);
  }
});

}  // namespace

}  // namespace cupel::bench
