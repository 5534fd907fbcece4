#include "cupel/engine/kernels/pointwise.h"

#include <algorithm>
#include <memory>
#include <string>

#include "cupel/engine/kernels/layer_norm.h"
#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

using kernels::Activation;

struct Data {
  Matrix in, grad, out, back, expected, slope, addend, bias, sums, sums2;
  std::vector<std::uint8_t> mask;
  kernels::Chain chain;

  Data(Index rows, Index cols, Activation activation, double drop)
      : in(random_matrix(rows, cols, 3)),
        grad(random_matrix(rows, cols, 4)),
        out(rows, cols),
        back(rows, cols),
        expected(rows, cols),
        addend(random_matrix(rows, cols, 6)),
        bias(random_matrix(1, cols, 5)),
        sums(1, cols),
        sums2(1, cols),
        mask(static_cast<std::size_t>(rows) * static_cast<std::size_t>((cols + 7) / 8) + 8) {
    chain.bias = bias.values.data();
    chain.activation = activation;
    chain.drop = drop > 0;
    chain.rate = kernels::DropRate(drop);
    chain.source = {{1, 2}, 3, 4};
    chain.mask = mask.data();
  }
};

// Bytes: of every matrix that has to pass by, once in each direction that it takes.
void chain_cases(const std::string& name, const std::shared_ptr<Data>& data, int threads,
                 double forward, double backward) {
  Data* p = data.get();
  const double cells = static_cast<double>(p->in.values.size());
  add_case(
      {"chain_forward/" + name,
       [data, p, threads] { kernels::chain_forward({threads}, p->chain, p->in, view(p->out)); },
       [p] { reference::chain_forward({1}, p->chain, p->in, view(p->expected)); },
       [p] { return difference(p->out, p->expected); }, 1e-6, cells * forward, 0});
  // The forward kernel, run to be checked, has left the output, the mask and the slopes.
  add_case(
      {"chain_backward/" + name,
       [data, p, threads] {
         kernels::chain_backward({threads}, p->chain, p->out, p->grad, view(p->back),
                                 p->sums.values.data());
       },
       [p] {
         reference::chain_backward(p->chain, p->in, p->grad, view(p->expected),
                                   p->sums2.values.data());
       },
       [p] { return std::max(difference(p->back, p->expected), difference(p->sums, p->sums2)); },
       1e-4, cells * backward, 0});
}

void layer_norm_cases(Index rows, Index cols, int threads) {
  struct Norm : Data {
    Norm(Index r, Index c)
        : Data(r, c, Activation::kNone, 0),
          blocks(nullptr, r),
          moments(static_cast<std::size_t>(r)),
          partial(blocks.count(), 2 * c),
          shift(1, c),
          shift2(1, c) {}
    kernels::RowBlocks blocks;
    std::vector<kernels::RowMoments> moments;
    Matrix partial, shift, shift2;
  };
  auto data = std::make_shared<Norm>(rows, cols);
  Norm* p = data.get();
  const std::string name = std::to_string(rows) + "x" + std::to_string(cols) + " " +
                           std::to_string(threads) + " threads";
  const double cells = static_cast<double>(rows) * cols;
  const float* gain = p->bias.values.data();
  add_case({"layer_norm/" + name,
            [data, p, threads, gain] {
              kernels::layer_norm({threads}, p->in, gain, gain, view(p->out), p->moments.data());
            },
            [p, gain] { reference::layer_norm(p->in, gain, gain, view(p->expected)); },
            [p] { return difference(p->out, p->expected); }, 1e-5, cells * 8, 0});
  add_case(
      {"layer_norm_backward/" + name,
       [data, p, threads, gain] {
         kernels::layer_norm_backward({threads}, p->blocks, p->in, gain, p->moments.data(), p->grad,
                                      view(p->out), false, p->partial.values.data(),
                                      p->sums.values.data(), p->shift.values.data());
       },
       [p, gain] {
         reference::layer_norm_backward(p->in, gain, p->grad, view(p->expected),
                                        p->sums2.values.data(), p->shift2.values.data());
       },
       [p] { return std::max(difference(p->out, p->expected), difference(p->sums, p->sums2)); },
       1e-4, cells * 12, 0});
}

const Cases kPointwise([] {
  const auto make = [](Index rows, Index cols, Activation activation, double drop) {
    return std::make_shared<Data>(rows, cols, activation, drop);
  };
  chain_cases("bias relu drop train 600x64", make(600, 64, Activation::kRelu, 0.8), 1, 8, 12);
  chain_cases("bias relu validation 791x64", make(791, 64, Activation::kRelu, 0), 1, 8, 12);
  chain_cases("bias elu 791x64", make(791, 64, Activation::kElu, 0), 1, 8, 12);
  chain_cases("bias tanh 791x64", make(791, 64, Activation::kTanh, 0), 1, 8, 12);
  for (const int threads : {1, 2}) {
    // The residual blocks of the heterophily protocol.
    const std::string tail = " 12000x512 " + std::to_string(threads) + " threads";
    auto gelu = make(12000, 512, Activation::kGelu, 0.2);
    gelu->slope = Matrix(12000, 512);
    gelu->chain.drop_first = true;
    gelu->chain.derivative = view(gelu->slope);
    chain_cases("bias drop gelu" + tail, gelu, threads, 12, 12);
    auto residual = make(12000, 512, Activation::kNone, 0.2);
    residual->chain.addend = residual->addend;
    chain_cases("bias drop add" + tail, residual, threads, 12, 8);
    layer_norm_cases(12000, 512, threads);
  }
  auto data = make(600, 64, Activation::kNone, 0);
  Data* p = data.get();
  add_case({"column_sums/600x64",
            [data, p] { kernels::column_sums({1}, p->grad, p->sums.values.data()); },
            [p] { reference::column_sums({1}, p->grad, p->sums2.values.data()); },
            [p] { return difference(p->sums, p->sums2); }, 1e-6, 4.0 * 600 * 64, 600.0 * 64});
});

}  // namespace

}  // namespace cupel::bench
