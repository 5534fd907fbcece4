#include "cupel/engine/kernels/attention.h"

#include <memory>
#include <vector>

#include "cupel/engine/program/row_sets.h"
#include "engine/kernels/reference/attention.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

// An undirected graph with self loops whose degrees fall as a power: `edges` draws.
Csr skewed_graph(Index nodes, int edges, double power) {
  Stream stream({17, 3}, 0);
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(nodes));
  for (Index i = 0; i < nodes; ++i) rows[static_cast<std::size_t>(i)].push_back(i);
  const auto draw = [&] {
    // Popular nodes lie scattered, as in data.
    const auto rank = static_cast<std::uint64_t>(std::pow(stream.next_unit(), power) * nodes);
    return static_cast<Index>(rank * 7919 % static_cast<std::uint64_t>(nodes));
  };
  for (int i = 0; i < edges; ++i) {
    const Index a = draw(), b = draw();
    rows[static_cast<std::size_t>(a)].push_back(b);
    rows[static_cast<std::size_t>(b)].push_back(a);
  }
  return test::csr_of(std::move(rows), nodes);
}

struct Data {
  Csr a;
  BoundSparse bound;  // with the transposed pattern
  Index heads, cols;
  Matrix receiver, sender, query, key, values, g, out, stats, grad[5], expected[5];
  Matrix expected_out;

  Data(Csr graph, Index heads_, Index cols_) : a(std::move(graph)), heads(heads_), cols(cols_) {
    bound.view = view(a);
    add_transpose(bound, Turned::kWithEntries);
    const Index n = a.rows;
    receiver = random_matrix(n, heads, 1);
    sender = random_matrix(n, heads, 2);
    query = random_matrix(n, cols, 3);
    key = random_matrix(n, cols, 4);
    values = random_matrix(n, cols, 5);
    g = random_matrix(n, cols, 6);
    out = expected_out = Matrix(n, cols);
    stats = Matrix(2 * heads, n);
    for (int i = 0; i < 5; ++i) grad[i] = expected[i] = Matrix(n, i < 2 ? heads : cols);
  }
  double gradient_difference(std::initializer_list<int> which) const {
    double most = 0;
    for (const int i : which) most = std::max(most, difference(grad[i], expected[i]));
    return most;
  }
};

constexpr float kSlope = 0.2f, kFactor = 0.125f;

void attention_cases(const std::string& name, Csr graph, Index heads, Index cols) {
  auto data = std::make_shared<Data>(std::move(graph), heads, cols);
  Data* p = data.get();
  const double cells = static_cast<double>(p->a.entries()) * cols;
  const double scores = static_cast<double>(p->a.entries()) * heads;
  const auto additive = [p] {
    kernels::additive_attention({1}, view(p->a), p->receiver, p->sender, p->values, kSlope,
                                view(p->out), view(p->stats));
  };
  const auto dot = [p] {
    kernels::dot_attention({1}, view(p->a), p->query, p->key, p->values, p->heads, kFactor,
                           view(p->out), view(p->stats));
  };
  add_case({"additive_attention/" + name, [data, additive] { additive(); },
            [p] {
              reference::additive_attention(view(p->a), p->receiver, p->sender, p->values, kSlope,
                                            view(p->expected_out));
            },
            [p] { return difference(p->out, p->expected_out); }, 1e-5, 4 * cells,
            2 * cells + 20 * scores});
  add_case({"additive_attention_backward/" + name,
            [data, p, additive, ready = false]() mutable {
              if (!ready) additive();
              ready = true;
              kernels::additive_attention_backward(
                  {1}, view(p->a), p->bound.transposed_view, p->bound.entry.data(), p->receiver,
                  p->sender, p->values, kSlope, p->out, p->stats, p->g,
                  {view(p->grad[0]), view(p->grad[1]), view(p->grad[2])});
            },
            [p] {
              reference::additive_attention_backward(
                  view(p->a), p->receiver, p->sender, p->values, kSlope, p->g,
                  {view(p->expected[0]), view(p->expected[1]), view(p->expected[2])});
            },
            [p] {
              return p->gradient_difference({0, 1, 2});
            },
            1e-4, 4 * cells, 4 * cells + 20 * scores});
  add_case({"dot_attention/" + name, [data, dot] { dot(); },
            [p] {
              reference::dot_attention(view(p->a), p->query, p->key, p->values, p->heads, kFactor,
                                       view(p->expected_out));
            },
            [p] { return difference(p->out, p->expected_out); }, 1e-5, 8 * cells,
            4 * cells + 20 * scores});
  add_case({"dot_attention_backward/" + name,
            [data, p, dot, ready = false]() mutable {
              if (!ready) dot();
              ready = true;
              kernels::dot_attention_backward(
                  {1}, view(p->a), p->bound.transposed_view, p->bound.entry.data(), p->query,
                  p->key, p->values, p->heads, kFactor, p->out, p->stats, p->g,
                  {view(p->grad[3]), view(p->grad[4]), view(p->grad[2])});
            },
            [p] {
              reference::dot_attention_backward(
                  view(p->a), p->query, p->key, p->values, p->heads, kFactor, p->g,
                  {view(p->expected[3]), view(p->expected[4]), view(p->expected[2])});
            },
            [p] {
              return p->gradient_difference({2, 3, 4});
            },
            1e-4, 16 * cells, 10 * cells + 20 * scores});
}

// The nodes and skew of tolokers with a fifth of its entries (the oracles take their time), and the
// shape of minesweeper; 8 heads of 64.
const Cases kAttention([] {
  attention_cases("11758 nodes, skewed, 8 heads of 64", skewed_graph(11758, 120000, 2.0), 8, 512);
  attention_cases("10000 nodes, degree 9, 8 heads of 64", skewed_graph(10000, 39402, 1.0), 8, 512);
});

}  // namespace

}  // namespace cupel::bench
