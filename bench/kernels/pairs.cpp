#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cupel/engine/kernels/all_pairs_loss.h"
#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/kernels/gather.h"
#include "cupel/engine/kernels/pair_loss.h"
#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

// Counted for each unordered pair: an inner product and two additions to gradients of `width`
// multiply-adds each, and 21 operations for sigmoid and softplus; bytes of a meeting of two blocks
// of 96 nodes: five arrays read, two written, a 96th of each for a pair. The oracle computes the
// gradient of a few rows, so "oracle/kernel" says nothing here.
void all_pairs_case(const char* name, Index nodes, Index width, int threads) {
  struct Data {
    Csr targets;
    Matrix z, grad, expected;
    std::unique_ptr<kernels::AllPairsLoss> loss;
    kernels::AllPairsWeights weights;
  };
  constexpr Index kRows = 20;
  auto data = std::make_shared<Data>();
  Data* p = data.get();
  p->targets = test::symmetric_with_loops(random_csr(nodes, nodes, 2, false, 21));
  p->z = random_matrix(nodes, width, 22);
  p->grad = Matrix(nodes, width);
  p->expected = Matrix(kRows, width);
  p->weights = kernels::released_weights(nodes, p->targets.entries() - nodes);
  p->loss = std::make_unique<kernels::AllPairsLoss>(p->targets, width, p->weights);
  const auto oracle = [p] {
    const Index n = p->z.rows, d = p->z.cols;
    const double share = 2 * p->weights.scale / (double(n) * n);
    for (Index i = 0; i < kRows; ++i) {
      std::vector<double> sums(static_cast<std::size_t>(d));
      std::vector<char> there(static_cast<std::size_t>(n));
      for (const Index j : p->targets.row_columns(i)) there[static_cast<std::size_t>(j)] = 1;
      for (Index j = 0; j < n; ++j) {
        double x = 0;
        for (Index k = 0; k < d; ++k) x += double{p->z(i, k)} * p->z(j, k);
        const double sigma = 1 / (1 + std::exp(-x));
        const double slope =
            there[static_cast<std::size_t>(j)] != 0 ? p->weights.positive * (sigma - 1) : sigma;
        for (Index k = 0; k < d; ++k) sums[static_cast<std::size_t>(k)] += slope * p->z(j, k);
      }
      for (Index k = 0; k < d; ++k)
        p->expected(i, k) = static_cast<float>(share * sums[static_cast<std::size_t>(k)]);
    }
  };
  const double pairs = 0.5 * nodes * nodes;
  add_case({fmt::format("all_pairs_loss/{} {}x{} threads={}", name, nodes, width, threads),
            [data, p, threads] { p->loss->compute({threads}, p->z, view(p->grad)); }, oracle,
            [p] {
              return difference(p->grad.values.data(), p->expected.values.data(),
                                p->expected.values.size());
            },
            1e-5, pairs * 7 * 4 * width / 96, pairs * (6.0 * width + 21)});
}

// Pairs drawn at random, as negatives are. Bytes: of every array once in each direction, rows of
// the table once a pair.
void pair_cases(Index nodes, Index pairs, Index width) {
  struct Data {
    std::vector<Index> index;
    Matrix table, a, b, out, expected, grad, expected_grad, dots;
  };
  auto data = std::make_shared<Data>();
  Data* p = data.get();
  Stream stream({23, 5}, 0);
  for (Index i = 0; i < pairs; ++i)
    p->index.push_back(static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes))));
  p->table = random_matrix(nodes, width, 24);
  p->a = p->expected = Matrix(pairs, width);
  p->b = random_matrix(pairs, width, 25);
  p->out = p->dots = Matrix(pairs, 1);
  p->grad = p->expected_grad = Matrix(nodes, width);
  const std::string name = fmt::format("{} of {} rows n={}", pairs, nodes, width);
  const double cells = double(pairs) * width;
  add_case({"gather_rows/" + name,
            [data, p] { kernels::gather_rows({1}, p->index.data(), p->table, view(p->a)); },
            [p] {
              for (Index i = 0; i < p->a.rows; ++i)
                for (Index j = 0; j < p->a.cols; ++j) p->expected(i, j) = p->table(p->index[i], j);
            },
            [p] { return difference(p->a, p->expected); }, 0, 8 * cells + 4.0 * pairs, 0});
  add_case({"scatter_rows/" + name,
            [data, p] { kernels::scatter_rows({1}, p->index.data(), p->b, view(p->grad)); },
            [p] {
              std::fill(p->expected_grad.values.begin(), p->expected_grad.values.end(), 0.0f);
              for (Index i = 0; i < p->b.rows; ++i)
                for (Index j = 0; j < p->b.cols; ++j)
                  p->expected_grad(p->index[i], j) += p->b(i, j);
            },
            [p] { return difference(p->grad, p->expected_grad); }, 0,
            12 * cells + 4.0 * pairs + 4.0 * nodes * width, cells});
  add_case({"row_dots/" + name, [data, p] { kernels::row_dots({1}, p->a, p->b, view(p->out)); },
            [p] {
              for (Index i = 0; i < p->a.rows; ++i) {
                double sum = 0;
                for (Index j = 0; j < p->a.cols; ++j) sum += double{p->a(i, j)} * p->b(i, j);
                p->dots(i, 0) = static_cast<float>(sum);
              }
            },
            [p] { return difference(p->out, p->dots); }, 1e-5, 8 * cells + 4.0 * pairs, 2 * cells});
}

void pair_loss_case(std::size_t pairs, kernels::PairLossForm form, const char* name) {
  struct Data {
    std::vector<float> scores, links, grad, expected;
  };
  auto data = std::make_shared<Data>();
  Data* p = data.get();
  Stream stream({26, 5}, 0);
  for (std::size_t i = 0; i < pairs; ++i) {
    p->scores.push_back(static_cast<float>(3 * stream.next_normal()));
    p->links.push_back(i % 2 == 0 ? 1.0f : 0.0f);
  }
  p->grad.resize(pairs);
  p->expected.resize(pairs);
  add_case({fmt::format("pair_loss/{} {}", name, pairs),
            [data, p, form] { kernels::pair_loss({1}, form, p->scores, p->links, p->grad); },
            [p, form] { reference::pair_loss(form, p->scores, p->links, p->expected); },
            [p] { return difference(p->grad.data(), p->expected.data(), p->grad.size()); }, 1e-5,
            12.0 * static_cast<double>(pairs), 0});
}

const Cases kPairs([] {
  for (const int threads : {1, 2}) {
    all_pairs_case("Cora", 2708, 16, threads);
    all_pairs_case("PubMed", 19717, 16, threads);
  }
  all_pairs_case("Cora", 2708, 64, 1);
  for (const Index width : {16, 64, 256}) pair_cases(19717, 65536, width);
  pair_loss_case(65536, kernels::PairLossForm::kMean, "mean");
  pair_loss_case(65536, kernels::PairLossForm::kMeansOfBoth, "means of both");
});

}  // namespace

}  // namespace cupel::bench
