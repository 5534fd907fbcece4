#include "cupel/engine/kernels/pointwise.h"

#include <memory>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

struct Data {
  Matrix in, grad, out, expected, sums = Matrix(1, 64), sums2 = Matrix(1, 64);
  Matrix bias = random_matrix(1, 64, 5);
  kernels::DrawPlan plan;
  AlignedVector<std::uint16_t> draws;
  kernels::Chain chain;

  Data(Index rows, kernels::Activation activation, bool drop)
      : in(random_matrix(rows, 64, 3)),
        grad(random_matrix(rows, 64, 4)),
        out(rows, 64),
        expected(rows, 64),
        plan(kernels::DrawPlan::uniform(nullptr, rows, 64)),
        draws(plan.draws_capacity()) {
    kernels::fill_draws({{1, 2}, 3, 4}, plan.slot_rows.data(), plan.slot_blocks.data(),
                        plan.slot_rows.size(), draws.data());
    chain.bias = bias.values.data();
    chain.activation = activation;
    chain.drop = drop;
    chain.rate = kernels::DropRate(0.8);
    chain.draws = draws.data();
  }
};

void chain_cases(const std::string& name, Index rows, kernels::Activation activation, bool drop) {
  auto data = std::make_shared<Data>(rows, activation, drop);
  Data* p = data.get();
  const double cells = 64.0 * rows;
  add_case({"chain_forward/" + name,
            [data, p] { kernels::chain_forward({1}, p->chain, p->in, view(p->out)); },
            [p] { reference::chain_forward({1}, p->chain, p->in, view(p->expected)); },
            [p] { return difference(p->out, p->expected); }, 1e-6, cells * (drop ? 10 : 8), 0});
  add_case(
      {"chain_backward/" + name,
       [data, p] { kernels::chain_backward({1}, p->chain, p->in, p->grad, view(p->out), false); },
       [p] { reference::chain_backward({1}, p->chain, p->in, p->grad, view(p->expected), false); },
       [p] { return difference(p->out, p->expected); }, 1e-6, cells * (drop ? 14 : 12), 0});
}

const Cases kPointwise([] {
  chain_cases("bias relu drop train 600x64", 600, kernels::Activation::kRelu, true);
  chain_cases("bias relu validation 791x64", 791, kernels::Activation::kRelu, false);
  chain_cases("bias elu 791x64", 791, kernels::Activation::kElu, false);
  chain_cases("bias tanh 791x64", 791, kernels::Activation::kTanh, false);
  auto data = std::make_shared<Data>(600, kernels::Activation::kNone, false);
  Data* p = data.get();
  add_case({"column_sums/600x64",
            [data, p] { kernels::column_sums(p->grad, p->sums.values.data()); },
            [p] { reference::column_sums(p->grad, p->sums2.values.data()); },
            [p] { return difference(p->sums, p->sums2); }, 1e-6, 4.0 * 600 * 64, 600.0 * 64});
});

}  // namespace

}  // namespace cupel::bench
