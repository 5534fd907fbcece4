#include "cupel/learn/graph_kernels/gram.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cupel/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/learn/graph_kernels/gram.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sum[j] += a[0] x[0][j] + a[1] x[1][j] + a[2] x[2][j] + a[3] x[3][j], each product rounded.
void AddFour(const double* a, const double* const* x, double* HWY_RESTRICT sum, std::size_t size) {
  const hn::ScalableTag<double> d;
  const auto a0 = hn::Set(d, a[0]), a1 = hn::Set(d, a[1]), a2 = hn::Set(d, a[2]),
             a3 = hn::Set(d, a[3]);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= size; j += hn::Lanes(d)) {
    auto s = hn::LoadU(d, sum + j);
    s = hn::Add(s, hn::Mul(a0, hn::LoadU(d, x[0] + j)));
    s = hn::Add(s, hn::Mul(a1, hn::LoadU(d, x[1] + j)));
    s = hn::Add(s, hn::Mul(a2, hn::LoadU(d, x[2] + j)));
    s = hn::Add(s, hn::Mul(a3, hn::LoadU(d, x[3] + j)));
    hn::StoreU(s, d, sum + j);
  }
  for (; j < size; ++j) {
    double s = sum[j];
    for (int k = 0; k < 4; ++k) s += a[k] * x[k][j];
    sum[j] = s;
  }
}

}  // namespace cupel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace cupel {

HWY_EXPORT(AddFour);

namespace {

// The histograms by feature: who has it, ascending, and how often. Features that many graphs have
// are columns with an entry for each graph, which vector instructions add up.
class Columns {
 public:
  explicit Columns(const Histograms& h) : h_(h), place_(h.ids.size()) {
    const auto graphs = static_cast<std::size_t>(h.graphs());
    start_.assign(static_cast<std::size_t>(h.features) + 1, 0);
    for (const Index f : h.ids) ++start_[static_cast<std::size_t>(f) + 1];
    dense_of_.assign(static_cast<std::size_t>(h.features), -1);
    Index dense = 0;
    for (std::size_t f = 0; f < dense_of_.size(); ++f) {
      if (static_cast<std::size_t>(start_[f + 1]) * kDenseShare >= graphs) dense_of_[f] = dense++;
      start_[f + 1] += start_[f];
    }
    dense_.resize(static_cast<std::size_t>(dense) * graphs);
    graph_.resize(h.ids.size());
    count_.resize(h.ids.size());
    std::vector<Offset> next(start_.begin(), start_.end() - 1);
    for (Index g = 0; g < h.graphs(); ++g) {
      for (Offset at = h.start[g]; at < h.start[g + 1]; ++at) {
        const auto f = static_cast<std::size_t>(h.ids[at]);
        if (dense_of_[f] >= 0) dense_[dense_of_[f] * graphs + g] = h.counts[at];
        place_[at] = next[f]++;
        graph_[place_[at]] = g;
        count_[place_[at]] = h.counts[at];
      }
    }
  }

  // out[j] = K(i, j) for j >= i; out[0 .. i) is left alone.
  void row(Index i, double* out) const {
    const Index graphs = h_.graphs();
    std::fill(out + i, out + graphs, 0.0);
    const double* columns[4];
    double factors[4];
    int waiting = 0;
    const auto flush = [&] {
      for (int k = waiting; k < 4; ++k) {
        factors[k] = 0;
        columns[k] = columns[0];
      }
      HWY_DYNAMIC_DISPATCH(AddFour)(factors, columns, out + i, graphs - i);
      waiting = 0;
    };
    for (Offset at = h_.start[i]; at < h_.start[i + 1]; ++at) {
      const auto f = static_cast<std::size_t>(h_.ids[at]);
      const double factor = h_.counts[at] * (h_.weights.empty() ? 1.0 : h_.weights[f]);
      if (dense_of_[f] >= 0) {
        factors[waiting] = factor;
        columns[waiting++] = &dense_[dense_of_[f] * static_cast<std::size_t>(graphs) + i];
        if (waiting == 4) flush();
      } else {
        for (Offset p = place_[at]; p < start_[f + 1]; ++p) out[graph_[p]] += factor * count_[p];
      }
    }
    if (waiting > 0) flush();
  }

 private:
  static constexpr std::size_t kDenseShare = 8;  // had by more than an eighth of the graphs

  const Histograms& h_;
  std::vector<Offset> start_, place_;  // of features; of the histograms' entries in their column
  std::vector<Index> graph_;
  std::vector<double> count_;
  std::vector<Index> dense_of_;  // number of the dense column, or -1
  std::vector<double> dense_;
};

// values(j, i) = values(i, j) for j > i, square by square so that both stay in the cache.
void mirror(Gram& gram, Threads threads) {
  constexpr Index kSquare = 64;
  const Index n = gram.graphs;
  parallel_blocks(threads, n, kSquare, [&](std::int64_t begin, std::int64_t end) {
    for (Index from = 0; from < end; from += kSquare)
      for (auto j = static_cast<Index>(begin); j < end; ++j)
        for (Index i = from; i < std::min(from + kSquare, j); ++i) gram.row(j)[i] = gram.row(i)[j];
  });
}

}  // namespace

Gram inner_products(const Histograms& histograms, Threads threads, const RunLimits& limits) {
  const Index n = histograms.graphs();
  Gram gram;
  gram.graphs = n;
  gram.values.resize(static_cast<std::size_t>(n) * n);
  const Columns columns(histograms);
  parallel_blocks(threads, n, 16, [&](std::int64_t begin, std::int64_t end) {
    limits.check();
    for (auto i = static_cast<Index>(begin); i < end; ++i) columns.row(i, gram.row(i));
  });
  mirror(gram, threads);
  return gram;
}

void normalise(Gram& gram) {
  std::vector<double> diagonal;
  for (Index i = 0; i < gram.graphs; ++i) diagonal.push_back(gram(i, i));
  for (Index i = 0; i < gram.graphs; ++i) {
    for (Index j = 0; j < gram.graphs; ++j) {
      const double scale = std::sqrt(diagonal[i] * diagonal[j]);
      gram.row(i)[j] = scale > 0 ? gram(i, j) / scale : 0;
    }
  }
}

std::uint64_t gram_bytes(Index graphs) {
  constexpr std::uint64_t kBytesAPair = 8 + 16;  // the matrix, and LIBSVM's copy of it
  return kBytesAPair * static_cast<std::uint64_t>(graphs) * static_cast<std::uint64_t>(graphs);
}

std::string rough_time(double operations, double rate) {
  constexpr double kDay = 24, kYear = 365 * kDay;
  const double hours = operations / rate / available_processors() / 3600;
  if (hours < 2 * kDay) return fmt::format("{:.0f} hours", std::max(hours, 1.0));
  if (hours < 2 * kYear) return fmt::format("{:.0f} days", hours / kDay);
  return fmt::format("{:.0f} years", hours / kYear);
}

void refuse_large_gram(const std::string& who, Index graphs, std::uint64_t memory) {
  if (memory == 0)
    memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
             static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  const double needed = static_cast<double>(gram_bytes(graphs));
  if (needed > static_cast<double>(memory) / 2)
    fail(
        "{}: the kernel matrix of {} graphs needs {:.1f} GB and half of this machine's memory is "
        "{:.1f} GB; run it on a machine with {:.0f} GB, on fewer graphs, or use a model without a "
        "kernel matrix (gin, size-svm)",
        who, graphs, needed / 1e9, static_cast<double>(memory) / 2e9, std::ceil(2 * needed / 1e9));
}

}  // namespace cupel

#endif
