#include "cupel/engine/kernels/batch_norm.h"

#include <cmath>
#include <memory>
#include <string>

#include "engine/kernels/reference/batch_norm.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

struct Norm {
  Norm(Index rows, Index cols)
      : in(random_matrix(rows, cols, 3)),
        grad(random_matrix(rows, cols, 4)),
        gain(random_matrix(1, cols, 5)),
        shift(random_matrix(1, cols, 6)),
        out(rows, cols),
        back(rows, cols),
        partial(kernels::batch_norm_blocks(rows), 2 * cols),
        coefficients(2, cols),
        mean(1, cols),
        inverse(1, cols),
        scale(1, cols),
        grad_gain(1, cols),
        grad_shift(1, cols),
        expected(rows, cols),
        expected_back(rows, cols),
        expected_gain(1, cols),
        expected_shift(1, cols),
        exact_mean(static_cast<std::size_t>(cols)),
        variance(static_cast<std::size_t>(cols)),
        sizes(static_cast<std::size_t>(kernels::batch_norm_blocks(rows))) {}

  void forward(int threads) {
    rows = kernels::column_moments({threads}, in, nullptr, partial.values.data(), sizes.data(),
                                   exact_mean.data(), variance.data());
    for (std::size_t j = 0; j < exact_mean.size(); ++j) {
      mean.values[j] = static_cast<float>(exact_mean[j]);
      inverse.values[j] =
          static_cast<float>(1 / std::sqrt(variance[j] + kernels::kBatchNormEpsilon));
      scale.values[j] = gain.values[j] * inverse.values[j];
    }
    kernels::scale_columns({threads}, scaling(), in, view(out));
  }
  void backward(int threads) {
    kernels::batch_norm_backward({threads}, scaling(), inverse.values.data(), in, nullptr, rows,
                                 grad, view(back), partial.values.data(),
                                 coefficients.values.data(), grad_gain.values.data(),
                                 grad_shift.values.data());
  }
  void oracle() {
    reference::batch_norm(in, gain.values.data(), shift.values.data(), true, view(expected), grad,
                          view(expected_back), expected_gain.values.data(),
                          expected_shift.values.data());
  }

  Matrix in, grad, gain, shift, out, back, partial, coefficients, mean, inverse, scale, grad_gain,
      grad_shift, expected, expected_back, expected_gain, expected_shift;
  std::vector<double> exact_mean, variance, sizes;
  double rows = 0;

 private:
  kernels::ColumnScaling scaling() const {
    return {mean.values.data(), scale.values.data(), shift.values.data(), true};
  }
};

// A batch of 128 graphs of ENZYMES or PROTEINS. Bytes: the input twice and the output; the input
// and the gradient twice, and what is written.
const Cases kBatchNorm([] {
  constexpr Index kRows = 3800, kCols = 64;
  auto data = std::make_shared<Norm>(kRows, kCols);
  Norm* p = data.get();
  const std::string name = std::to_string(kRows) + "x" + std::to_string(kCols);
  const double cells = static_cast<double>(kRows) * kCols;
  add_case({"batch_norm/" + name, [data, p] { p->forward(1); }, [p] { p->oracle(); },
            [p] { return difference(p->out, p->expected); }, 1e-4, cells * 12, 0});
  add_case({"batch_norm_backward/" + name, [data, p] { p->backward(1); }, [p] { p->oracle(); },
            [p] { return difference(p->back, p->expected_back); }, 1e-4, cells * 20, 0});
});

}  // namespace

}  // namespace cupel::bench
