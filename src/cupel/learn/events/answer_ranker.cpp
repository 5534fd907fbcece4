#include "cupel/learn/events/answer_ranker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cupel/base/error.h"

namespace cupel {
namespace {

// Truths from which on it pays to sort what they are compared with.
constexpr std::size_t kManyTruths = 8;
constexpr std::uint32_t kDrawCandidates = 0x43414E44;

struct Compared {
  Offset above = 0, equal = 0;
};

// Of `scores`, which ascend if they are sorted.
Compared compare(std::span<const float> scores, float with, bool sorted) {
  Compared out;
  if (sorted) {
    const auto [first, last] = std::equal_range(scores.begin(), scores.end(), with);
    out.above = scores.end() - last, out.equal = last - first;
    return out;
  }
  // Two counts that the compiler vectorises; 32 bits are enough for as many entities.
  std::int32_t above = 0, equal = 0;
  for (const float score : scores) above += score > with, equal += score == with;
  out.above = above, out.equal = equal;
  return out;
}

void refuse(float score) {
  if (std::isnan(score)) fail("a score of an entity is not a number");
}

}  // namespace

AnswerRanker::AnswerRanker(Index entities)
    : entities_(entities),
      scores_(static_cast<std::size_t>(entities)),
      is_named_(static_cast<std::size_t>(entities)) {}

void AnswerRanker::set(std::span<const float> scores) {
  if (std::ssize(scores) != entities_)
    throw std::logic_error("[answers] scores are not one for each entity");
  any_ = true;
  for (const float score : scores) refuse(score);
  std::ranges::copy(scores, scores_.begin());
  all_named_ = true, gathered_ = false;
}

void AnswerRanker::set(std::span<const EntityScore> named, float rest) {
  any_ = true;
  refuse(rest);
  const auto same = [](const EntityScore& a, const EntityScore& b) {
    return a.entity == b.entity && a.score == b.score;
  };
  if (!all_named_ && rest == rest_ && std::ranges::equal(named, named_, same)) return;
  gathered_ = false;
  if (all_named_ || rest != rest_) {
    std::ranges::fill(scores_, rest);
  } else {
    for (const EntityScore& one : named_) scores_[static_cast<std::size_t>(one.entity)] = rest;
  }
  for (const EntityScore& one : named_) is_named_[static_cast<std::size_t>(one.entity)] = 0;
  all_named_ = false, rest_ = rest;
  named_.clear();
  for (const auto& [entity, score] : named) {
    refuse(score);
    const auto at = static_cast<std::size_t>(entity);
    if (entity < 0 || entity >= entities_ || is_named_[at] != 0)
      throw std::logic_error("[answers] an entity is named twice, or is none");
    is_named_[at] = 1, scores_[at] = score;
    named_.push_back({entity, score});
  }
}

void AnswerRanker::gather(const RankedAmong& among, std::size_t truths) {
  const bool again =
      gathered_ && gathered_types_ == among.types.data() && gathered_type_ == among.type;
  if (!again) {
    candidates_.clear();
    if (all_named_) {
      for (Index e = 0; e < entities_; ++e)
        if (is_candidate(among, e)) candidates_.push_back(score_of(e));
    } else {
      for (const EntityScore& one : named_)
        if (is_candidate(among, one.entity)) candidates_.push_back(one.score);
    }
    gathered_ = true, sorted_ = false, truths_ = 0;
    gathered_types_ = among.types.data(), gathered_type_ = among.type;
  }
  truths_ += truths;
  if (!sorted_ && truths_ >= kManyTruths) {
    std::ranges::sort(candidates_);
    sorted_ = true;
  }
}

void AnswerRanker::places(const RankedAmong& among, std::span<const Index> truths,
                          std::span<const Offset> questions, std::span<PlaceCounts> out) {
  if (among.sampled > 0) {
    for (std::size_t i = 0; i < truths.size(); ++i)
      out[i] = place_among_drawn(among, truths[i], questions[i]);
    return;
  }
  gather(among, truths.size());
  filtered_.clear();
  for (const Index e : among.filter)
    if (is_candidate(among, e)) filtered_.push_back(score_of(e));
  const bool many = truths.size() >= kManyTruths;
  if (many) std::ranges::sort(filtered_);
  // That have the rest's score.
  const Offset others = Offset{among.candidates} - std::ssize(candidates_);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const float mine = score_of(truths[i]);
    Compared all = compare(candidates_, mine, sorted_);
    (rest_ > mine ? all.above : all.equal) += rest_ < mine ? 0 : others;
    const Compared without = compare(filtered_, mine, many);
    const bool in_filter = std::ranges::binary_search(among.filter, truths[i]);
    // It is a candidate itself, once, whether it is in the filter or not.
    out[i] = {all.above - without.above, all.equal - without.equal - (in_filter ? 0 : 1),
              Offset{among.candidates} - std::ssize(filtered_) - (in_filter ? 0 : 1),
              mine != -std::numeric_limits<float>::infinity()};
  }
}

PlaceCounts AnswerRanker::place_among_drawn(const RankedAmong& among, Index truth,
                                            Offset question) const {
  const float mine = score_of(truth);
  PlaceCounts out;
  out.known = mine != -std::numeric_limits<float>::infinity();
  const auto counts = [&](Index e) {
    return e != truth && is_candidate(among, e) && !std::ranges::binary_search(among.filter, e);
  };
  const auto count = [&](Index e) {
    const float other = score_of(e);
    out.above += other > mine, out.ties += other == mine, ++out.candidates;
  };
  const bool in_filter = std::ranges::binary_search(among.filter, truth);
  const auto filtered =
      std::ranges::count_if(among.filter, [&](Index e) { return is_candidate(among, e); });
  const Offset free = Offset{among.candidates} - filtered - (in_filter ? 0 : 1);
  Stream stream(among.key, kDrawCandidates, static_cast<std::uint32_t>(question >> 32),
                static_cast<std::uint32_t>(question));
  if (2 * among.sampled >= free) {
    // Most of them: each is taken with the chance that makes the number right (Knuth, algorithm S).
    Offset wanted = std::min(among.sampled, free), left = free;
    for (Index e = 0; e < entities_ && wanted > 0; ++e) {
      if (!counts(e)) continue;
      if (Offset{stream.next_below(static_cast<std::uint32_t>(left))} < wanted) count(e), --wanted;
      --left;
    }
    return out;
  }
  // Fewer than half: draws that repeat, or do not count, are drawn again.
  std::vector<Index> drawn;
  drawn.reserve(static_cast<std::size_t>(among.sampled));
  while (std::ssize(drawn) < among.sampled) {
    const auto e = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(entities_)));
    if (counts(e)) drawn.push_back(e);
    if (std::ssize(drawn) < among.sampled) continue;
    std::ranges::sort(drawn);
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  }
  for (const Index e : drawn) count(e);
  return out;
}

}  // namespace cupel
