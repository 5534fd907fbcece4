#include "cupel/judge/stats/tests.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "cupel/judge/stats/descriptive.h"

namespace cupel {
namespace {

constexpr int kGrain = -40;  // binary places of the largest value that tell two apart

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

// Two-sided p of a signed-rank sum, from the exact distribution over all sign patterns.
// Ranks are doubled so that halves from ties are whole.
double exact_signed_rank_p(const std::vector<double>& ranks, double statistic) {
  std::vector<int> doubled;
  for (const double rank : ranks) doubled.push_back(static_cast<int>(std::lround(2 * rank)));
  const int total = std::accumulate(doubled.begin(), doubled.end(), 0);
  std::vector<double> probability(static_cast<std::size_t>(total) + 1, 0.0);
  probability[0] = 1;
  int reached = 0;
  for (const int rank : doubled) {
    reached += rank;
    for (int sum = reached; sum >= 0; --sum) {
      const double with = sum >= rank ? probability[static_cast<std::size_t>(sum - rank)] : 0.0;
      auto& entry = probability[static_cast<std::size_t>(sum)];
      entry = 0.5 * (entry + with);
    }
  }
  const int observed = static_cast<int>(std::lround(2 * statistic));
  const int tail = std::min(observed, total - observed);
  double p = 0;
  for (int sum = 0; sum <= tail; ++sum) p += probability[static_cast<std::size_t>(sum)];
  return std::min(1.0, 2 * p);
}

// P(range of k standard normals <= q), by Simpson's rule over the position of the largest.
double range_cdf(double q, int k) {
  const boost::math::normal normal;
  const auto density = [&](double z) {
    const double inside = boost::math::cdf(normal, z) - boost::math::cdf(normal, z - q);
    return boost::math::pdf(normal, z) * std::pow(inside, k - 1);
  };
  constexpr int kSteps = 400;
  constexpr double kFrom = -8, kTo = 8, kStep = (kTo - kFrom) / kSteps;
  double sum = density(kFrom) + density(kTo);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 ? 4 : 2) * density(kFrom + i * kStep);
  return k * sum * kStep / 3;
}

// The ranks of one block, doubled so that halves from ties are whole, and less their mean; or sums
// of such ranks over blocks. By treatment, unless sorted.
using CentredRanks = std::vector<int>;

// In how many orders the ranks of one block can stand.
double orders_of(const CentredRanks& sorted) {
  double orders = 1;
  for (std::size_t i = 0, same = 0; i < sorted.size(); ++i) {
    same = i > 0 && sorted[i] == sorted[i - 1] ? same + 1 : 1;
    orders *= static_cast<double>(i + 1) / static_cast<double>(same);
  }
  return std::round(orders);
}

std::int64_t squares_of(const CentredRanks& sums) {
  std::int64_t squares = 0;
  for (const int sum : sums) squares += std::int64_t{sum} * sum;
  return squares;
}

// P(sum of squared rank sums >= that observed) where every order of the ranks within each block is
// as likely as any other; absent where counting takes too long. Which treatment has which sum does
// not matter to the rest of the blocks, so sums are kept sorted, and the first block need not move.
std::optional<double> exact_friedman_p(std::vector<CentredRanks> blocks, std::int64_t observed) {
  constexpr double kMostSums = 500'000;
  for (CentredRanks& block : blocks) std::sort(block.begin(), block.end());
  // The widest blocks meet the fewest sums.
  std::sort(blocks.begin(), blocks.end(), [](const CentredRanks& a, const CentredRanks& b) {
    return std::pair(orders_of(b), b) < std::pair(orders_of(a), a);
  });
  std::map<CentredRanks, double> chances = {{blocks.front(), 1.0}};
  double made = 0;
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    const double orders = orders_of(blocks[b]);
    made += orders * static_cast<double>(chances.size());
    if (made > kMostSums) return std::nullopt;
    std::map<CentredRanks, double> next;
    for (const auto& [sums, chance] : chances) {
      CentredRanks order = blocks[b];
      do {
        CentredRanks with = sums;
        for (std::size_t j = 0; j < with.size(); ++j) with[j] += order[j];
        std::sort(with.begin(), with.end());
        next[std::move(with)] += chance / orders;
      } while (std::next_permutation(order.begin(), order.end()));
    }
    chances = std::move(next);
  }
  double p = 0;
  for (const auto& [sums, chance] : chances)
    if (squares_of(sums) >= observed) p += chance;
  return std::min(p, 1.0);
}

// The chance of the observed ranks but for the names of the treatments, which no p-value is below:
// at full agreement that of full agreement.
double least_friedman_p(const std::vector<CentredRanks>& blocks) {
  std::vector<CentredRanks> columns(blocks.front().size());
  double log_chance = std::lgamma(static_cast<double>(columns.size()) + 1);
  for (CentredRanks block : blocks) {
    for (std::size_t j = 0; j < block.size(); ++j) columns[j].push_back(block[j]);
    std::sort(block.begin(), block.end());
    log_chance -= std::log(orders_of(block));
  }
  std::sort(columns.begin(), columns.end());
  for (std::size_t j = 1, same = 1; j < columns.size(); ++j) {
    same = columns[j] == columns[j - 1] ? same + 1 : 1;
    log_chance -= std::log(static_cast<double>(same));
  }
  return std::max(std::exp(log_chance), std::numeric_limits<double>::min());
}

}  // namespace

double student_p(double t, double df) {
  assert(df > 0);
  if (std::isinf(t)) return 0;
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(df), std::abs(t)));
}

double student_critical(double alpha, double df) {
  assert(df > 0 && alpha > 0 && alpha < 1);
  return boost::math::quantile(boost::math::complement(boost::math::students_t(df), alpha / 2));
}

double Difference::margin(double alpha) const {
  return standard_error == 0 ? 0 : standard_error * student_critical(alpha, df);
}

Difference welch(double difference, std::span<const ErrorPart> errors) {
  Difference result{.value = difference};
  double variance = 0, spread_of_variance = 0;
  for (const ErrorPart& part : errors) {
    if (part.variance == 0) continue;
    variance += part.variance;
    spread_of_variance += part.variance * part.variance / part.df;  // 0 for infinite df
  }
  if (variance == 0) {
    result.p = difference == 0 ? 1 : 0;
    return result;
  }
  result.standard_error = std::sqrt(variance);
  result.df = spread_of_variance == 0 ? INFINITY : variance * variance / spread_of_variance;
  result.p = student_p(difference / result.standard_error, result.df);
  return result;
}

Difference paired_t(std::span<const double> a, std::span<const double> b) {
  assert(a.size() >= 2);
  const Estimate mean = estimate(differences(a, b));
  const ErrorPart error{*mean.standard_error * *mean.standard_error, mean.df};
  return welch(mean.mean, {&error, 1});
}

bool is_tie(double a, double b) {
  return a == b || std::abs(a - b) < std::ldexp(std::max(std::abs(a), std::abs(b)), kGrain);
}

std::vector<double> grained_differences(std::span<const double> a, std::span<const double> b) {
  std::vector<double> out = differences(a, b);
  double largest = 0;
  for (const auto side : {a, b})
    for (const double x : side) largest = std::max(largest, std::abs(x));
  const double grain = std::ldexp(largest, kGrain);
  if (!(grain > 0)) return out;
  for (double& x : out) x = std::round(x / grain);
  return out;
}

SignedRank wilcoxon(std::span<const double> a, std::span<const double> b) {
  std::vector<double> d = grained_differences(a, b);
  std::erase(d, 0.0);
  SignedRank result{.n = static_cast<int>(d.size())};
  if (d.empty()) return result;
  std::vector<double> sizes;
  for (const double x : d) sizes.push_back(-std::abs(x));  // smallest difference: rank 1
  const std::vector<double> ranks = ranks_from_best(sizes);
  double squares = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (d[i] > 0) result.statistic += ranks[i];
    squares += ranks[i] * ranks[i];
  }
  if (result.n <= 50) {
    result.p = exact_signed_rank_p(ranks, result.statistic);
    return result;
  }
  // Each rank enters with probability 1/2: variance sum r^2 / 4, ties included.
  const double center = 0.25 * result.n * (result.n + 1.0);
  result.p = student_p((result.statistic - center) / std::sqrt(squares / 4), INFINITY);
  return result;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double scaled = p[order[i]] * static_cast<double>(p.size() - i);
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

Friedman friedman(const std::vector<std::vector<double>>& values) {
  assert(!values.empty() && values.front().size() >= 2);
  const std::size_t blocks = values.size(), treatments = values.front().size();
  const double n = static_cast<double>(blocks), k = static_cast<double>(treatments);
  std::vector<CentredRanks> centred;
  CentredRanks sums(treatments, 0);
  std::int64_t squares = 0;
  for (const auto& block : values) {
    const std::vector<double> ranks = ranks_from_best(block);
    CentredRanks& row = centred.emplace_back();
    for (std::size_t j = 0; j < treatments; ++j) {
      row.push_back(static_cast<int>(std::lround(2 * ranks[j] - (k + 1))));
      sums[j] += row.back();
    }
    squares += squares_of(row);
  }
  Friedman result;
  result.df = k - 1;
  for (const int sum : sums) result.mean_ranks.push_back((sum / n + k + 1) / 2);
  if (squares == 0) return result;
  const std::int64_t between = squares_of(sums);
  // The variance of the ranks within blocks, which ties make smaller.
  result.chi_squared = result.df * static_cast<double>(between) / static_cast<double>(squares);
  result.alike = std::all_of(centred.begin(), centred.end(),
                             [&](const CentredRanks& row) { return row == centred.front(); });
  const double room = n * result.df - result.chi_squared;
  result.f =
      result.alike ? std::numeric_limits<double>::max() : (n - 1) * result.chi_squared / room;
  if (const auto counted = exact_friedman_p(centred, between)) {
    result.p = *counted;
    return result;
  }
  result.p = least_friedman_p(centred);
  result.p_is = FriedmanP::kChanceOfRanks;
  if (result.alike) return result;
  const boost::math::fisher_f distribution(result.df, result.df * (n - 1));
  const double of_f = boost::math::cdf(boost::math::complement(distribution, result.f));
  if (of_f < result.p) return result;
  result.p = of_f;
  result.p_is = FriedmanP::kF;
  return result;
}

double nemenyi_difference(int k, int n, double alpha) {
  assert(k >= 2 && n >= 1);
  double low = 0, high = 20;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (range_cdf(middle, k) < 1 - alpha ? low : high) = middle;
  }
  return high / std::sqrt(2.0) * std::sqrt(k * (k + 1) / (6.0 * n));
}

std::vector<double> ranks_from_best(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && is_tie(values[order[last + 1]], values[order[last]])) ++last;
    for (std::size_t i = first; i <= last; ++i) {
      ranks[order[i]] = 1 + 0.5 * static_cast<double>(first + last);
    }
    first = last + 1;
  }
  return ranks;
}

double kendall(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  const auto sign = [](double x) { return (x > 0) - (x < 0); };
  double concordant = 0, untied_a = 0, untied_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int x = sign(a[i] - a[j]), y = sign(b[i] - b[j]);
      concordant += x * y;
      untied_a += x * x;
      untied_b += y * y;
    }
  }
  return untied_a > 0 && untied_b > 0 ? concordant / std::sqrt(untied_a * untied_b) : 0;
}

}  // namespace cupel
