#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "cupel/data/resolve/candidate.h"

namespace cupel {
namespace {

double log_odds(double score) { return std::log(score) - std::log1p(-score); }

// Groups of entities that are one so far.
class Groups {
 public:
  Index find(Index entity) {
    const auto found = parent_.find(entity);
    if (found == parent_.end()) return entity;
    return found->second;
  }
  std::vector<Index> members(Index group) const {
    const auto found = members_.find(group);
    return found == members_.end() ? std::vector<Index>{group} : found->second;
  }
  // The smaller group's members move, so that each moves but a few times.
  void join(Index a, Index b) {
    std::vector<Index> mine = members(a), yours = members(b);
    if (mine.size() < yours.size()) {
      std::swap(a, b);
      mine.swap(yours);
    }
    for (const Index one : yours) parent_[one] = a;
    parent_[a] = a;
    mine.insert(mine.end(), yours.begin(), yours.end());
    members_.erase(b);
    members_[a] = std::move(mine);
  }

 private:
  std::unordered_map<Index, Index> parent_;
  std::unordered_map<Index, std::vector<Index>> members_;
};

constexpr std::size_t kMostRivals = 16;  // of an entity, the best

// The best candidates of each entity, from the best down.
std::unordered_map<Index, std::vector<std::uint32_t>> best_of_each(
    const std::vector<MergeCandidate>& candidates, const std::vector<std::uint32_t>& order) {
  std::unordered_map<Index, std::vector<std::uint32_t>> out;
  for (const std::uint32_t k : order) {
    for (const Index end : {candidates[k].first, candidates[k].second}) {
      std::vector<std::uint32_t>& list = out[end];
      if (list.size() < kMostRivals) list.push_back(k);
    }
  }
  return out;
}

}  // namespace

std::vector<Outcome> decide(const std::vector<MergeCandidate>& candidates, double threshold,
                            const std::function<Bar(Index, Index)>& bar) {
  std::vector<Outcome> out(candidates.size(), Outcome::kOpen);
  std::vector<std::uint32_t> order(candidates.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return candidates[a].score > candidates[b].score;
  });
  const auto best = best_of_each(candidates, order);

  // Whether `end`, of the candidate, fits a rival of its other end nearly as well.
  const auto has_rival = [&](const MergeCandidate& one, Index end) {
    const Index other = end == one.first ? one.second : one.first;
    const double least = log_odds(one.score) - kRivalLogit;
    const std::vector<std::uint32_t>& list = best.at(end);
    return std::any_of(list.begin(), list.end(), [&](std::uint32_t k) {
      const MergeCandidate& rival = candidates[k];
      const Index third = end == rival.first ? rival.second : rival.first;
      return third != other && log_odds(rival.score) >= least && bar(end, third) == Bar::kNone &&
             bar(other, third) != Bar::kNone;
    });
  };
  Groups groups;
  const auto outcome_of = [&](const MergeCandidate& one) {
    if (one.score < threshold) return Outcome::kOpen;
    if (bar(one.first, one.second) != Bar::kNone) return Outcome::kToldApart;
    const Index a = groups.find(one.first), b = groups.find(one.second);
    if (a == b) return Outcome::kAccepted;
    if (has_rival(one, one.first) || has_rival(one, one.second)) return Outcome::kAmbiguous;
    const std::vector<Index> mine = groups.members(a), yours = groups.members(b);
    if (mine.size() * yours.size() > kMostGroupPairs) return Outcome::kTooMany;
    for (const Index x : mine) {
      for (const Index y : yours) {
        if (bar(x, y) != Bar::kNone) return Outcome::kClash;
      }
    }
    groups.join(a, b);
    return Outcome::kAccepted;
  };
  for (const std::uint32_t k : order) out[k] = outcome_of(candidates[k]);
  return out;
}

}  // namespace cupel
