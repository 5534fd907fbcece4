#include "cupel/data/facts/staleness.h"

#include <algorithm>

namespace cupel {
namespace {

// The gap has no sign, since times may be as far apart as 64 bits allow.
Staleness bin_of(std::uint64_t gap) {
  return gap <= 1   ? Staleness::one
         : gap <= 2 ? Staleness::two
         : gap <= 5 ? Staleness::three_to_five
                    : Staleness::longer;
}

}  // namespace

FactStaleness fact_staleness(const FactColumns& facts, const TimeParts& parts) {
  // Per node the first fact of the last step that it was in; -1: it was in none.
  std::vector<Offset> last(static_cast<std::size_t>(facts.nodes), -1);
  const auto place = [](Offset at) { return static_cast<std::size_t>(at); };

  FactStaleness out;
  out.of.resize(place(parts.test_end - parts.valid_end));
  Offset begin = 0;
  while (begin < parts.test_end) {
    const std::int64_t now = facts.time[place(begin)];
    Offset end = begin + 1;
    while (end < parts.test_end && facts.time[place(end)] == now) ++end;
    // All of a step is asked before anything of it is known.
    for (Offset i = std::max(begin, parts.valid_end); i < end; ++i) {
      const Offset before = last[place(facts.source[place(i)])];
      out.of[place(i - parts.valid_end)] =
          before < 0 ? Staleness::never
                     : bin_of(static_cast<std::uint64_t>(now) -
                              static_cast<std::uint64_t>(facts.time[place(before)]));
    }
    for (Offset i = begin; i < end; ++i) {
      last[place(facts.source[place(i)])] = begin;
      last[place(facts.target[place(i)])] = begin;
    }
    begin = end;
  }

  out.by_relation.resize(place(facts.relations));
  for (Offset i = parts.valid_end; i < parts.test_end; ++i) {
    const auto bin = static_cast<std::size_t>(out.of[place(i - parts.valid_end)]);
    ++out.by_relation[place(facts.relation_of(i))][bin];
    ++out.all[bin];
  }
  return out;
}

}  // namespace cupel
