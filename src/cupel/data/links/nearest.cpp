#include "cupel/data/links/nearest.h"

#include <algorithm>
#include <limits>

#include "cupel/data/links/batch_rows.h"

namespace cupel {

namespace {

// The entries of one column that may be among its `count` best.
class Best {
 public:
  explicit Best(Index count) : count_(static_cast<std::size_t>(count)), limit_(4 * count_) {}

  // What entries to come must reach.
  float bound() const { return bound_; }

  void add(Shortlist::Entry entry) {
    entries_.push_back(entry);
    if (entries_.size() >= limit_) drop();
  }

  Shortlist list() const {
    Shortlist out = shortlist(entries_, static_cast<Index>(count_));
    out.complete = out.complete && !dropped_;
    return out;
  }

 private:
  void drop() {
    std::vector<float> scores;
    for (const auto& entry : entries_) scores.push_back(entry.score);
    const auto last = scores.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(scores.begin(), last, scores.end(), std::greater<>());
    bound_ = *last;
    dropped_ =
        std::erase_if(entries_, [&](const auto& e) { return e.score < bound_; }) > 0 || dropped_;
    limit_ = std::max(limit_, 2 * entries_.size());  // ties are all kept
  }

  std::size_t count_, limit_;
  float bound_ = std::numeric_limits<float>::denorm_min();
  bool dropped_ = false;
  std::vector<Shortlist::Entry> entries_;
};

}  // namespace

std::vector<Shortlist> shortlists(std::span<const float> rows, std::size_t columns, Index count) {
  std::vector<Best> best(columns, Best(count));
  // Of columns that are not asked for: what nothing reaches.
  alignas(kAlignment) float bounds[kBatch];
  std::fill_n(bounds, kBatch, std::numeric_limits<float>::infinity());
  for (std::size_t c = 0; c < columns; ++c) bounds[c] = best[c].bound();
  const auto end = static_cast<Index>(rows.size() / kBatch);
  for (Index node = 0; (node = batch_rows::first_reaching(rows.data(), node, end, bounds)) < end;
       ++node) {
    const float* row = rows.data() + static_cast<std::size_t>(node) * kBatch;
    for (std::size_t c = 0; c < columns; ++c) {
      if (row[c] < bounds[c]) continue;
      best[c].add({row[c], node});
      bounds[c] = best[c].bound();
    }
  }
  std::vector<Shortlist> out;
  for (const Best& column : best) out.push_back(column.list());
  return out;
}

Shortlist shortlist(std::span<const Shortlist::Entry> scored, Index count) {
  Shortlist out;
  std::vector<float> positive;
  positive.reserve(scored.size());
  for (const auto& entry : scored) {
    if (entry.score > 0) positive.push_back(entry.score);
  }
  if (positive.empty() || count <= 0) return out;
  float least = 0;  // listed are scores from here on
  if (std::ssize(positive) > count) {
    const auto last = positive.begin() + (count - 1);
    std::nth_element(positive.begin(), last, positive.end(), std::greater<>());
    least = *last;
    out.complete = false;
  } else {
    least = *std::min_element(positive.begin(), positive.end());
  }
  Index listed_ties = 0;
  for (const auto& entry : scored) {
    if (!(entry.score > 0) || entry.score < least) continue;
    if (entry.score == least) {
      ++out.last_ties;
      if (++listed_ties > count) continue;
    }
    out.entries.push_back(entry);
  }
  std::stable_sort(out.entries.begin(), out.entries.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return out;
}

RankPicker::RankPicker(Index nodes, Unscored unscored)
    : unscored_(unscored), best_(static_cast<std::size_t>(nodes), 0) {}

void RankPicker::rank(const Measure& measure, Index without) {
  const Shortlist& list = *measure.list;
  Offset passed = 0, first = 0, last = 0;
  for (std::size_t begin = 0, end = 0; begin < list.entries.size(); begin = end) {
    const float score = list.entries[begin].score;
    while (end < list.entries.size() && list.entries[end].score == score) ++end;
    Offset ties = end == list.entries.size() ? list.last_ties : static_cast<Offset>(end - begin);
    ties -= measure.without_score == score;
    if (ties == 0) continue;
    if (passed == 0) first = ties;
    passed += ties;
    last = passed - first + 1;
    for (std::size_t at = begin; at < end; ++at) {
      const Index node = list.entries[at].node;
      if (node == without) continue;
      Offset& best = best_[static_cast<std::size_t>(node)];
      if (best == 0) ranked_.push_back(node);
      if (best == 0 || last < best) best = last;
    }
  }
  if (unscored_ == Unscored::kLast && list.complete)
    unscored_rank_ = unscored_rank_ == 0 ? last + 1 : std::min(unscored_rank_, last + 1);
}

std::vector<Index> RankPicker::pick(std::span<const Measure> measures, Index without,
                                    std::span<const Index> excluded, Index count) {
  for (const Measure& measure : measures) rank(measure, without);
  // A score that ranks behind those without one is worth no more than theirs.
  const bool enough = std::ssize(ranked_) >= count;
  const Offset worst =
      enough && unscored_rank_ > 0 ? unscored_rank_ : std::numeric_limits<Offset>::max();
  std::vector<Index> picked;
  for (const Index node : ranked_) {
    if (best_[static_cast<std::size_t>(node)] < worst) picked.push_back(node);
  }
  const auto better = [&](Index a, Index b) {
    const Offset left = best_[static_cast<std::size_t>(a)],
                 right = best_[static_cast<std::size_t>(b)];
    return left != right ? left < right : a < b;
  };
  if (std::ssize(picked) > count) {
    std::nth_element(picked.begin(), picked.begin() + count, picked.end(), better);
    picked.resize(static_cast<std::size_t>(count));
  }
  std::sort(picked.begin(), picked.end());
  for (const Index node : ranked_) best_[static_cast<std::size_t>(node)] = 0;
  ranked_.clear();
  unscored_rank_ = 0;

  // The others are equal: the lowest ids that are neither picked nor excluded.
  std::vector<Index> more;
  auto taken = picked.begin();
  auto left_out = excluded.begin();
  for (Index node = 0; node < static_cast<Index>(best_.size()); ++node) {
    if (std::ssize(picked) + std::ssize(more) == count) break;
    while (taken != picked.end() && *taken < node) ++taken;
    while (left_out != excluded.end() && *left_out < node) ++left_out;
    const bool out = node == without || (taken != picked.end() && *taken == node) ||
                     (left_out != excluded.end() && *left_out == node);
    if (!out) more.push_back(node);
  }
  const auto middle = picked.insert(picked.end(), more.begin(), more.end());
  std::inplace_merge(picked.begin(), middle, picked.end());
  return picked;
}

}  // namespace cupel
