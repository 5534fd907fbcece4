#include "cupel/learn/events/embeddings/fact_sample.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "cupel/learn/events/limits_watch.h"

namespace cupel {
namespace {

constexpr std::uint32_t kDrawnQuestions = 0x656d6276;  // "embv"
constexpr Offset kScoresTogether = 1 << 20;

auto order_of(std::int64_t time, const EventQuery& query) {
  return std::tuple(time, query.given, query.relation, query.source_asked);
}

// The query at one end of a fact, and its answer.
std::pair<EventQuery, Index> asked_at(const FactColumns& facts, const EventWorld& world,
                                      Offset fact, bool source_asked) {
  const auto at = static_cast<std::size_t>(fact);
  const Index s = facts.source[at], r = facts.relation_of(fact), o = facts.target[at];
  if (!source_asked) return {{s, r, false}, o};
  return {{o, r, !is_undirected(world.undirected, r)}, s};
}

}  // namespace

FactSample::FactSample(const FactColumns& facts, const EventWorld& world, const FactQueries& train,
                       Offset size, StreamKey key, const RunLimits& limits)
    : is_candidate_(static_cast<std::size_t>(world.entities)) {
  for (const EventQuery& query : train.query)
    is_candidate_[static_cast<std::size_t>(query.given)] = 1;
  // Numbers of questions: 2 fact, and 1 more where the source is asked.
  std::vector<Offset> drawn;
  const Offset all = 2 * facts.size();
  if (all <= size) {
    for (Offset i = 0; i < all; ++i) drawn.push_back(i);
  } else {
    Stream stream(key, kDrawnQuestions);
    for (Offset i = 0; i < size; ++i)
      drawn.push_back(static_cast<Offset>(stream.next_unit() * static_cast<double>(all)));
  }
  struct Drawn {
    std::int64_t time;
    EventQuery query;
    Index answer;
    auto order() const { return std::tuple_cat(order_of(time, query), std::tuple(answer)); }
  };
  std::vector<Drawn> sorted;
  for (const Offset i : drawn) {
    const auto [query, answer] = asked_at(facts, world, i / 2, i % 2 == 1);
    sorted.push_back({facts.time[static_cast<std::size_t>(i / 2)], query, answer});
  }
  std::ranges::sort(sorted, {}, &Drawn::order);
  const auto order = [](const Question& q) { return order_of(q.time, q.query); };
  for (const Drawn& one : sorted) {
    if (questions_.empty() || order(questions_.back()) != order_of(one.time, one.query))
      questions_.push_back({one.time, one.query, {}, {}});
    questions_.back().asked.push_back(one.answer);
  }
  if (questions_.empty()) return;
  LimitsWatch watch(limits);
  for (Offset i = 0; i < all; ++i) {
    watch.walked(1);
    const auto [query, answer] = asked_at(facts, world, i / 2, i % 2 == 1);
    const auto wanted = order_of(facts.time[static_cast<std::size_t>(i / 2)], query);
    const auto found = std::ranges::lower_bound(questions_, wanted, {}, order);
    if (found != questions_.end() && order(*found) == wanted) found->truths.push_back(answer);
  }
  for (Question& question : questions_) {
    std::ranges::sort(question.truths);
    question.truths.erase(std::unique(question.truths.begin(), question.truths.end()),
                          question.truths.end());
  }
}

double FactSample::reciprocal_ranks(const Question& question, std::span<const float> scores) const {
  double sum = 0;
  for (const Index answer : question.asked) {
    if (is_candidate_[static_cast<std::size_t>(answer)] == 0) continue;
    const float score = scores[static_cast<std::size_t>(answer)];
    Offset above = 0, ties = 0;
    for (std::size_t e = 0; e < scores.size(); ++e) {
      if (scores[e] < score || is_candidate_[e] == 0) continue;
      ++(scores[e] > score ? above : ties);
    }
    for (const Index truth : question.truths) {
      const auto at = static_cast<std::size_t>(truth);
      if (scores[at] < score || is_candidate_[at] == 0) continue;
      --(scores[at] > score ? above : ties);
    }
    sum += 1 / (1 + static_cast<double>(above) + static_cast<double>(ties) / 2);
  }
  return sum;
}

double FactSample::mean_reciprocal_rank(const FactEmbeddings& at, Threads threads,
                                        const RunLimits& limits) const {
  const Offset entities = at.entities.rows;
  const Offset most = std::max<Offset>(1, std::min<Offset>(kScoresTogether / entities, 256));
  Matrix q(static_cast<Index>(most), at.entities.cols),
      scores(static_cast<Index>(most), at.entities.rows);
  std::vector<double> sums(questions_.size());
  for (std::size_t begin = 0; begin < questions_.size(); begin += static_cast<std::size_t>(most)) {
    limits.check();
    const std::size_t count = std::min(static_cast<std::size_t>(most), questions_.size() - begin);
    const auto rows = static_cast<Index>(count);
    std::vector<EventQuery> queries;
    for (std::size_t i = 0; i < count; ++i) queries.push_back(questions_[begin + i].query);
    const DenseView some_q{q.values.data(), rows, q.cols, q.cols},
        some_scores{scores.values.data(), rows, scores.cols, scores.cols};
    compose_queries(at, queries, threads, some_q);
    compare(at.form.scoring, threads, some_q, at.entities, some_scores);
    parallel_blocks(threads, rows, 1, [&](std::int64_t i, std::int64_t) {
      sums[begin + static_cast<std::size_t>(i)] = reciprocal_ranks(
          questions_[begin + static_cast<std::size_t>(i)],
          {scores.row(static_cast<Index>(i)), static_cast<std::size_t>(scores.cols)});
    });
  }
  double sum = 0, asked = 0;
  for (std::size_t i = 0; i < questions_.size(); ++i)
    sum += sums[i], asked += static_cast<double>(questions_[i].asked.size());
  return asked > 0 ? sum / asked : 0;
}

}  // namespace cupel
