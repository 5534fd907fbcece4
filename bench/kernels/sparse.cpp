#include "cupel/engine/kernels/sparse.h"

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
});

}  // namespace

}  // namespace cupel::bench
