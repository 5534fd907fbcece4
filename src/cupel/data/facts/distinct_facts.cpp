#include "cupel/data/facts/distinct_facts.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>

namespace cupel {
namespace {

constexpr Offset kFactGrain = Offset{1} << 16;
constexpr Offset kNodeGrain = Offset{1} << 12;

// A fact in the row of its source.
struct Entry {
  Index target, relation, fact;
};

}  // namespace

DistinctFacts::DistinctFacts(const FactColumns& facts, Undirected undirected, Threads threads)
    : number_(static_cast<std::size_t>(facts.size())),
      start_(static_cast<std::size_t>(facts.relations) + 1) {
  std::vector<Entry> entries(number_.size());
  std::vector<Offset> row(static_cast<std::size_t>(facts.nodes) + 1);
  // Calls take(row, entry) for each fact, from many threads.
  const auto for_all = [&](const auto& take) {
    parallel_blocks(threads, facts.size(), kFactGrain, [&](Offset begin, Offset end) {
      for (Offset i = begin; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Index relation = facts.relation_of(i);
        Index from = facts.source[at], to = facts.target[at];
        if (from > to && is_undirected(undirected, relation)) std::swap(from, to);
        take(static_cast<std::size_t>(from), Entry{to, relation, static_cast<Index>(i)});
      }
    });
  };
  const auto next = [&](std::size_t node) {
    return std::atomic_ref<Offset>(row[node]).fetch_add(1, std::memory_order_relaxed);
  };
  for_all([&](std::size_t node, const Entry&) { next(node); });
  std::exclusive_scan(row.begin(), row.end(), row.begin(), Offset{0});
  // Threads fill a row in any order; it is sorted afterwards.
  for_all([&](std::size_t node, const Entry& entry) {
    entries[static_cast<std::size_t>(next(node))] = entry;
  });

  // Each row's start has moved to its end. Facts first get the place of the first one like them.
  parallel_blocks(threads, facts.nodes, kNodeGrain, [&](Offset begin, Offset end) {
    for (auto node = static_cast<std::size_t>(begin); node < static_cast<std::size_t>(end);
         ++node) {
      const auto from = entries.begin() + (node == 0 ? 0 : row[node - 1]);
      const auto to = entries.begin() + row[node];
      std::sort(from, to, [](const Entry& a, const Entry& b) {
        return std::tie(a.target, a.relation, a.fact) < std::tie(b.target, b.relation, b.fact);
      });
      auto like = from;
      for (auto entry = from; entry != to; ++entry) {
        if (entry->target != like->target || entry->relation != like->relation) like = entry;
        number_[static_cast<std::size_t>(entry->fact)] = like->fact;
      }
    }
  });

  // Places become numbers in the order of time: the first one like a fact has its number by then.
  for (std::size_t i = 0; i < number_.size(); ++i)
    if (number_[i] == static_cast<Index>(i))
      ++start_[static_cast<std::size_t>(facts.relation_of(static_cast<Offset>(i))) + 1];
  std::inclusive_scan(start_.begin(), start_.end(), start_.begin());
  first_.resize(static_cast<std::size_t>(start_.back()));
  std::vector<Index> unused(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < number_.size(); ++i) {
    const auto like = static_cast<std::size_t>(number_[i]);
    if (like != i) {
      number_[i] = number_[like];
      continue;
    }
    const auto relation = static_cast<std::size_t>(facts.relation_of(static_cast<Offset>(i)));
    number_[i] = unused[relation]++;
    first_[static_cast<std::size_t>(number_[i])] = static_cast<Index>(i);
  }
}

std::pair<Index, Index> DistinctFacts::first_stated(Index relation, Offset begin,
                                                    Offset end) const {
  const auto at = static_cast<std::size_t>(relation);
  const auto from = first_.begin() + start_[at], to = first_.begin() + start_[at + 1];
  const auto low = std::lower_bound(from, to, begin);
  return {static_cast<Index>(low - first_.begin()),
          static_cast<Index>(std::lower_bound(low, to, end) - first_.begin())};
}

}  // namespace cupel
