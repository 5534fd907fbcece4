#include "cupel/engine/kernels/gru_sequence.h"

#include "engine/kernels/reference/gru_sequence.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

struct Case {
  Csr a;
  Transposed t;
  Strided of_columns, of_rows, u, bias, g;

  Case(Index rows, Index d, int mean)
      : a(random_csr(rows, rows + 7, mean, false, 3)),
        t(a),
        of_columns(Strided::random(rows + 7, 3 * d, 4)),
        of_rows(Strided::random(rows, 3 * d, 5)),
        u(Strided::random(d, 3 * d, 6)),
        bias(Strided::random(1, 3 * d, 7, 0)),
        g(Strided::random(rows, d, 8)) {}

  // Output and gradients, one after the other, without what lies between rows.
  std::vector<float> run(Threads threads) {
    const kernels::SequenceSteps steps(view(a));
    const Index d = u.rows;
    Strided before(steps.places(), d), gates(steps.places(), 4 * d), out(a.rows, d),
        work(a.rows, d);
    Strided grad_columns(of_columns.rows, 3 * d), grad_rows(a.rows, 3 * d), grad_u(d, 3 * d),
        grad_bias(1, 3 * d, 0);
    kernels::gru_sequence(threads, steps, of_columns, of_rows, u, bias.view().row(0),
                          {before, gates}, out);
    kernels::gru_sequence_backward(threads, steps, view(t.pattern), t.entry.data(), u,
                                   {before, gates}, g, work,
                                   {grad_columns, grad_rows, grad_u, grad_bias});
    std::vector<float> all;
    for (Strided* part : {&out, &grad_columns, &grad_rows, &grad_u, &grad_bias})
      for (Index i = 0; i < part->rows; ++i)
        all.insert(all.end(), part->view().row(i), part->view().row(i) + part->cols);
    return all;
  }
  std::vector<float> expected() {
    auto oracle = reference::gru_sequence(view(a), of_columns, of_rows, u, bias.view().row(0), g);
    std::vector<float> all;
    for (const auto* part : {&oracle.out, &oracle.of_columns, &oracle.of_rows, &oracle.u})
      for (const auto& row : *part)
        for (const double v : row) all.push_back(static_cast<float>(v));
    for (const double v : oracle.bias) all.push_back(static_cast<float>(v));
    return all;
  }
};

TEST(Gru, EqualsOracle) {
  on_every_target([] {
    for (const Index d : {1, 3, 8, 19, 40})
      for (const int mean : {0, 1, 5}) {
        SCOPED_TRACE(testing::Message() << d << " wide, " << mean << " steps");
        Case c(30, d, mean);
        expect_near(c.run({1}), c.expected(), 2e-5);
      }
  });
}

TEST(Gru, NeitherThreadsNorVectorWidthShow) {
  Case c(700, 24, 5);
  expect_same_bits_of([&](Threads threads) { return c.run(threads); });
}

TEST(Gru, PlacesAreStepByStepAndLongestFirst) {
  const Csr a = csr_of({{4}, {}, {1, 2, 5}, {0, 3}, {2, 6}}, 7);
  const kernels::SequenceSteps steps(view(a));
  EXPECT_EQ(steps.order, (std::vector<Index>{2, 3, 4, 0}));
  EXPECT_EQ(steps.begin, (std::vector<Offset>{0, 4, 7, 8}));
  EXPECT_EQ(steps.row, (std::vector<Index>{2, 3, 4, 0, 2, 3, 4, 2}));
  EXPECT_EQ(steps.column, (std::vector<Index>{1, 0, 2, 4, 2, 3, 6, 5}));
  EXPECT_EQ(steps.place_of_entry, (std::vector<Offset>{3, 0, 4, 7, 1, 5, 2, 6}));
}

}  // namespace
}  // namespace cupel::test
