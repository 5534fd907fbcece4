// The recurrency baseline as its formulas read: every score from all facts, one after another.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "cupel/learn/events/recurrency.h"
#include "data/facts/made.h"

namespace cupel::made {

struct RecurrencyOracle {
  const MadeFacts& facts;
  Index entities;
  std::vector<std::uint8_t> undirected;
  std::int64_t window, unit;

  // (given, object) of fact i if it says something of the relation in this direction.
  void says(std::size_t i, Index relation, bool inverse,
            const std::function<void(Index, Index)>& take) const {
    if (facts.relation[i] != relation) return;
    const bool both = !undirected.empty() && undirected[static_cast<std::size_t>(relation)] != 0;
    if (both || !inverse) take(facts.source[i], facts.target[i]);
    if (both ? facts.source[i] != facts.target[i] : inverse) take(facts.target[i], facts.source[i]);
  }

  // Of all entities, by the first `known` facts.
  std::vector<double> scores(std::size_t known, Index relation, bool inverse, Index given,
                             std::int64_t time, double lambda, double alpha) const {
    const auto weight = [&](std::int64_t k) {
      return std::pow(2.0, lambda * static_cast<double>(k - time) / static_cast<double>(unit));
    };
    std::vector<double> psi(static_cast<std::size_t>(entities)), xi(psi.size());
    std::int64_t first = 0, last = 0;
    double all = 0;
    for (std::size_t i = 0; i < known; ++i) {
      const std::int64_t k = facts.time[i];
      if (window > 0 && k < time - window * unit) continue;
      says(i, relation, inverse, [&](Index from, Index to) {
        if (all == 0) first = k;
        last = k;
        all += 1;
        xi[static_cast<std::size_t>(to)] += 1;
        if (from == given) psi[static_cast<std::size_t>(to)] += weight(k);
      });
    }
    double divisor = 0;
    for (std::int64_t k = first; k < last; k += unit) divisor += weight(k);
    std::vector<double> out(psi.size());
    if (all == 0) return out;
    for (std::size_t o = 0; o < out.size(); ++o)
      out[o] = alpha * psi[o] / (divisor == 0 ? 1 : divisor) + (1 - alpha) * xi[o] / all;
    return out;
  }

  static bool same(double a, double b) {
    return std::abs(a - b) <= 1e-11 * std::max(std::abs(a), std::abs(b));
  }

  // Mean reciprocal rank with the time filter over facts [train, size), in one direction; those
  // from train on are known if they are before the asked time and `single_step`.
  double mrr(std::size_t train, Index relation, bool inverse, double lambda, double alpha,
             bool single_step) const {
    double sum = 0, asked = 0;
    for (std::size_t i = train; i < facts.time.size(); ++i)
      says(i, relation, inverse, [&](Index given, Index object) {
        std::size_t known = train;
        while (single_step && facts.time[known] < facts.time[i]) ++known;
        std::set<Index> true_now;
        for (std::size_t j = train; j < facts.time.size(); ++j)
          if (facts.time[j] == facts.time[i])
            says(j, relation, inverse, [&](Index from, Index to) {
              if (from == given) true_now.insert(to);
            });
        const auto score = scores(known, relation, inverse, given, facts.time[i], lambda, alpha);
        const double x = score[static_cast<std::size_t>(object)];
        double rank = 1;
        for (Index o = 0; o < entities; ++o) {
          if (true_now.contains(o)) continue;
          const double y = score[static_cast<std::size_t>(o)];
          rank += same(x, y) ? 0.5 : y > x ? 1 : 0;
        }
        sum += 1 / rank;
        asked += 1;
      });
    return asked == 0 ? -1 : sum / asked;
  }
};

}  // namespace cupel::made
