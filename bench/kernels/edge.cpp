#include "cupel/engine/kernels/edge.h"

#include <memory>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

// The hidden layer of GAT 8x8 on all of Cora, and its output layer of one head.
struct Data {
  Csr a = random_csr(2485, 2485, 5, false, 11);
  std::vector<Offset> entry;
  Csr at = transpose_with_entries(a, &entry);
  Index heads, d;
  Matrix weight, h, edges, edges2, rows, rows2;

  Data(Index heads_, Index d_)
      : heads(heads_),
        d(d_),
        weight(random_matrix(static_cast<Index>(a.entries()), heads, 12)),
        h(random_matrix(2485, heads * d, 13)),
        edges(static_cast<Index>(a.entries()), heads),
        edges2(edges),
        rows(2485, heads * d),
        rows2(rows) {}

  static Csr transpose_with_entries(const Csr& m, std::vector<Offset>* entry) {
    Csr numbered = m;
    numbered.values.resize(m.columns.size());
    for (std::size_t e = 0; e < m.columns.size(); ++e) {
      numbered.values[e] = static_cast<float>(e);
    }
    Csr at = transpose(numbered);
    for (const float e : at.values) entry->push_back(static_cast<Offset>(e));
    at.values.clear();
    return at;
  }
};

void edge_cases(const std::string& name, Index heads, Index d) {
  auto data = std::make_shared<Data>(heads, d);
  Data* p = data.get();
  const double edges = static_cast<double>(p->a.entries()), cells = edges * heads;
  const auto same_edges = [p] { return difference(p->edges, p->edges2); };
  const auto same_rows = [p] { return difference(p->rows, p->rows2); };
  add_case({"edge_softmax/" + name,
            [data, p] { kernels::edge_softmax({1}, view(p->a), p->weight, view(p->edges)); },
            [p] { reference::edge_softmax({1}, view(p->a), p->weight, view(p->edges2)); },
            same_edges, 1e-6, 8 * cells, 0});
  add_case({"edge_softmax_backward/" + name,
            [data, p] {
              kernels::edge_softmax_backward({1}, view(p->a), p->weight, p->weight, view(p->edges));
            },
            [p] {
              reference::edge_softmax_backward({1}, view(p->a), p->weight, p->weight,
                                               view(p->edges2));
            },
            same_edges, 1e-6, 12 * cells, 0});
  add_case(
      {"edge_gather/" + name,
       [data, p] { kernels::edge_gather({1}, view(p->a), p->weight, p->h, false, view(p->rows)); },
       [p] { reference::edge_gather({1}, view(p->a), p->weight, p->h, false, view(p->rows2)); },
       same_rows, 1e-6, 4 * cells * (d + 1), 2 * cells * d});
  add_case({"edge_gather_backward_values/" + name,
            [data, p] {
              kernels::edge_gather_backward_values({1}, view(p->at), p->entry.data(), p->weight,
                                                   p->h, false, view(p->rows));
            },
            [p] {
              reference::edge_gather_backward_values({1}, view(p->at), p->entry.data(), p->weight,
                                                     p->h, false, view(p->rows2));
            },
            same_rows, 1e-6, 4 * cells * (d + 1), 2 * cells * d});
  add_case({"edge_gather_backward_weights/" + name,
            [data, p] {
              kernels::edge_gather_backward_weights({1}, view(p->a), p->h, p->h, false,
                                                    view(p->edges));
            },
            [p] {
              reference::edge_gather_backward_weights({1}, view(p->a), p->h, p->h, false,
                                                      view(p->edges2));
            },
            same_edges, 1e-6, 4 * cells * (d + 1), 2 * cells * d});
}

const Cases kEdge([] {
  edge_cases("8 heads of 8", 8, 8);
  edge_cases("1 head of 7", 1, 7);
  struct Coordinates {
    Matrix v = random_matrix(10138, 2, 1), mu = random_matrix(2, 2, 2);
    Matrix sigma = random_matrix(2, 2, 3), out = Matrix(10138, 2), expected = out;
  };
  auto data = std::make_shared<Coordinates>();
  Coordinates* p = data.get();
  add_case({"gaussian_kernels/10138 edges, 2 kernels of 2",
            [data, p] { kernels::gaussian_kernels({1}, p->v, p->mu, p->sigma, view(p->out)); },
            [p] { reference::gaussian_kernels({1}, p->v, p->mu, p->sigma, view(p->expected)); },
            [p] { return difference(p->out, p->expected); }, 1e-5, 4.0 * 4 * 10138, 0});
});

}  // namespace

}  // namespace cupel::bench
