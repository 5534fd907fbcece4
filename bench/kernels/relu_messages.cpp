#include "cupel/engine/kernels/relu_messages.h"

#include <memory>
#include <string>

#include "engine/kernels/reference/relu_messages.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

// Bonds of molecules: four arcs a node or so, three values an arc.
struct Messages {
  Messages(Index nodes, Index cols)
      : arcs(random_csr(nodes, nodes, 4, false, 1)),
        values(random_matrix(static_cast<Index>(arcs.columns.size()), 3, 5)),
        weights(random_matrix(3, cols, 2)),
        bias(random_matrix(1, cols, 3)),
        h(random_matrix(nodes, cols, 4)),
        out(nodes, cols),
        expected(nodes, cols) {}
  kernels::ArcMap map() const { return {values, weights, bias.values.data()}; }

  Csr arcs;
  Matrix values, weights, bias, h, out, expected;
};

// Bytes: a row of h for every arc, what the arc is, and the output.
const Cases kMessages([] {
  for (const Index cols : {64, 300}) {
    constexpr Index kNodes = 3000;
    auto data = std::make_shared<Messages>(kNodes, cols);
    Messages* p = data.get();
    const double arcs = static_cast<double>(p->arcs.columns.size());
    add_case(
        {"relu_messages/" + std::to_string(kNodes) + "x" + std::to_string(cols),
         [data, p] { kernels::relu_messages({1}, view(p->arcs), p->map(), p->h, view(p->out)); },
         [p] { reference::relu_messages(view(p->arcs), p->map(), p->h, view(p->expected)); },
         [p] { return difference(p->out, p->expected); }, 1e-5,
         4 * (arcs * (cols + 3) + static_cast<double>(kNodes) * cols), 8 * arcs * cols});
  }
});

}  // namespace

}  // namespace cupel::bench
