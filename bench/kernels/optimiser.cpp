#include "cupel/engine/kernels/optimiser.h"

#include <fmt/format.h>

#include <memory>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

constexpr Index kParameters = 1433 * 64 + 64 + 64 * 7 + 7;

const Cases kOptimiser([] {
  struct Data {
    Matrix g = random_matrix(1, kParameters, 1), w = random_matrix(1, kParameters, 2);
    Matrix m = Matrix(1, kParameters), v = Matrix(1, kParameters);
    Matrix w2 = w, m2 = m, v2 = v;
    kernels::AdamStep step{.rate = 0.01f, .l2 = 1e-3f};
    double sum = 0, sum2 = 0;
  };
  auto data = std::make_shared<Data>();
  Data* p = data.get();
  add_case({"adam/GCN on Cora",
            [data, p] {
              p->sum = kernels::adam({1}, p->step, kParameters, p->g.values.data(),
                                     p->w.values.data(), p->m.values.data(), p->v.values.data());
            },
            [p] {
              p->sum2 =
                  reference::adam(p->step, kParameters, p->g.values.data(), p->w2.values.data(),
                                  p->m2.values.data(), p->v2.values.data());
            },
            [p] {
              return std::max({difference(p->w, p->w2), difference(p->m, p->m2),
                               difference(p->v, p->v2), std::fabs(p->sum / p->sum2 - 1)});
            },
            1e-6, 7.0 * 4 * kParameters, 14.0 * kParameters});
  add_case({"sum_of_squares/GCN on Cora",
            [data, p] { p->sum = kernels::sum_of_squares({1}, kParameters, p->w.values.data()); },
            [p] { p->sum2 = reference::sum_of_squares(kParameters, p->w.values.data()); },
            [p] { return std::fabs(p->sum / p->sum2 - 1); }, 1e-6, 4.0 * kParameters,
            2.0 * kParameters});
  for (const int threads : {1, 2}) {
    constexpr Index kLarge = 9'000'000;
    struct Large {
      Matrix g = random_matrix(1, kLarge, 1), w = random_matrix(1, kLarge, 2);
      Matrix m = Matrix(1, kLarge), v = Matrix(1, kLarge);
      double sum = 0, sum2 = 0;
    };
    auto large = std::make_shared<Large>();
    Large* q = large.get();
    add_case({fmt::format("adam/9 M parameters threads={}", threads),
              [large, q, threads] {
                q->sum = kernels::adam({threads}, {.rate = 0.01f}, kLarge, q->g.values.data(),
                                       q->w.values.data(), q->m.values.data(), q->v.values.data());
              },
              [q] { q->sum2 = reference::sum_of_squares(kLarge, q->w.values.data()); },
              [q] {
                q->sum2 = reference::sum_of_squares(kLarge, q->w.values.data());
                return std::fabs(q->sum / q->sum2 - 1);
              },
              1e-6, 7.0 * 4 * kLarge, 14.0 * kLarge});
  }
});

}  // namespace

}  // namespace cupel::bench
