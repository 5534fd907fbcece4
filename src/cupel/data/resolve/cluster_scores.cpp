#include "cupel/data/resolve/cluster_scores.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cupel {
namespace {

using Cells = std::vector<std::pair<Index, Index>>;  // a mention's two groups

std::int64_t pairs_of(std::int64_t n) { return n * (n - 1) / 2; }

// Calls body(from, to) for each run of equal ones.
template <class Key, class Body>
void for_each_run(const Cells& cells, const Key& key, const Body& body) {
  for (std::size_t from = 0, to = 0; from < cells.size(); from = to) {
    while (to < cells.size() && key(cells[to]) == key(cells[from])) ++to;
    body(from, to);
  }
}

// Cells are sorted, so that groups of the first kind stand together, and cells within them.
struct OneSide {
  std::int64_t groups = 0, pairs = 0, pairs_of_cells = 0;
  // Over cells of their size squared, of all groups of a size: whole numbers, whose sums do not
  // depend on how groups are numbered.
  std::map<std::int64_t, std::int64_t> squares;

  // Over cells of their size squared by the size of the group.
  [[nodiscard]] double sum() const {
    double out = 0;
    for (const auto& [size, of_size] : squares)
      out += static_cast<double>(of_size) / static_cast<double>(size);
    return out;
  }
};

OneSide one_side(const Cells& cells) {
  OneSide out;
  std::vector<std::int64_t> sizes;
  for_each_run(
      cells, [](const auto& cell) { return cell; },
      [&](std::size_t from, std::size_t to) {
        out.pairs_of_cells += pairs_of(static_cast<std::int64_t>(to - from));
        sizes.push_back(static_cast<std::int64_t>(to - from));
      });
  std::size_t cell = 0;
  for_each_run(
      cells, [](const auto& c) { return c.first; },
      [&](std::size_t from, std::size_t to) {
        const auto size = static_cast<std::int64_t>(to - from);
        ++out.groups;
        out.pairs += pairs_of(size);
        std::int64_t& squares = out.squares[size];
        for (std::int64_t left = size; left > 0; left -= sizes[cell++])
          squares += sizes[cell] * sizes[cell];
      });
  return out;
}

std::optional<double> share(double part, double whole) {
  if (whole == 0) return {};
  return part / whole;
}

void set_f1(Agreement& out) {
  if (!out.precision || !out.recall) return;
  const double sum = *out.precision + *out.recall;
  out.f1 = sum == 0 ? 0 : 2 * *out.precision * *out.recall / sum;
}

}  // namespace

ClusterScores cluster_scores(std::span<const Index> truth, std::span<const Index> found) {
  if (truth.size() != found.size()) throw std::logic_error("each mention has two groups");
  Cells cells;
  for (std::size_t k = 0; k < truth.size(); ++k)
    if (truth[k] >= 0) cells.emplace_back(truth[k], found[k]);
  std::sort(cells.begin(), cells.end());
  const OneSide of_truth = one_side(cells);
  for (auto& [a, b] : cells) std::swap(a, b);
  std::sort(cells.begin(), cells.end());
  const OneSide of_found = one_side(cells);
  ClusterScores out;
  out.mentions = std::ssize(cells);
  out.true_groups = of_truth.groups, out.found_groups = of_found.groups;
  const auto both = static_cast<double>(of_truth.pairs_of_cells);
  out.pairwise.precision = share(both, static_cast<double>(of_found.pairs));
  out.pairwise.recall = share(both, static_cast<double>(of_truth.pairs));
  const auto mentions = static_cast<double>(out.mentions);
  out.b_cubed.precision = share(of_found.sum(), mentions);
  out.b_cubed.recall = share(of_truth.sum(), mentions);
  set_f1(out.pairwise);
  set_f1(out.b_cubed);
  return out;
}

}  // namespace cupel
