// Names that look like several scientists merged into one.
//
// Two signs: facts over more years than a working life has, and co-authors of one year who fall
// into many groups, which nothing of that year joins but the name.
#include <algorithm>

#include "cupel/base/sort_unique.h"
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr std::int64_t kWorkingLife = 60;  // years
constexpr std::size_t kGroups = 8;         // of two co-authors or more, in one step of time

using Pairs = std::vector<std::pair<Index, Index>>;

// The pairs of one step, both ways round, each once, ascending.
void pairs_of_step(const FactSubject& subject, std::uint8_t type, Offset from, Offset to,
                   Pairs& out) {
  const FactColumns& facts = subject.columns;
  out.clear();
  for (Offset i = from; i < to; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const FactRelation& relation =
        subject.facts.relations[static_cast<std::size_t>(facts.relation_of(i))];
    if (relation.source_type != type || relation.target_type != type) continue;
    if (facts.source[at] == facts.target[at]) continue;
    out.emplace_back(facts.source[at], facts.target[at]);
    out.emplace_back(facts.target[at], facts.source[at]);
  }
  sort_unique(out);
}

// Whether the partners of one node, which are out[from...to), are in kGroups groups of two or more,
// joined by other pairs of the step alone. `place` is -1 for every node, before and after. Ends as
// soon as too few groups can be left, which those of large papers are at once.
bool has_groups(const Pairs& pairs, std::size_t from, std::size_t to, std::vector<Index>& place) {
  const std::size_t partners = to - from;
  std::vector<std::size_t> parent(partners), size(partners, 1);
  for (std::size_t k = 0; k < partners; ++k) {
    parent[k] = k;
    place[static_cast<std::size_t>(pairs[from + k].second)] = static_cast<Index>(k);
  }
  const auto root = [&](std::size_t k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  std::size_t trees = partners;
  for (std::size_t k = 0; k < partners && trees >= kGroups; ++k) {
    const Index partner = pairs[from + k].second;
    auto row = std::lower_bound(pairs.begin(), pairs.end(), std::pair(partner, Index{0}));
    for (; row != pairs.end() && row->first == partner && trees >= kGroups; ++row) {
      const Index at = place[static_cast<std::size_t>(row->second)];
      if (at < 0) continue;
      std::size_t a = root(k), b = root(static_cast<std::size_t>(at));
      if (a == b) continue;
      if (size[a] < size[b]) std::swap(a, b);
      parent[b] = a, size[a] += size[b], --trees;
    }
  }
  std::size_t groups = 0;
  for (std::size_t k = 0; k < partners; ++k) {
    groups += parent[k] == k && size[k] > 1;
    place[static_cast<std::size_t>(pairs[from + k].second)] = -1;
  }
  return trees >= kGroups && groups >= kGroups;
}

// First and last time of each node.
std::vector<Index> long_lived(const FactSubject& subject, std::uint8_t type) {
  const FactColumns& facts = subject.columns;
  std::vector<Index> out;
  if (subject.facts.time_unit != "year") return out;
  const auto nodes = static_cast<std::size_t>(facts.nodes);
  std::vector<std::int64_t> first(nodes, INT64_MAX), last(nodes, INT64_MIN);
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (const Index end : {facts.source[at], facts.target[at]}) {
      const auto node = static_cast<std::size_t>(end);
      first[node] = std::min(first[node], facts.time[at]);
      last[node] = facts.time[at];
    }
  }
  for (std::size_t k = 0; k < nodes; ++k)
    if (subject.facts.entity_types[k] == type && last[k] >= first[k] &&
        last[k] > first[k] + kWorkingLife)
      out.push_back(static_cast<Index>(k));
  return out;
}

std::vector<Index> of_many_groups(const FactSubject& subject, std::uint8_t type) {
  const FactColumns& facts = subject.columns;
  std::vector<Index> place(static_cast<std::size_t>(facts.nodes), -1), out;
  Pairs pairs;
  for (Offset begin = 0, end = 0; begin < facts.size(); begin = end) {
    const std::int64_t time = facts.time[static_cast<std::size_t>(begin)];
    while (end < facts.size() && facts.time[static_cast<std::size_t>(end)] == time) ++end;
    pairs_of_step(subject, type, begin, end, pairs);
    for (std::size_t from = 0, to = 0; from < pairs.size(); from = to) {
      while (to < pairs.size() && pairs[to].first == pairs[from].first) ++to;
      if (to - from >= 2 * kGroups && has_groups(pairs, from, to, place))
        out.push_back(pairs[from].first);
    }
  }
  sort_unique(out);
  return out;
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const TemporalFacts& facts = subject.facts;
  if (!has_names(facts, "scientist")) return;
  const auto type = static_cast<std::uint8_t>(
      std::find(facts.types.begin(), facts.types.end(), "scientist") - facts.types.begin());
  const std::vector<Index> old = long_lived(subject, type), many = of_many_groups(subject, type);
  if (old.empty() && many.empty()) return;
  Finding out;
  out.id = "merged-names";
  out.severity = Severity::kInfo;
  out.count = std::ssize(many);
  for (const Index one : old) out.count += std::ranges::binary_search(many, one) ? 0 : 1;
  out.title = fmt::format("{} several people",
                          text::count(out.count, "name") +
                              text::verb(out.count, " looks like that of", " look like those of"));
  std::vector<std::string> parts;
  if (!many.empty())
    parts.push_back(
        fmt::format("in one {}, co-authors in {} groups or more that did not meet in it: {}",
                    facts.time_unit.empty() ? "step of time" : facts.time_unit, kGroups,
                    fact_text::names(facts, many)));
  if (!old.empty())
    parts.push_back(fmt::format("facts over more than {} years: {}", kWorkingLife,
                                fact_text::names(facts, old)));
  out.evidence = text::sentence(fmt::format("{}.", fmt::join(parts, "; ")));
  out.details = {{"groups", fact_text::examples(facts, many)},
                 {"years", fact_text::examples(facts, old)}};
  out.advice =
      "Look them up: those who write most look like this, and so do several people of one name, "
      "whose history is nobody's. Where the source has ids, build with --set identity=id; where "
      "you know who wrote which paper, with --set persons=FILE.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_merged_names;
const FactCheck fact_check_merged_names = {"merged-names", "names that look like several people",
                                           run};

}  // namespace cupel
