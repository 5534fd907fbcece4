#include "cupel/engine/kernels/relu_messages.h"

#include "engine/kernels/reference/relu_messages.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

struct Case {
  Csr a;
  Transposed t;
  Csr at;
  Strided arcs, weights, bias, h, g;
  kernels::ArcMap map;

  Case(Index rows, Index cols, Index values, bool valued)
      : a(random_csr(rows, rows + 7, 6, valued, 3)),
        t(a),
        at(t.pattern),
        arcs(Strided::random(static_cast<Index>(a.entries()), values, 4)),
        weights(Strided::random(values, cols, 5)),
        bias(Strided::random(1, cols, 6, 0)),
        h(Strided::random(rows + 7, cols, 7)),
        g(Strided::random(rows, cols, 8)),
        map{arcs, weights, bias.view().row(0)} {
    // Multiples of 1/16: messages are exact, so that none is on the other side of 0 in floats.
    for (Strided* m : {&arcs, &weights, &bias, &h})
      for (float& v : m->values) v = std::round(v * 16) / 16;
    for (const Offset e : t.entry)
      if (valued) at.values.push_back(a.values[static_cast<std::size_t>(e)]);
  }

  // Output and gradients, one after the other.
  std::vector<float> run(Threads threads) {
    const kernels::RowBlocks blocks(nullptr, a.rows);
    std::vector<float> partial(static_cast<std::size_t>(blocks.count()) * (arcs.cols + 1) * h.cols);
    Strided out(a.rows, h.cols), grad_h(h.rows, h.cols), grad_w(weights.rows, h.cols);
    Strided grad_bias(1, h.cols, 0);
    kernels::relu_messages(threads, view(a), map, h, out);
    kernels::relu_messages_backward_h(threads, view(at), t.entry.data(), map, h, g, grad_h);
    kernels::relu_messages_backward_map(threads, view(a), blocks, map, h, g, partial.data(), grad_w,
                                        grad_bias.view().row(0));
    return joined({&out, &grad_h, &grad_w, &grad_bias});
  }
  std::vector<float> expected() {
    Strided out(a.rows, h.cols), grad_h(h.rows, h.cols), grad_w(weights.rows, h.cols);
    Strided grad_bias(1, h.cols, 0);
    reference::relu_messages(view(a), map, h, out);
    reference::relu_messages_backward(view(a), map, h, g, grad_h, grad_w, grad_bias.view().row(0));
    return joined({&out, &grad_h, &grad_w, &grad_bias});
  }
};

TEST(ReluMessages, EqualOracle) {
  on_every_target([] {
    for (const Index cols : {1, 7, 16, 33, 100, 300})
      for (const Index values : {1, 3, 7})
        for (const bool valued : {false, true}) {
          SCOPED_TRACE(testing::Message() << cols << " columns, " << values << " values");
          Case c(40, cols, values, valued);
          expect_near(c.run({1}), c.expected(), 1e-4);
        }
  });
}

TEST(ReluMessages, NeitherThreadsNorVectorWidthShow) {
  Case c(1500, 60, 7, true);
  expect_same_bits_of([&](Threads threads) { return c.run(threads); });
}

}  // namespace
}  // namespace cupel::test
