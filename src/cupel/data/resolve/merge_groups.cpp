#include "cupel/data/resolve/merge_groups.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <set>
#include <span>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/resolve/egos.h"

namespace cupel {
namespace {

// Groups, and which of them must stay apart.
class Groups {
 public:
  explicit Groups(Index entities) : parent_(static_cast<std::size_t>(entities)) {
    for (std::size_t k = 0; k < parent_.size(); ++k) parent_[k] = static_cast<Index>(k);
  }

  Index root(Index entity) {
    while (of(entity) != entity) {
      of(entity) = of(of(entity));
      entity = of(entity);
    }
    return entity;
  }
  bool same(Index a, Index b) { return root(a) == root(b); }

  // Requires that they are apart.
  void forbid(Index a, Index b) {
    a = root(a), b = root(b);
    apart_[a].insert(b);
    apart_[b].insert(a);
  }
  bool forbidden(Index a, Index b) {
    const auto found = apart_.find(root(a));
    return found != apart_.end() && found->second.contains(root(b));
  }

  // The group that more must stay apart from keeps its root, so that few others learn a new one.
  void join(Index a, Index b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (enemies(a) < enemies(b)) std::swap(a, b);
    of(b) = a;
    const auto found = apart_.find(b);
    if (found == apart_.end()) return;
    const std::set<Index> moved = std::move(found->second);
    apart_.erase(found);
    for (const Index other : moved) {
      apart_[other].erase(b);
      forbid(a, other);
    }
  }

  // Of each entity the smallest one of its group.
  std::vector<Index> smallest() {
    std::vector<Index> out(parent_.size()), first(parent_.size(), -1);
    for (std::size_t k = 0; k < out.size(); ++k) {
      Index& least = first[static_cast<std::size_t>(root(static_cast<Index>(k)))];
      if (least < 0) least = static_cast<Index>(k);
      out[k] = least;
    }
    return out;
  }

 private:
  std::size_t enemies(Index root) const {
    const auto found = apart_.find(root);
    return found == apart_.end() ? 0 : found->second.size();
  }
  Index& of(Index entity) { return parent_[static_cast<std::size_t>(entity)]; }

  std::vector<Index> parent_;
  std::unordered_map<Index, std::set<Index>> apart_;  // of roots
};

// Papers of each group, at its root, so that it shows where authors of one paper would be one.
class GroupPapers {
 public:
  explicit GroupPapers(Groups& groups) : groups_(groups) {}

  void add(const Authorships& rows) {
    for (std::size_t k = 0; k < rows.paper.size(); ++k)
      papers_[groups_.root(rows.entity[k])].push_back(rows.paper[k]);
    for (auto& [root, papers] : papers_) sort_unique(papers);
  }

  bool shared(Index a, Index b) const {
    bool out = false;
    for_shared(of(a), of(b), [&](Index) { out = true; });
    return out;
  }
  // Joins the groups, too.
  void join(Index a, Index b) {
    std::vector<Index> all;
    std::ranges::set_union(of(a), of(b), std::back_inserter(all));
    papers_.erase(groups_.root(a)), papers_.erase(groups_.root(b));
    groups_.join(a, b);
    if (!all.empty()) papers_[groups_.root(a)] = std::move(all);
  }

 private:
  std::span<const Index> of(Index entity) const {
    const auto found = papers_.find(groups_.root(entity));
    return found == papers_.end() ? std::span<const Index>() : std::span(found->second);
  }

  Groups& groups_;
  std::unordered_map<Index, std::vector<Index>> papers_;
};

// The fewest pairs that the file accepts and that lead from one end of the rejected one to the
// other.
std::vector<const DecidedPair*> way_between(const DecidedPairs& decided,
                                            const DecidedPair& rejected) {
  std::unordered_map<Index, std::vector<const DecidedPair*>> beside;
  for (const DecidedPair& pair : decided.pairs) {
    if (pair.line == 0 || pair.decision.verdict != MergeVerdict::kAccept) continue;
    beside[pair.decision.first].push_back(&pair);
    beside[pair.decision.second].push_back(&pair);
  }
  const auto other = [](const DecidedPair* pair, Index end) {
    return pair->decision.first == end ? pair->decision.second : pair->decision.first;
  };
  std::unordered_map<Index, const DecidedPair*> came_by = {{rejected.decision.first, nullptr}};
  std::queue<Index> next;
  next.push(rejected.decision.first);
  while (!next.empty() && !came_by.contains(rejected.decision.second)) {
    const Index at = next.front();
    next.pop();
    for (const DecidedPair* pair : beside[at])
      if (came_by.emplace(other(pair, at), pair).second) next.push(other(pair, at));
  }
  std::vector<const DecidedPair*> out;
  for (Index at = rejected.decision.second; came_by.at(at) != nullptr;) {
    out.push_back(came_by.at(at));
    at = other(came_by.at(at), at);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

[[noreturn]] void fail_joined(const TemporalFacts& facts, const DecidedPairs& decided,
                              const DecidedPair& rejected) {
  constexpr std::size_t kShown = 4;
  const std::vector<const DecidedPair*> way = way_between(decided, rejected);
  std::string lines;
  for (std::size_t k = 0; k < way.size() && k < kShown; ++k)
    lines += fmt::format("{}{}", k == 0 ? "" : k + 1 == way.size() ? " and " : ", ", way[k]->line);
  if (way.size() > kShown) lines += fmt::format(" and {} more", way.size() - kShown);
  const auto name = [&](Index entity) { return in_quotes(facts.entity_name(entity)); };
  fail("{}: line {}: keeps {} and {} apart, which the pairs accepted on line{} {} join; reject {}",
       decided.file, rejected.line, name(rejected.decision.first), name(rejected.decision.second),
       way.size() == 1 ? "" : "s", lines, way.size() == 1 ? "that one, too" : "one of these, too");
}

}  // namespace

std::vector<Index> merge_groups(const TemporalFacts& facts, const Authorships& authorships,
                                DecidedPairs& decided) {
  Groups groups(facts.entities());
  const auto verdict = [](const DecidedPair& pair) { return pair.decision.verdict; };
  bool joins = false;
  for (const DecidedPair& pair : decided.pairs) {
    if (pair.line == 0 || verdict(pair) != MergeVerdict::kAccept) continue;
    groups.join(pair.decision.first, pair.decision.second);
    joins = true;
  }
  const DecidedPair* joined = nullptr;
  for (const DecidedPair& pair : decided.pairs) {
    // What nobody knows of, a program does not settle either.
    const bool left_open = verdict(pair) == MergeVerdict::kOpen && pair.line > 0;
    if (verdict(pair) != MergeVerdict::kReject && !left_open) continue;
    if (!groups.same(pair.decision.first, pair.decision.second)) {
      groups.forbid(pair.decision.first, pair.decision.second);
    } else if (!left_open && pair.line > 0 && (joined == nullptr || pair.line < joined->line)) {
      joined = &pair;
    }
  }
  if (joined != nullptr) fail_joined(facts, decided, *joined);
  std::vector<DecidedPair*> proposed;
  for (DecidedPair& pair : decided.pairs)
    if (pair.line == 0 && verdict(pair) == MergeVerdict::kAccept) proposed.push_back(&pair);
  std::stable_sort(proposed.begin(), proposed.end(), [](const auto* a, const auto* b) {
    return a->decision.score > b->decision.score;
  });
  // Proposals alone were held against papers when they were made.
  GroupPapers papers(groups);
  if (joins) papers.add(authorships);
  for (DecidedPair* pair : proposed) {
    const Index first = pair->decision.first, second = pair->decision.second;
    const bool forbidden = groups.forbidden(first, second);
    if (!forbidden && (groups.same(first, second) || !papers.shared(first, second))) {
      papers.join(first, second);
      continue;
    }
    pair->decision.verdict = MergeVerdict::kOpen;
    pair->by = DecidedBy::kPerson;
    const char* const whom = forbidden ? "a rejected or open pair" : "two authors of one paper";
    ++decided.counts[fmt::format("proposals left open, as they would join {}", whom)];
  }
  return groups.smallest();
}

}  // namespace cupel
