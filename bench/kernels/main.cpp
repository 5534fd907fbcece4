// Kernels at the shapes of GCN on Cora (largest component, hidden 64), with only the demanded rows:
// training touches 140 / 600 / 1628 rows of output / hidden / input, validation 210 / 791 / 1840.
//
// Columns: GB/s and GFLOP/s of the kernel, and how many times its slow oracle takes as long. Quote
// ratios: absolute times are those of one machine on one day. CUPEL_BENCH_TARGET=AVX2 measures the
// kernels as a machine without AVX-512 runs them.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// clang-format off
#include "cupel/base/vector_targets.h"
#include "hwy/highway.h"
// clang-format on
#include "kernels/case.h"

namespace cupel::bench {

namespace {

std::vector<void (*)()>& adders() {
  static std::vector<void (*)()> list;
  return list;
}

double seconds(const std::function<void()>& body) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

// Seconds of the oracle, once the kernel's values have been held against its own.
double checked_oracle(const Case& item) {
  item.oracle();
  item.kernel();
  const double difference = item.difference();
  if (!(difference <= item.tolerance)) {
    std::fprintf(stderr, "%s: differs from its oracle by %g, allowed %g\n", item.name.c_str(),
                 difference, item.tolerance);
    std::exit(1);
  }
  return seconds(item.oracle);
}

}  // namespace

Cases::Cases(void (*add)()) { adders().push_back(add); }

void add_case(Case item) {
  // The oracle is slow: it runs where the filter lets its case through, and once for all
  // repetitions.
  auto oracle = std::make_shared<std::optional<double>>();
  auto* registered =
      benchmark::RegisterBenchmark(item.name.c_str(), [item, oracle](benchmark::State& state) {
        if (!*oracle) *oracle = checked_oracle(item);
        for (auto _ : state) {
          item.kernel();
          benchmark::ClobberMemory();
        }
        using benchmark::Counter;
        const auto rate = [](double value) {
          return Counter(value, Counter::kIsIterationInvariantRate);
        };
        if (item.bytes > 0) state.counters["GB/s"] = rate(item.bytes * 1e-9);
        if (item.flops > 0) state.counters["GFLOP/s"] = rate(item.flops * 1e-9);
        state.counters["oracle/kernel"] = rate(**oracle);
      });
  registered->Unit(benchmark::kMicrosecond);
  registered->ComputeStatistics(
      "min", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); });
}

}  // namespace cupel::bench

int main(int argc, char** argv) {
#ifndef __OPTIMIZE__
  std::fprintf(stderr, "WARNING: built without optimisation; the times below mean nothing.\n");
#endif
  // AVX2 on a machine with AVX-512: what most laptops would see.
  std::int64_t target = 0;
  for (const std::int64_t known : {HWY_AVX3, HWY_AVX2, HWY_NEON, HWY_STATIC_TARGET}) {
    const char* wanted = std::getenv("CUPEL_BENCH_TARGET");
    const bool there = (hwy::SupportedTargets() & known) != 0 || known == HWY_STATIC_TARGET;
    if (target == 0 && there &&
        (wanted == nullptr || std::string(wanted) == hwy::TargetName(known))) {
      target = known;
    }
  }
  if (target == 0) {
    std::fprintf(stderr, "CUPEL_BENCH_TARGET names no instruction set of this machine\n");
    return 2;
  }
  hwy::SetSupportedTargetsForTest(target);
  std::fprintf(stderr, "target %s, %ld processors\n", hwy::TargetName(target),
               sysconf(_SC_NPROCESSORS_ONLN));
  for (const auto add : cupel::bench::adders()) add();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
