#include "cupel/learn/events/event_part.h"

#include <algorithm>

namespace cupel {

FactRows::FactRows(const FactColumns& facts, std::span<const Index> rows)
    : nodes(facts.nodes), relations(facts.relations) {
  for (const Index row : rows) {
    const auto at = static_cast<std::size_t>(row);
    source.push_back(facts.source[at]), relation.push_back(facts.relation_of(row));
    target.push_back(facts.target[at]), time.push_back(facts.time[at]);
  }
}

void FactRows::add(const FactColumns& facts) {
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    source.push_back(facts.source[at]), relation.push_back(facts.relation_of(i));
    target.push_back(facts.target[at]), time.push_back(facts.time[at]);
  }
}

KnownAnswers::KnownAnswers(const FactColumns& facts, Undirected undirected)
    : nodes_(facts.nodes), undirected_(undirected.begin(), undirected.end()) {
  entries_.reserve(2 * static_cast<std::size_t>(facts.size()));
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Index s = facts.source[at], r = facts.relation_of(i), o = facts.target[at];
    entries_.push_back({key_of(r, false, s), o});
    entries_.push_back({key_of(r, true, o), s});
  }
  const auto order = [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.entity < b.entity;
  };
  std::ranges::sort(entries_, order);
  const auto same = [](const Entry& a, const Entry& b) {
    return a.key == b.key && a.entity == b.entity;
  };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

std::uint64_t KnownAnswers::key_of(Index relation, bool source_asked, Index given) const {
  const bool source = source_asked && !is_undirected(undirected_, relation);
  return (2 * static_cast<std::uint64_t>(relation) + (source ? 1 : 0)) *
             static_cast<std::uint64_t>(nodes_) +
         static_cast<std::uint64_t>(given);
}

void KnownAnswers::find(const EventQuery& query, std::vector<Index>& out) const {
  out.clear();
  const std::uint64_t key = key_of(query.relation, query.source_asked, query.given);
  for (auto at = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
       at != entries_.end() && at->key == key; ++at)
    out.push_back(at->entity);
}

}  // namespace cupel
