// What negatives of facts are drawn for, and what their rules speak of, read slowly.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/facts/negatives.h"
#include "data/facts/made.h"

namespace cupel {

using Types = std::vector<std::uint8_t>;
using Settings = std::vector<std::string>;

// What is asked of a kind; facts live as long as this.
struct AskedFacts {
  made::MadeFacts made;
  Offset begin = 0, end = 0, batch = 200;
  Types undirected = {}, types = {};
  std::string key = "key";
  int threads = 1;

  FactNegatives draw(const std::string& name, const Settings& given = {}) const {
    const FactNegativeKind& kind = find_fact_negative_kind("test", name);
    const Options settings = parse_options("negatives", kind.settings, given);
    return kind.draw({"made", made.columns(), begin, end, batch, undirected, types, stream_key(key),
                      Threads{threads}, settings});
  }
};

inline AskedFacts random_asked(std::uint32_t seed, Offset batch, const Types& undirected = {}) {
  return {made::random_facts(seed, 400, 12, 3, 60), 250, 380, batch, undirected};
}

using Ends = std::pair<Index, Index>;
inline Ends kept(Ends ends, bool undirected) {
  return undirected && ends.first > ends.second ? Ends{ends.second, ends.first} : ends;
}

// All that the rules speak of, for one batch and relation, as sets.
struct Group {
  std::vector<std::size_t> rows;
  std::set<Ends> now, before, before_part;  // stated at the batch's times, earlier, before the part
  std::set<Index> sources, targets;         // of the relation, whenever
  bool undirected = false;
};

inline std::vector<Group> groups_of(const AskedFacts& asked) {
  const FactColumns facts = asked.made.columns();
  const auto time = [&](Offset i) { return facts.time[static_cast<std::size_t>(i)]; };
  std::vector<Group> out;
  for (Offset from = asked.begin, to = 0; from < asked.end; from = to) {
    to = from + 1;
    while (to < asked.end && (asked.batch > 0 ? to < from + asked.batch : time(to) == time(from)))
      ++to;
    for (Index relation = 0; relation < facts.relations; ++relation) {
      Group group;
      group.undirected = is_undirected(asked.undirected, relation);
      for (Offset i = 0; i < facts.size(); ++i) {
        const auto [s, r, o] = asked.made.triple(i);
        if (r != relation) continue;
        const Ends ends = kept({s, o}, group.undirected);
        if (i >= from && i < to) group.rows.push_back(static_cast<std::size_t>(i - asked.begin));
        if (time(i) < time(from)) group.before.insert(ends);
        if (time(i) >= time(from) && time(i) <= time(to - 1)) group.now.insert(ends);
        if (i < asked.begin) group.before_part.insert(ends);
        group.sources.insert(s), group.targets.insert(o);
        if (group.undirected) group.sources.insert(o), group.targets.insert(s);
      }
      if (!group.rows.empty()) out.push_back(group);
    }
  }
  return out;
}

// Pairs of the relation's ends that are no facts now.
inline std::set<Ends> free_of(const Group& group) {
  std::set<Ends> out;
  for (const Index s : group.sources)
    for (const Index o : group.targets)
      if (const Ends ends = kept({s, o}, group.undirected); !group.now.contains(ends))
        out.insert(ends);
  return out;
}

}  // namespace cupel
