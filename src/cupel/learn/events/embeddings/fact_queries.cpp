#include "cupel/learn/events/embeddings/fact_queries.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "cupel/learn/events/limits_watch.h"

namespace cupel {
namespace {

struct Asked {
  Index relation;
  bool source_asked;
  Index answer;
  auto query() const { return std::tuple(relation, source_asked); }
  auto order() const { return std::tuple(relation, source_asked, answer); }
};

// take(given, what is asked of it), for each query of each fact.
template <class Take>
void for_queries(const FactColumns& facts, const EventWorld& world, const RunLimits& limits,
                 const Take& take) {
  LimitsWatch watch(limits);
  for (Offset i = 0; i < facts.size(); ++i) {
    watch.walked(1);
    const auto at = static_cast<std::size_t>(i);
    const Index s = facts.source[at], r = facts.relation_of(i), o = facts.target[at];
    const bool either = is_undirected(world.undirected, r);
    take(s, Asked{r, false, o});
    if (!either || s != o) take(o, Asked{r, !either, s});
  }
}

}  // namespace

FactQueries fact_queries(const FactColumns& facts, const EventWorld& world,
                         const RunLimits& limits) {
  std::vector<Offset> begin(static_cast<std::size_t>(world.entities) + 1);
  for_queries(facts, world, limits,
              [&](Index given, const Asked&) { ++begin[static_cast<std::size_t>(given) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Asked> asked(static_cast<std::size_t>(begin.back()));
  std::vector<Offset> next(begin.begin(), begin.end() - 1);
  for_queries(facts, world, limits, [&](Index given, const Asked& one) {
    asked[static_cast<std::size_t>(next[static_cast<std::size_t>(given)]++)] = one;
  });

  FactQueries out;
  LimitsWatch watch(limits);
  for (Index given = 0; given < world.entities; ++given) {
    const Offset from = begin[static_cast<std::size_t>(given)],
                 to = begin[static_cast<std::size_t>(given) + 1];
    watch.walked(to - from + 1);
    const std::span all = std::span(asked).subspan(static_cast<std::size_t>(from),
                                                   static_cast<std::size_t>(to - from));
    std::ranges::sort(all, {}, &Asked::order);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool begins = i == 0 || all[i].query() != all[i - 1].query();
      if (begins) {
        out.query.push_back({given, all[i].relation, all[i].source_asked});
        out.first.push_back(out.first.back());
      }
      if (begins || all[i].answer != all[i - 1].answer) {
        out.answer.push_back(all[i].answer);
        out.count.push_back(0);
        ++out.first.back();
      }
      ++out.count.back();
    }
  }
  return out;
}

}  // namespace cupel
