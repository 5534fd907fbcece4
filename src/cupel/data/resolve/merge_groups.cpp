#include "cupel/data/resolve/merge_groups.h"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

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

std::vector<Index> merge_groups(const TemporalFacts& facts, DecidedPairs& decided) {
  Groups groups(facts.entities());
  const auto verdict = [](const DecidedPair& pair) { return pair.decision.verdict; };
  for (const DecidedPair& pair : decided.pairs)
    if (pair.line > 0 && verdict(pair) == MergeVerdict::kAccept)
      groups.join(pair.decision.first, pair.decision.second);
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
  for (DecidedPair* pair : proposed) {
    const Index first = pair->decision.first, second = pair->decision.second;
    if (groups.forbidden(first, second)) {
      pair->decision.verdict = MergeVerdict::kOpen;
      ++decided.counts["proposals left open, as they would join a rejected or open pair"];
    } else {
      groups.join(first, second);
    }
  }
  return groups.smallest();
}

}  // namespace cupel
