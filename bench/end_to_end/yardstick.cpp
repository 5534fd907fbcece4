#include "end_to_end/yardstick.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <thread>

#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/pointwise.h"
#include "kernels/core_limits.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Shape {
  Index m, k, n;
};
constexpr Shape kShapes[] = {{11758, 512, 512}, {2048, 2048, 2048}};
constexpr int kRepeats = 4;

}  // namespace

double seconds(Clock clock, Threads threads) {
  if (clock == Clock::kWall) return seconds_of(CLOCK_MONOTONIC);
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID) / threads.count;
}

// oneDNN, where the machine has it: nothing here is linked to it.
struct Yardstick::Library {
  using Gemm = int (*)(char, char, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                       const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
                       float beta, float* c, std::int64_t ldc);
  Gemm gemm;
};

Yardstick::Yardstick(Threads threads, Clock clock) : threads_(threads), clock_(clock) {
  // Read when the library is loaded; its idle threads must not take time from ours.
  setenv("OMP_NUM_THREADS", fmt::format("{}", threads.count).c_str(), 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  for (const char* name : {"libdnnl.so.3", "libdnnl.so.2"}) {
    void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    void* gemm = handle == nullptr ? nullptr : dlsym(handle, "dnnl_sgemm");
    if (gemm == nullptr) continue;
    library_ = new Library{reinterpret_cast<Library::Gemm>(gemm)};
    break;
  }
}

Yardstick::~Yardstick() { delete library_; }

void Yardstick::measure() {
  // Every thread by its own processor time: they need not run at the same moment, but where the
  // cores slow each other down they do.
  std::vector<double> rates(static_cast<std::size_t>(threads_.count));
  {
    std::vector<std::jthread> workers;
    for (double& rate : rates)
      workers.emplace_back([&rate] {
        float out = 0;
        for (int i = 0; i < 12; ++i) {
          const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
          const double made = 2 * bench::multiply_adds(0.999f, &out);
          rate = std::max(rate, 1e-9 * made / (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start));
        }
      });
  }
  multiply_adds_ = std::max(multiply_adds_, std::accumulate(rates.begin(), rates.end(), 0.0));

  for (const auto& [m, k, n] : kShapes) {
    const Matrix a = random_matrix(m, k, 1), b = random_matrix(k, n, 2);
    Matrix out(m, n);
    const auto best = [&](double& record, const std::function<void()>& product) {
      for (int i = 0; i < kRepeats; ++i) {
        const double start = seconds(clock_, threads_);
        product();
        const double time = seconds(clock_, threads_) - start;
        record = std::max(record, 2e-9 * m * k * n / time);
      }
    };
    best(own_, [&] { kernels::matmul(threads_, a, b, view(out)); });
    if (library_ == nullptr) continue;
    best(other_, [&] {
      library_->gemm('N', 'N', m, n, k, 1, a.values.data(), k, b.values.data(), n, 0,
                     out.values.data(), n);
    });
  }
}

double Yardstick::walk(Index numbers) const {
  const Matrix a = random_matrix(1, numbers, 1), b = random_matrix(1, numbers, 2);
  Matrix sum(1, numbers);
  double rate = 0;
  for (int i = 0; i < 10 * kRepeats; ++i) {
    const double start = seconds(clock_, threads_);
    kernels::add(threads_, a, b, view(sum));
    const double middle = seconds(clock_, threads_);
    sum.values[0] += sum_of(a.values.data(), a.values.size());
    rate = std::max({rate, 12e-9 * numbers / (middle - start),
                     4e-9 * numbers * threads_.count / (seconds(clock_, threads_) - middle)});
  }
  return rate;
}

}  // namespace cupel::bench
