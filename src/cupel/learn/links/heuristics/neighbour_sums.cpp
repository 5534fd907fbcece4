#include "cupel/learn/links/heuristics/neighbour_sums.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace cupel {
namespace {

constexpr std::int64_t kPairsEach = 4096;
// What decides between ways, and changes nothing but the time. Nodes of a longer row are looked up
// one by one rather than passed one by one; a row is marked if that is little for each pair.
constexpr std::size_t kMuchLonger = 16;
constexpr std::size_t kFewestMarked = 3;

using Row = std::span<const Index>;

// Every node that is in both rows, in ascending order.
template <class Visit>
void visit_common(Row a, Row b, Visit visit) {
  if (a.size() > b.size()) std::swap(a, b);
  const Index *x = a.data(), *y = b.data();
  const Index *const x_end = x + a.size(), *const y_end = y + b.size();
  if (b.size() > kMuchLonger * a.size()) {
    for (; x < x_end && y < y_end; ++x) {
      y = std::lower_bound(y, y_end, *x);
      if (y < y_end && *y == *x) visit(*x);
    }
    return;
  }
  while (x < x_end && y < y_end) {
    const Index i = *x, j = *y;
    if (i == j) visit(i);
    x += i <= j;
    y += j <= i;
  }
}

// The neighbours of one node, a bit each.
class Marks {
 public:
  explicit Marks(Index nodes) : words_((static_cast<std::size_t>(nodes) + 63) / 64) {}
  void set(Row row) {
    for (const Index k : row) words_[k >> 6] |= std::uint64_t{1} << (k & 63);
  }
  void clear(Row row) {
    for (const Index k : row) words_[k >> 6] = 0;
  }
  template <class Visit>
  void visit_common(Row row, Visit visit) const {
    const std::uint64_t* const words = words_.data();
    for (const Index k : row)
      if (words[k >> 6] >> (k & 63) & 1) visit(k);
  }

 private:
  std::vector<std::uint64_t> words_;
};

class NeighbourSums final : public PairScorer {
 public:
  NeighbourSums(const LinkGraph& graph, std::vector<double> weight, FinishSum finish,
                Threads threads)
      : out_(graph.arcs), weight_(std::move(weight)), finish_(finish), threads_(threads) {
    if (graph.directed) transposed_ = transpose(graph.arcs);
  }

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    parallel_blocks(threads_, std::ssize(pairs), kPairsEach,
                    [&](std::int64_t begin, std::int64_t end) {
                      limits.check();
                      const auto from = static_cast<std::size_t>(begin);
                      const auto count = static_cast<std::size_t>(end - begin);
                      score_block(pairs.subspan(from, count), scores.subspan(from, count));
                    });
  }

 private:
  Row of_source(Index i) const { return out_.row_columns(i); }
  const Csr& into() const { return transposed_ ? *transposed_ : out_; }

  void score_block(std::span<const Pair> pairs, std::span<float> scores) const {
    std::optional<Marks> marks;
    for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
      const Index i = pairs[begin].source;
      while (end < pairs.size() && pairs[end].source == i) ++end;
      const Row source = of_source(i);
      const bool mark =
          end - begin >= kFewestMarked && source.size() <= kMuchLonger * (end - begin);
      if (mark) {
        if (!marks) marks.emplace(out_.rows);
        marks->set(source);
      }
      for (std::size_t k = begin; k < end; ++k) {
        const Row target = into().row_columns(pairs[k].target);
        const bool use = mark && target.size() <= kMuchLonger * source.size();
        scores[k] = finish_(sum(source, target, use ? &*marks : nullptr), std::ssize(source),
                            std::ssize(target));
      }
      if (mark) marks->clear(source);
    }
  }

  double sum(Row source, Row target, const Marks* marks) const {
    if (weight_.empty()) {
      Offset count = 0;
      const auto visit = [&](Index) { ++count; };
      marks ? marks->visit_common(target, visit) : visit_common(source, target, visit);
      return static_cast<double>(count);
    }
    double total = 0;
    const auto visit = [&, weight = weight_.data()](Index k) { total += weight[k]; };
    marks ? marks->visit_common(target, visit) : visit_common(source, target, visit);
    return total;
  }

  const Csr& out_;
  std::optional<Csr> transposed_;
  const std::vector<double> weight_;
  const FinishSum finish_;
  const Threads threads_;
};

}  // namespace

std::unique_ptr<PairScorer> neighbour_sum_scorer(const LinkGraph& graph, std::vector<double> weight,
                                                 FinishSum finish, Threads threads) {
  return std::make_unique<NeighbourSums>(graph, std::move(weight), finish, threads);
}

std::vector<double> inverse_of_degrees(const LinkGraph& graph, double (*f)(double)) {
  std::vector<double> out(static_cast<std::size_t>(graph.arcs.rows));
  for (Index i = 0; i < graph.arcs.rows; ++i) out[i] = static_cast<double>(graph.arcs.row_size(i));
  if (graph.directed)
    for (const Index j : graph.arcs.columns) ++out[j];
  for (double& degree : out) degree = degree < 2 ? 0 : 1 / f(degree);
  return out;
}

}  // namespace cupel
