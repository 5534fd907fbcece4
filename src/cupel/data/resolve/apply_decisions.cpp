#include "cupel/data/resolve/apply_decisions.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "cupel/base/error.h"

namespace cupel {
namespace {

using Counts = std::map<std::string, std::int64_t>;

std::vector<std::int64_t> facts_of_each(const TemporalFacts& facts) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(facts.entities()));
  for (std::size_t k = 0; k < facts.time.size(); ++k) {
    ++out[static_cast<std::size_t>(facts.source[k])];
    if (facts.source[k] != facts.target[k]) ++out[static_cast<std::size_t>(facts.target[k])];
  }
  return out;
}

// Per group, at its smallest member: the member whose name it has.
std::vector<Index> named_after(const TemporalFacts& facts, std::span<const Index> groups) {
  const std::vector<std::int64_t> facts_of = facts_of_each(facts);
  std::vector<Index> out(groups.size(), -1);
  const auto of = [&](Index k) { return facts_of[static_cast<std::size_t>(k)]; };
  for (Index k = 0; k < facts.entities(); ++k) {
    Index& best = out[static_cast<std::size_t>(groups[static_cast<std::size_t>(k)])];
    if (best < 0 || of(k) > of(best) ||
        (of(k) == of(best) && facts.entity_name(k) < facts.entity_name(best)))
      best = k;
  }
  return out;
}

void number_entities(const TemporalFacts& facts, std::span<const Index> groups,
                     ResolvedFacts& out) {
  const std::vector<Index> best = named_after(facts, groups);
  out.entity_of.assign(groups.size(), -1);
  bool changed = false;
  for (std::size_t type = 0; type < facts.types.size(); ++type) {
    std::int64_t before = 0, after = 0;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      if (facts.entity_types[k] != type) continue;
      ++before;
      if (groups[k] != static_cast<Index>(k)) {
        out.entity_of[k] = out.entity_of[static_cast<std::size_t>(groups[k])];
        continue;
      }
      const Index number = out.facts.entities();
      changed = changed || number != static_cast<Index>(k);
      out.entity_of[k] = number;
      ++after;
      out.facts.entity_types.push_back(static_cast<std::uint8_t>(type));
      out.facts.entity_names.add(facts.entity_name(best[k]));
    }
    out.counts["entities before: " + facts.types[type]] = before;
    out.counts["entities merged into others: " + facts.types[type]] = before - after;
    out.counts["entities: " + facts.types[type]] = after;
  }
  if (facts.entity_names.empty() && !changed && out.facts.entities() == facts.entities())
    out.facts.entity_names = {};
}

// Names that were given up before, and those that are given up now, but for those that the entity
// has again.
void keep_names(const TemporalFacts& facts, const MergedNames& merged, ResolvedFacts& out) {
  std::vector<std::pair<Index, std::string>> names;
  const auto keep = [&](Index entity, std::string name) {
    const Index to = out.entity_of[static_cast<std::size_t>(entity)];
    if (name != out.facts.entity_name(to)) names.emplace_back(to, std::move(name));
  };
  for (std::size_t k = 0; k < merged.entities.size(); ++k)
    keep(merged.entities[k], std::string(merged.names[static_cast<Index>(k)]));
  if (out.facts.entities() < facts.entities()) {
    for (Index k = 0; k < facts.entities(); ++k) keep(k, facts.entity_name(k));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const auto& [entity, name] : names) out.merged.add(name, entity);
}

// A fact without its time, with the ends of one without direction in order; and its place.
using Row = std::array<Index, 4>;

// The facts of one step of time, sorted, as `of(place, end)` gives their ends.
template <class Ends>
void sort_step(const TemporalFacts& facts, std::size_t from, std::size_t to, const Ends& ends,
               std::vector<Row>& out) {
  out.clear();
  for (std::size_t k = from; k < to; ++k) {
    const Index r = facts.relation[k];
    auto [s, o] = ends(k);
    if (facts.relations[static_cast<std::size_t>(r)].undirected && o < s) std::swap(s, o);
    out.push_back({r, s, o, static_cast<Index>(k - from)});
  }
  std::sort(out.begin(), out.end());
}

bool equal_facts(const Row& a, const Row& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Calls body(from, to) for each step of time.
template <class Body>
void for_each_step(const TemporalFacts& facts, const Body& body) {
  for (std::size_t from = 0, to = 0; from < facts.time.size(); from = to) {
    while (to < facts.time.size() && facts.time[to] == facts.time[from]) ++to;
    body(from, to);
  }
}

// Per relation whether equal facts are there, so that they mean something.
std::vector<bool> has_repeats(const TemporalFacts& facts) {
  std::vector<bool> out(facts.relations.size());
  std::vector<Row> rows;
  for_each_step(facts, [&](std::size_t from, std::size_t to) {
    sort_step(
        facts, from, to, [&](std::size_t k) { return std::pair(facts.source[k], facts.target[k]); },
        rows);
    for (std::size_t k = 1; k < rows.size(); ++k)
      if (equal_facts(rows[k], rows[k - 1])) out[static_cast<std::size_t>(rows[k][0])] = true;
  });
  return out;
}

// Where each part ends among the facts.
std::vector<std::size_t> ends_of_parts(const TemporalFacts& facts) {
  std::vector<std::size_t> out;
  std::size_t end = 0;
  for (const FactPart& part : facts.parts) {
    const std::size_t from = end;
    end += static_cast<std::size_t>(part.facts);
    out.push_back(end);
    if (part.facts > 0 && (facts.time[from] != part.first || facts.time[end - 1] != part.last))
      fail("{}: part '{}' overlaps another in time; merge before the facts are parted", facts.name,
           part.name);
  }
  return out;
}

// What to do with the facts of each relation, and what was done.
struct Rule {
  bool undirected = false, once = false;
  std::int64_t before = 0, with_oneself = 0, kept_with_oneself = 0, again = 0;
};

void copy_facts(const TemporalFacts& facts, std::optional<PairRule> pairs, ResolvedFacts& out) {
  const std::vector<bool> repeats = has_repeats(facts);
  std::vector<Rule> rules;
  for (std::size_t r = 0; r < facts.relations.size(); ++r) {
    const FactRelation& relation = facts.relations[r];
    const bool said = pairs && relation.name == "collaboration";
    rules.push_back({relation.undirected, said ? *pairs == PairRule::kYear : !repeats[r]});
  }
  const auto now = [&](Index entity) { return out.entity_of[static_cast<std::size_t>(entity)]; };
  const auto is_oneself = [&](std::size_t k) {
    return now(facts.source[k]) == now(facts.target[k]) && facts.source[k] != facts.target[k];
  };
  const auto goes = [&](std::size_t k) {
    return is_oneself(k) && rules[static_cast<std::size_t>(facts.relation[k])].undirected;
  };
  const std::vector<std::size_t> ends = ends_of_parts(facts);
  std::size_t part = 0;
  std::vector<std::int64_t> kept_until;  // of each part
  std::vector<Row> rows;
  std::vector<bool> again;
  for_each_step(facts, [&](std::size_t from, std::size_t to) {
    sort_step(
        facts, from, to,
        [&](std::size_t k) { return std::pair(now(facts.source[k]), now(facts.target[k])); }, rows);
    // Those that are left out, as their ends have become one, are nobody's repeat: a loop that was
    // one before stays.
    std::erase_if(rows,
                  [&](const Row& row) { return goes(from + static_cast<std::size_t>(row[3])); });
    again.assign(to - from, false);
    for (std::size_t k = 1; k < rows.size(); ++k)
      again[static_cast<std::size_t>(rows[k][3])] = equal_facts(rows[k], rows[k - 1]);
    for (std::size_t k = from; k < to; ++k) {
      for (; part < ends.size() && k == ends[part]; ++part) kept_until.push_back(out.facts.facts());
      const Index r = facts.relation[k], s = now(facts.source[k]), o = now(facts.target[k]);
      Rule& rule = rules[static_cast<std::size_t>(r)];
      ++rule.before;
      if (goes(k)) {
        ++rule.with_oneself;
      } else if (rule.once && again[k - from]) {
        ++rule.again;
      } else {
        rule.kept_with_oneself += is_oneself(k);
        out.facts.push(s, r, o, facts.time[k]);
      }
    }
  });
  for (; part < ends.size(); ++part) kept_until.push_back(out.facts.facts());
  for (std::size_t p = 0, from = 0; p < ends.size(); ++p) {
    const auto to = static_cast<std::size_t>(kept_until[p]);
    FactPart kept = {facts.parts[p].name, static_cast<std::int64_t>(to - from), 0, 0};
    if (to > from) kept.first = out.facts.time[from], kept.last = out.facts.time[to - 1];
    out.facts.parts.push_back(kept);
    from = to;
  }
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const Rule& rule = rules[r];
    const std::string& name = facts.relations[r].name;
    out.counts["facts before: " + name] = rule.before;
    out.counts["facts of one with oneself, left out: " + name] = rule.with_oneself;
    if (rule.kept_with_oneself > 0)
      out.counts["facts of one with oneself, kept: " + name] = rule.kept_with_oneself;
    out.counts["facts that became equal, taken once: " + name] = rule.again;
    out.counts["facts: " + name] = rule.before - rule.with_oneself - rule.again;
  }
}

// Authorships whose entity stands on the paper at an earlier row.
std::int64_t second_places(const Authorships& rows) {
  std::vector<std::pair<Index, Index>> all;
  for (std::size_t k = 0; k < rows.paper.size(); ++k)
    all.emplace_back(rows.paper[k], rows.entity[k]);
  std::sort(all.begin(), all.end());
  std::int64_t out = 0;
  for (std::size_t k = 1; k < all.size(); ++k) out += all[k] == all[k - 1];
  return out;
}

void copy_authorships(const Authorships& rows, ResolvedFacts& out) {
  out.authorships = rows;
  for (Index& entity : out.authorships.entity)
    entity = out.entity_of[static_cast<std::size_t>(entity)];
  if (rows.paper.empty()) return;
  out.counts["authorships"] = std::ssize(rows.paper);
  out.counts["authorships of one who stands on the paper before, as there were"] =
      second_places(rows);
  out.counts["authorships of one who stands on the paper before, kept"] =
      second_places(out.authorships);
}

}  // namespace

ResolvedFacts apply_merges(const TemporalFacts& facts, const Authorships& authorships,
                           const MergedNames& merged, std::span<const Index> groups,
                           std::optional<PairRule> pairs) {
  ResolvedFacts out;
  out.facts.name = facts.name;
  out.facts.types = facts.types;
  out.facts.relations = facts.relations;
  out.facts.time_unit = facts.time_unit;
  number_entities(facts, groups, out);
  keep_names(facts, merged, out);
  copy_facts(facts, pairs, out);
  copy_authorships(authorships, out);
  return out;
}

}  // namespace cupel
