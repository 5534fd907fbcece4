#include "cupel/data/links/candidates.h"

#include <algorithm>
#include <stdexcept>

#include "cupel/base/sort_unique.h"

namespace cupel {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("make_ranking: ") + what);
}

void require_pairs(std::span<const Pair> pairs, bool directed, Index nodes) {
  for (const Pair& pair : pairs) {
    require(pair.source >= 0 && pair.target >= 0 && pair.source < nodes && pair.target < nodes,
            "a pair is out of range");
    require(directed ? pair.source != pair.target : pair.source < pair.target,
            "a pair is a loop or the wrong way round");
  }
}

std::vector<Pair> distinct(std::vector<Pair> pairs) {
  sort_unique(pairs);
  return pairs;
}

std::vector<Offset> rows_of(const Asked& asked, std::span<const Pair> pairs) {
  std::vector<Offset> out;
  out.reserve(pairs.size());
  for (const Pair& pair : pairs)
    out.push_back(std::lower_bound(asked.pairs.begin(), asked.pairs.end(), pair) -
                  asked.pairs.begin());
  return out;
}

Ranking listed(std::span<const Pair> positives, const std::vector<Pair>& negatives) {
  Ranking out;
  out.asked.pairs.assign(positives.begin(), positives.end());
  out.asked.pairs.insert(out.asked.pairs.end(), negatives.begin(), negatives.end());
  out.asked.pairs = distinct(std::move(out.asked.pairs));
  out.questions.positive = rows_of(out.asked, positives);
  out.questions.rows = rows_of(out.asked, negatives);
  return out;
}

Ranking of(std::span<const Pair> positives, const CandidatePool& pool) {
  Ranking out = listed(positives, pool.pairs);
  out.questions.form = CandidateForm::kPool;
  const std::vector<Pair> different = distinct({positives.begin(), positives.end()});
  require(std::adjacent_find(out.questions.rows.begin(), out.questions.rows.end(),
                             std::greater_equal<>()) == out.questions.rows.end(),
          "a pool does not ascend");
  require(different.size() + pool.pairs.size() == out.asked.pairs.size(),
          "a pool holds a positive");
  return out;
}

Ranking of(std::span<const Pair> positives, const CandidateLists& lists) {
  require(lists.start.size() == positives.size() + 1 && lists.start.front() == 0 &&
              lists.start.back() == std::ssize(lists.pairs),
          "there is not a list for each positive");
  Ranking out = listed(positives, lists.pairs);
  out.questions.form = CandidateForm::kLists;
  out.questions.start = lists.start;
  for (std::size_t q = 0; q < positives.size(); ++q) {
    const std::span<const Pair> list(lists.pairs.data() + lists.start[q],
                                     lists.pairs.data() + lists.start[q + 1]);
    require(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end(),
            "a list does not ascend");
    require(!std::binary_search(list.begin(), list.end(), positives[q]),
            "a list holds its positive");
  }
  return out;
}

// The columns of the source's block that count for no question of it.
void add_filter(Questions& questions, const AllTargets& all, Index source) {
  const auto known = all.filter.row_columns(source);
  const auto add = [&](Index target) {
    if (target >= all.begin && target < all.end) questions.filtered.push_back(target - all.begin);
  };
  auto at = known.begin();
  for (; at != known.end() && *at < source; ++at) add(*at);
  add(source);
  if (at != known.end() && *at == source) ++at;
  for (; at != known.end(); ++at) add(*at);
  questions.start.push_back(std::ssize(questions.filtered));
}

Ranking of(std::span<const Pair> positives, bool directed, Index nodes, const AllTargets& all) {
  require(all.begin >= 0 && all.begin < all.end && all.end <= nodes, "no target is asked about");
  require(all.filter.rows == nodes && all.filter.cols == nodes, "the filter has another size");
  Ranking out;
  out.asked.begin = all.begin;
  out.asked.end = all.end;
  std::vector<Index>& sources = out.asked.sources;
  for (const Pair& pair : positives) {
    sources.push_back(pair.source);
    if (!directed) sources.push_back(pair.target);
  }
  sort_unique(sources);
  Questions& questions = out.questions;
  questions.form = CandidateForm::kAll;
  questions.per_positive = directed ? 1 : 2;
  questions.start = {0};
  for (const Index source : sources) add_filter(questions, all, source);
  const auto ask = [&](Index source, Index target) {
    require(target >= all.begin && target < all.end, "a positive's target is of another type");
    const Offset block = std::lower_bound(sources.begin(), sources.end(), source) - sources.begin();
    questions.positive.push_back(block * out.asked.width() + target - all.begin);
  };
  for (const Pair& pair : positives) {
    ask(pair.source, pair.target);
    if (!directed) ask(pair.target, pair.source);
  }
  return out;
}

}  // namespace

Offset Asked::rows() const {
  return all_targets() ? static_cast<Offset>(sources.size()) * width() : std::ssize(pairs);
}

Pair Asked::pair(Offset row) const {
  if (!all_targets()) return pairs[static_cast<std::size_t>(row)];
  return {sources[static_cast<std::size_t>(row / width())],
          static_cast<Index>(begin + row % width())};
}

Ranking make_ranking(std::span<const Pair> positives, bool directed, Index nodes,
                     const Candidates& candidates) {
  require_pairs(positives, directed, nodes);
  if (const auto* pool = std::get_if<CandidatePool>(&candidates)) {
    require_pairs(pool->pairs, directed, nodes);
    return of(positives, *pool);
  }
  if (const auto* lists = std::get_if<CandidateLists>(&candidates)) {
    require_pairs(lists->pairs, directed, nodes);
    return of(positives, *lists);
  }
  return of(positives, directed, nodes, std::get<AllTargets>(candidates));
}

CandidateCounts candidate_counts(const Ranking& ranking) {
  const Questions& questions = ranking.questions;
  const Offset pool = std::ssize(questions.rows);
  if (questions.size() == 0) return {};
  if (questions.form == CandidateForm::kPool) return {pool, pool};
  CandidateCounts out{pool + ranking.asked.width(), 0};
  for (Offset q = 0; q < questions.size(); ++q) {
    Offset count = 0;
    if (questions.form == CandidateForm::kLists) {
      count = questions.start[q + 1] - questions.start[q];
    } else {
      const Offset width = ranking.asked.width(), block = questions.positive[q] / width;
      const auto column = static_cast<Index>(questions.positive[q] % width);
      const std::span<const Index> filtered(questions.filtered.data() + questions.start[block],
                                            questions.filtered.data() + questions.start[block + 1]);
      const bool own = std::binary_search(filtered.begin(), filtered.end(), column);
      count = width - std::ssize(filtered) - (own ? 0 : 1);
    }
    out.smallest = std::min(out.smallest, count);
    out.largest = std::max(out.largest, count);
  }
  return out;
}

}  // namespace cupel
