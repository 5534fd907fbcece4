#include "cupel/judge/effectiveness/pairs.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>

namespace cupel::effectiveness {
namespace {

constexpr int kResamples = 2000;
constexpr double kAlpha = 0.05;

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

bool has(const std::vector<int>& sorted, int split) {
  return std::binary_search(sorted.begin(), sorted.end(), split);
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
  return EffectivenessPart{gnn->name, baseline->name, one, other,
                           pair_effectiveness(one, other, part.classes)};
}

std::vector<int> splits_of(const std::optional<Part>& structure,
                           const std::optional<Part>& attributes) {
  std::vector<int> out;
  for (const auto* part : {&structure, &attributes}) {
    if (*part) out.insert(out.end(), (*part)->splits.begin(), (*part)->splits.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::optional<Interval> bootstrap(const std::optional<Part>& structure,
                                  const std::optional<Part>& attributes, StreamKey key) {
  constexpr std::uint32_t kPurpose = 0x626F6F74;  // "boot"
  const std::vector<int> splits = splits_of(structure, attributes);
  std::vector<double> found;
  std::vector<int> drawn;
  for (std::uint32_t step = 0; found.size() < kResamples; ++step) {
    Stream stream(key, kPurpose, step);
    drawn.clear();
    for (std::size_t i = 0; i < splits.size(); ++i)
      drawn.push_back(splits[stream.next_below(static_cast<std::uint32_t>(splits.size()))]);
    std::optional<double> parts[2];
    bool empty = false;
    for (const auto& [part, value] : {std::pair{&structure, &parts[0]}, {&attributes, &parts[1]}}) {
      if (!*part) continue;
      std::vector<int> own;
      for (const int split : drawn)
        if (has((*part)->splits, split)) own.push_back(split);
      empty = empty || own.empty();
      if (own.empty()) continue;
      const auto pair = evaluate(**part, own);
      if (!pair) return std::nullopt;
      *value = pair->value.effectiveness;
    }
    if (!empty) found.push_back(*dataset_effectiveness(parts[0], parts[1]));
  }
  std::sort(found.begin(), found.end());
  return Interval{quantile(found, kAlpha / 2), quantile(found, 1 - kAlpha / 2)};
}

}  // namespace cupel::effectiveness
