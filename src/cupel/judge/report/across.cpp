#include "cupel/judge/report/across.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/tests.h"

namespace cupel::report {
namespace {

// Fills p_holm of the duels that have a p.
void correct(const std::vector<Duel*>& duels) {
  std::vector<double> p;
  for (const Duel* duel : duels)
    if (duel->p) p.push_back(*duel->p);
  const std::vector<double> corrected = holm(p);
  std::size_t next = 0;
  for (Duel* duel : duels)
    if (duel->p) duel->p_holm = corrected[next++];
}

Duel duel_of(const std::vector<double>& a, const std::vector<double>& b) {
  Duel duel;
  for (const double difference : grained_differences(a, b)) {
    duel.wins += difference > 0;
    duel.ties += difference == 0;
    duel.losses += difference < 0;
  }
  if (a.size() >= 2) duel.p = wilcoxon(a, b).p;
  return duel;
}

// The first column of each data set: other metrics of the same runs are no data sets more.
std::vector<std::size_t> one_column_each(const ReportTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool known = std::any_of(columns.begin(), columns.end(), [&](std::size_t other) {
      return table.columns[other].dataset == table.columns[c].dataset;
    });
    if (!known) columns.push_back(c);
  }
  return columns;
}

// Means times the direction of the metric, so that larger is better.
using Row = std::vector<std::optional<double>>;
std::vector<Row> rows_of(const ReportTable& table) {
  const std::vector<std::size_t> columns = one_column_each(table);
  std::vector<Row> rows;
  for (std::size_t r = 0; r < table.models.size(); ++r) {
    Row row;
    for (const std::size_t c : columns) {
      const double sign = scale_of(table.columns[c].measure).larger_is_better ? 1 : -1;
      const std::optional<double>& mean = table.cell(r, c).mean;
      row.push_back(mean ? std::optional(sign * *mean) : std::nullopt);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Rows that have a mean, by their mean rank among those that have one on the same data set.
std::vector<std::size_t> by_mean_rank(const std::vector<Row>& rows, std::size_t datasets) {
  std::vector<double> sum(rows.size()), count(rows.size());
  for (std::size_t d = 0; d < datasets; ++d) {
    std::vector<std::size_t> present;
    std::vector<double> means;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!rows[r][d]) continue;
      present.push_back(r);
      means.push_back(*rows[r][d]);
    }
    const std::vector<double> ranks = ranks_from_best(means);
    for (std::size_t i = 0; i < present.size(); ++i) {
      sum[present[i]] += ranks[i];
      ++count[present[i]];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (count[r] > 0) order.push_back(r);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sum[a] * count[b] < sum[b] * count[a];
  });
  return order;
}

// Of rows with scores in a column: their means over the splits that all of them have, larger being
// better. Empty if there are none.
std::vector<double> common_means(const TableResults& source, const ReportTable& table,
                                 std::size_t column, const std::vector<std::size_t>& rows) {
  const Column& at = table.columns[column];
  const double sign = scale_of(at.measure).larger_is_better ? 1 : -1;
  std::vector<std::map<int, double>> by_split;
  for (const std::size_t r : rows)
    by_split.push_back(split_means(scores_of(*find_cell(source, at, table.models[r]))));
  const std::set<int> common = common_splits(by_split);
  std::vector<double> out;
  if (common.empty()) return out;
  for (const std::map<int, double>& row : by_split) {
    std::vector<double> means;
    for (const int split : common) means.push_back(row.at(split));
    out.push_back(sign * mean_of(means));
  }
  return out;
}

// `sign` is -1 where rows are negated metrics whose own differences are wanted.
AcrossPair pair_of(const Row& a, const Row& b, double sign) {
  AcrossPair pair;
  std::vector<double> x, y, differences;
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (!a[d] || !b[d]) continue;
    x.push_back(*a[d]);
    y.push_back(*b[d]);
    differences.push_back(sign * (*a[d] - *b[d]));
  }
  if (!differences.empty()) pair.difference = mean_of(differences);
  pair.duel = duel_of(x, y);
  return pair;
}

}  // namespace

std::vector<Duel> duels_on_splits(const TableResults& table, const Comparison& comparison) {
  const double sign = scale_of(comparison.column.measure).larger_is_better ? 1 : -1;
  std::vector<std::map<int, double>> means;
  for (const std::string& model : comparison.models)
    means.push_back(split_means(scores_of(*find_cell(table, comparison.column, model))));
  std::vector<Duel> duels;
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (std::size_t j = i + 1; j < means.size(); ++j) {
      std::vector<double> a, b;
      for (const auto& [split, mean] : means[i]) {
        const auto other = means[j].find(split);
        if (other == means[j].end()) continue;
        a.push_back(sign * mean);
        b.push_back(sign * other->second);
      }
      duels.push_back(duel_of(a, b));
    }
  }
  std::vector<Duel*> all;
  for (Duel& duel : duels) all.push_back(&duel);
  correct(all);
  return duels;
}

std::optional<Across> across_datasets(const ReportTable& table) {
  const std::vector<Row> rows = rows_of(table);
  const std::size_t datasets = rows.empty() ? 0 : rows.front().size();
  const std::vector<std::size_t> order = by_mean_rank(rows, datasets);
  Across out;
  for (std::size_t d = 0; d < datasets; ++d)
    out.datasets +=
        std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row[d].has_value(); });
  if (out.datasets < 2 || order.size() < 2) return std::nullopt;
  for (const std::size_t r : order) out.models.push_back(table.models[r]);
  out.larger_is_better = std::ranges::any_of(one_column_each(table), [&](std::size_t c) {
    return scale_of(table.columns[c].measure).larger_is_better;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      out.pairs.push_back(pair_of(rows[order[i]], rows[order[j]], out.larger_is_better ? 1 : -1));
      out.pairs.back().a = i;
      out.pairs.back().b = j;
    }
  }
  std::vector<Duel*> all;
  for (AcrossPair& pair : out.pairs) all.push_back(&pair.duel);
  correct(all);
  return out;
}

std::optional<RankDiagram> rank_diagram(const ReportTable& table, const TableResults& source) {
  const std::vector<Row> rows = rows_of(table);
  const std::size_t datasets = rows.empty() ? 0 : rows.front().size();
  std::vector<std::size_t> used;
  for (std::size_t d = 0; d < datasets; ++d) {
    if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row[d].has_value(); }))
      used.push_back(d);
  }
  std::vector<std::size_t> complete;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (std::all_of(used.begin(), used.end(),
                    [&](std::size_t d) { return rows[r][d].has_value(); }))
      complete.push_back(r);
  }
  if (used.size() < 2 || complete.size() < 3) return std::nullopt;
  const std::vector<std::size_t> columns = one_column_each(table);
  std::vector<std::vector<double>> blocks;
  for (const std::size_t d : used) {
    const std::vector<double> means = common_means(source, table, columns[d], complete);
    if (!means.empty()) blocks.push_back(means);
  }
  if (blocks.size() < 2) return std::nullopt;
  RankDiagram out;
  out.test = field_test(blocks);
  const std::vector<double>& mean_ranks = out.test.friedman.mean_ranks;
  std::vector<std::size_t> order(complete.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mean_ranks[a] < mean_ranks[b]; });
  for (const std::size_t i : order) {
    out.models.push_back(table.models[complete[i]]);
    out.ranks.push_back(mean_ranks[i]);
  }
  std::size_t reached = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < order.size() &&
           out.ranks[last + 1] - out.ranks[i] <= out.test.critical_difference)
      ++last;
    if (last > i && (out.groups.empty() || last > reached)) {
      out.groups.emplace_back(i, last);
      reached = last;
    }
  }
  return out;
}

std::vector<bool> pareto(const std::vector<CostPoint>& points, bool larger_is_better) {
  std::vector<bool> out;
  const double sign = larger_is_better ? 1 : -1;
  for (const CostPoint& mine : points) {
    bool beaten = !mine.cost || !mine.score;
    for (std::size_t i = 0; i < points.size() && !beaten; ++i) {
      const CostPoint& other = points[i];
      if (!other.cost || !other.score) continue;
      const double better = sign * (*other.score - *mine.score), cheaper = *mine.cost - *other.cost;
      beaten = better >= 0 && cheaper >= 0 && (better > 0 || cheaper > 0);
    }
    out.push_back(!beaten);
  }
  return out;
}

}  // namespace cupel::report
