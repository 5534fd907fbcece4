#include "cupel/judge/effectiveness/pairs.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "cupel/base/sort_unique.h"

namespace cupel::effectiveness {
namespace {

// Mean over the runs on these splits.
double mean_on(const Row& row, std::span<const int> splits) {
  double sum = 0;
  std::size_t runs = 0;
  for (const int split : splits) {
    const std::vector<double>& scores = row.scores.at(split);
    for (const double score : scores) sum += score;
    runs += scores.size();
  }
  return sum / static_cast<double>(runs);
}

// The first of equals.
std::pair<const Row*, double> best_on(const std::vector<Row>& rows, std::span<const int> splits) {
  std::pair<const Row*, double> best{nullptr, 0};
  for (const Row& row : rows) {
    const double score = mean_on(row, splits);
    if (best.first == nullptr || score > best.second) best = {&row, score};
  }
  return best;
}

}  // namespace

Part make_part(std::vector<Row> gnn, std::vector<Row> baseline, int classes) {
  assert(!gnn.empty() && !baseline.empty());
  Part part{std::move(gnn), std::move(baseline), {}, classes};
  for (const auto& [split, scores] : part.gnn.front().scores) {
    const auto covers = [split = split](const Row& row) { return row.scores.contains(split); };
    if (std::all_of(part.gnn.begin(), part.gnn.end(), covers) &&
        std::all_of(part.baseline.begin(), part.baseline.end(), covers))
      part.splits.push_back(split);
  }
  return part;
}

std::optional<EffectivenessPart> evaluate(const Part& part, std::span<const int> splits) {
  const auto [gnn, gnn_score] = best_on(part.gnn, splits);
  const auto [baseline, baseline_score] = best_on(part.baseline, splits);
  if (gnn_score <= 0 || baseline_score <= 0) return std::nullopt;
  // A mean of ones may be a rounding error above one.
  const double one = std::min(gnn_score, 1.0), other = std::min(baseline_score, 1.0);
  EffectivenessPart out{gnn->name, baseline->name, one, other,
                        pair_effectiveness(one, other, part.classes)};
  for (const Row& row : part.gnn)
    out.gaps.emplace_back(row.name, std::min(mean_on(row, splits), 1.0) - other);
  return out;
}

std::vector<int> splits_of(const std::optional<Part>& structure,
                           const std::optional<Part>& attributes) {
  std::vector<int> out;
  for (const auto* part : {&structure, &attributes}) {
    if (*part) out.insert(out.end(), (*part)->splits.begin(), (*part)->splits.end());
  }
  sort_unique(out);
  return out;
}

}  // namespace cupel::effectiveness
