#include "cupel/data/links/rank_counter.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/base/error.h"

namespace cupel {
namespace {

constexpr Offset kQuestions = 64;  // in a block of parallel work

struct Counts {
  Offset above = 0, ties = 0;
  void add(float score, float of) {
    above += score > of;
    ties += score == of;
  }
};

}  // namespace

RankCounter::RankCounter(const Ranking& ranking, Threads threads)
    : ranking_(ranking), threads_(threads) {
  const Asked& asked = ranking.asked;
  const Questions& questions = ranking.questions;
  const auto size = static_cast<std::size_t>(questions.size());
  counts_.above.resize(size);
  counts_.ties.resize(size);
  counts_.candidates.resize(size);
  if (questions.form != CandidateForm::kAll) {
    held_.reserve(static_cast<std::size_t>(asked.rows()));
    return;
  }
  held_.reserve(static_cast<std::size_t>(asked.width()));
  block_start_.assign(asked.sources.size() + 1, 0);
  for (const Offset row : questions.positive) ++block_start_[row / asked.width() + 1];
  for (std::size_t b = 1; b < block_start_.size(); ++b) block_start_[b] += block_start_[b - 1];
  by_block_.resize(size);
  std::vector<Offset> next(block_start_.begin(), block_start_.end() - 1);
  for (Offset q = 0; q < questions.size(); ++q)
    by_block_[next[questions.positive[q] / asked.width()]++] = q;
}

void RankCounter::add(std::span<const float> scores) {
  const Asked& asked = ranking_.asked;
  if (std::ssize(scores) > asked.rows() - taken_)
    throw std::logic_error("RankCounter: there are more scores than rows");
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isnan(scores[i])) continue;
    const Pair pair = asked.pair(taken_ + static_cast<Offset>(i));
    fail("the score of the pair ({}, {}) is not a number, and pairs are ranked by score",
         pair.source, pair.target);
  }
  if (ranking_.questions.form != CandidateForm::kAll) {
    held_.insert(held_.end(), scores.begin(), scores.end());
    taken_ += std::ssize(scores);
    return;
  }
  while (!scores.empty()) {
    const auto room = static_cast<std::size_t>(asked.width()) - held_.size();
    const auto part = scores.first(std::min(room, scores.size()));
    held_.insert(held_.end(), part.begin(), part.end());
    taken_ += std::ssize(part);
    scores = scores.subspan(part.size());
    if (std::ssize(held_) == asked.width()) {
      count_block(taken_ / asked.width() - 1);
      held_.clear();
    }
  }
}

void RankCounter::require_all() const {
  if (taken_ != ranking_.asked.rows())
    throw std::logic_error("RankCounter: not all rows have been scored");
}

RankCounts RankCounter::finish() {
  require_all();
  if (ranking_.questions.form == CandidateForm::kPool) count_pool(counts_);
  if (ranking_.questions.form == CandidateForm::kLists) count_lists(counts_);
  return counts_;
}

PoolScores RankCounter::pool_scores() const {
  require_all();
  if (ranking_.questions.form != CandidateForm::kPool)
    throw std::logic_error("RankCounter: candidates are not a pool");
  PoolScores out;
  out.scores = held_;
  out.positive.assign(held_.size(), 1);
  for (const Offset row : ranking_.questions.rows) out.positive[row] = 0;
  return out;
}

void RankCounter::count_pool(RankCounts& out) const {
  const Questions& questions = ranking_.questions;
  std::vector<float> sorted;
  sorted.reserve(questions.rows.size());
  for (const Offset row : questions.rows) sorted.push_back(held_[row]);
  std::sort(sorted.begin(), sorted.end());
  for (Offset q = 0; q < questions.size(); ++q) {
    const auto equal = std::equal_range(sorted.begin(), sorted.end(), held_[questions.positive[q]]);
    out.above[q] = sorted.end() - equal.second;
    out.ties[q] = equal.second - equal.first;
    out.candidates[q] = std::ssize(sorted);
  }
}

void RankCounter::count_lists(RankCounts& out) const {
  const Questions& questions = ranking_.questions;
  parallel_blocks(threads_, questions.size(), kQuestions, [&](Offset begin, Offset end) {
    for (Offset q = begin; q < end; ++q) {
      const float own = held_[questions.positive[q]];
      Counts counts;
      for (Offset at = questions.start[q]; at < questions.start[q + 1]; ++at)
        counts.add(held_[questions.rows[at]], own);
      out.above[q] = counts.above;
      out.ties[q] = counts.ties;
      out.candidates[q] = questions.start[q + 1] - questions.start[q];
    }
  });
}

void RankCounter::count_block(Offset block) {
  const Questions& questions = ranking_.questions;
  const std::span<const Index> filtered(questions.filtered.data() + questions.start[block],
                                        questions.filtered.data() + questions.start[block + 1]);
  const Offset first = block_start_[block], count = block_start_[block + 1] - first;
  parallel_blocks(threads_, count, kQuestions, [&](Offset begin, Offset end) {
    for (Offset at = first + begin; at < first + end; ++at) {
      const Offset q = by_block_[at];
      const auto column = static_cast<Index>(questions.positive[q] % ranking_.asked.width());
      const float own = held_[column];
      Counts all, out;
      for (const float score : held_) all.add(score, own);
      // The positive ties with itself, once, whether or not the filter names it.
      out.ties = 1;
      Offset left_out = 1;
      for (const Index other : filtered) {
        if (other == column) continue;
        out.add(held_[other], own);
        ++left_out;
      }
      counts_.above[q] = all.above - out.above;
      counts_.ties[q] = all.ties - out.ties;
      counts_.candidates[q] = ranking_.asked.width() - left_out;
    }
  });
}

}  // namespace cupel
