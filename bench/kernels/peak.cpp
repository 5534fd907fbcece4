#include <memory>

#include "kernels/case.h"
#include "kernels/core_limits.h"

namespace cupel::bench {

namespace {

const Cases kPeak([] {
  auto out = std::make_shared<float>();
  const auto run = [out] { return multiply_adds(0.999f, out.get()); };
  const double flops = 2 * run();
  // Every chain converges to 1e-4 / (1 - 0.999).
  add_case({"peak/multiply-adds of one core", [run] { run(); }, [] {},
            [out] { return *out / 1.2 - 1; }, 1e-3, 0, flops});
});

}  // namespace

}  // namespace cupel::bench
