#include "cupel/learn/events/embeddings/fact_objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cupel {
namespace {

constexpr Offset kScoresTogether = 1 << 21, kAnswersTogether = 1 << 13;
constexpr Offset kFewestTogether = 8;
// Gradients of rows that several queries share are added by whoever owns the row.
constexpr std::int64_t kOwners = 16;

template <class M>
auto row_of(M& m, Index i) {
  return std::span(m.row(i), static_cast<std::size_t>(m.cols));
}

void add_to(std::span<float> sum, std::span<const float> more) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
}

}  // namespace

void RowGradients::touch(Index row) {
  std::uint8_t& flag = is_touched[static_cast<std::size_t>(row)];
  if (flag == 0) touched.push_back(row);
  flag = 1;
}

void RowGradients::clear() {
  for (const Index row : touched) {
    std::ranges::fill(row_of(values, row), 0.0f);
    is_touched[static_cast<std::size_t>(row)] = 0;
  }
  touched.clear();
}

// Some queries of a batch that are worked on together.
struct FactObjective::Part {
  Part(const FactQueries& all, std::span<const Offset> numbers, Index dimension, Index candidates,
       bool keep_scores)
      : number(numbers),
        q(static_cast<Index>(numbers.size()), dimension),
        grad_q(q.rows, dimension),
        more_grad_q(q.rows, dimension),
        scores(q.rows, candidates),
        kept_scores(keep_scores ? q.rows : 0, candidates),
        losses(numbers.size()) {
    for (const Offset i : numbers) {
      const auto at = static_cast<std::size_t>(i);
      query.push_back(all.query[at]);
      first.push_back(first.back() + all.first[at + 1] - all.first[at]);
    }
    answers = Matrix(static_cast<Index>(first.back()), dimension);
    answer_gradients = Matrix(answers.rows, dimension);
  }

  std::span<const Offset> number;
  std::vector<EventQuery> query;
  std::vector<Offset> first = {0};  // of its answers, in the two below
  Matrix answers, answer_gradients;
  Matrix q, grad_q, more_grad_q;
  Matrix scores, kept_scores;  // of candidates, and then their gradients
  std::vector<double> losses;
};

FactObjective::FactObjective(const FactQueries& queries, Index entities, RowLoss loss,
                             FactPenalty penalty, Threads threads)
    : queries_(queries),
      loss_(loss),
      penalty_(penalty),
      threads_(threads),
      place_(static_cast<std::size_t>(entities), -1) {}

double FactObjective::add(const FactEmbeddings& at, std::span<const Offset> batch,
                          std::span<const Index> candidates, RowGradients& entities,
                          RowGradients& relations, const RunLimits& limits) {
  candidates_ = candidates;
  const bool all = candidates.empty();
  const Index dimension = at.entities.cols;
  const Index count = all ? at.entities.rows : static_cast<Index>(candidates.size());
  if (candidate_gradients_.rows != count) candidate_gradients_ = Matrix(count, dimension);
  if (!all && chosen_.rows != count) chosen_ = Matrix(count, dimension);
  for (Index j = 0; j < count; ++j) {
    const Index entity = all ? j : candidates[static_cast<std::size_t>(j)];
    place_[static_cast<std::size_t>(entity)] = j;
    entities.touch(entity);
    if (!all) std::ranges::copy(row_of(at.entities, entity), chosen_.row(j));
  }
  double loss = 0;
  const Offset most = std::max(kFewestTogether, kScoresTogether / std::max<Offset>(1, count));
  for (std::size_t i = 0; i < batch.size();) {
    limits.check();
    const std::size_t begin = i;
    Offset answers = 0;
    while (i < batch.size() && static_cast<Offset>(i - begin) < most &&
           answers < kAnswersTogether) {
      const auto query = static_cast<std::size_t>(batch[i++]);
      answers += queries_.first[query + 1] - queries_.first[query];
    }
    loss += add_part(at, batch.subspan(begin, i - begin), all ? at.entities : chosen_, entities,
                     relations);
  }
  for (const Index entity : candidates) place_[static_cast<std::size_t>(entity)] = -1;
  return loss;
}

// The answers of one query against the candidates.
void FactObjective::meet(const FactEmbeddings& at, Part& part, std::size_t i) {
  const auto begin =
                 static_cast<std::size_t>(queries_.first[static_cast<std::size_t>(part.number[i])]),
             size = static_cast<std::size_t>(part.first[i + 1] - part.first[i]);
  const auto answers = std::span(queries_.answer).subspan(begin, size);
  const auto counts = std::span(queries_.count).subspan(begin, size);
  const Index dimension = part.q.cols, first = static_cast<Index>(part.first[i]),
              n = static_cast<Index>(size), row = static_cast<Index>(i);
  const std::span<float> others = row_of(part.scores, row);
  if (!part.kept_scores.values.empty()) std::ranges::copy(others, part.kept_scores.row(row));
  for (std::size_t a = 0; a < size; ++a) {
    std::ranges::copy(row_of(at.entities, answers[a]),
                      part.answers.row(first + static_cast<Index>(a)));
    const Index place = place_[static_cast<std::size_t>(answers[a])];
    if (place >= 0)
      others[static_cast<std::size_t>(place)] = -std::numeric_limits<float>::infinity();
  }
  const ConstDenseView q{part.q.row(row), 1, dimension, dimension},
      of_answers{part.answers.row(first), n, dimension, dimension};
  std::vector<float> scores(size), gradients(size);
  compare(at.form.scoring, {1}, q, of_answers, {scores.data(), 1, n, n});
  gradients = scores;
  part.losses[i] = loss_(gradients, counts, others, static_cast<double>(at.entities.rows - n));
  compare_backward(at.form.scoring, {1}, q, of_answers, {scores.data(), 1, n, n},
                   {gradients.data(), 1, n, n},
                   {part.more_grad_q.row(row), 1, dimension, dimension},
                   {part.answer_gradients.row(first), n, dimension, dimension});
  for (std::size_t a = 0; a < size; ++a)
    add_penalty(at, counts[a], row_of(at.entities, answers[a]),
                row_of(part.answer_gradients, first + static_cast<Index>(a)), part.losses[i]);
}

double FactObjective::add_part(const FactEmbeddings& at, std::span<const Offset> numbers,
                               ConstDenseView candidates, RowGradients& entities,
                               RowGradients& relations) {
  const FactScoring& scoring = at.form.scoring;
  const bool keep = scoring.score == FactScore::kTransE && scoring.norm == kernels::Norm::kL2;
  Part part(queries_, numbers, at.entities.cols, candidates.rows, keep);
  compose_queries(at, part.query, threads_, view(part.q));
  compare(scoring, threads_, part.q, candidates, view(part.scores));
  const auto rows = static_cast<std::int64_t>(numbers.size());
  const auto over_queries = [&](const auto& body) {
    parallel_blocks(threads_, rows, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
    });
  };
  over_queries([&](std::size_t i) { meet(at, part, i); });
  compare_backward(scoring, threads_, part.q, candidates, part.kept_scores, view(part.scores),
                   view(part.grad_q), view(candidate_gradients_));

  Matrix of_given(part.q.rows, part.q.cols), of_relation(part.q.rows, part.q.cols);
  over_queries([&](std::size_t i) {
    const auto row = static_cast<Index>(i);
    add_to(row_of(part.grad_q, row), row_of(part.more_grad_q, row));
    const EventQuery& query = part.query[i];
    const RelationUse use = at.use(query);
    const auto given = row_of(at.entities, query.given), relation = row_of(at.relations, use.row);
    compose_backward(scoring, use.inverse, given, relation, row_of(part.grad_q, row),
                     row_of(of_given, row), row_of(of_relation, row));
    const auto begin = queries_.first[static_cast<std::size_t>(numbers[i])];
    const double facts =
        std::accumulate(queries_.count.begin() + begin,
                        queries_.count.begin() + begin + part.first[i + 1] - part.first[i], 0.0);
    add_penalty(at, facts, given, row_of(of_given, row), part.losses[i]);
    add_penalty(at, facts, relation, row_of(of_relation, row), part.losses[i]);
  });

  const auto answer = [&](std::size_t i, Offset a) {
    const Offset first = queries_.first[static_cast<std::size_t>(numbers[i])];
    return queries_.answer[static_cast<std::size_t>(first + a - part.first[i])];
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    entities.touch(part.query[i].given), relations.touch(at.use(part.query[i]).row);
    for (Offset a = part.first[i]; a < part.first[i + 1]; ++a) entities.touch(answer(i, a));
  }
  parallel_blocks(threads_, candidates.rows, 256, [&](std::int64_t begin, std::int64_t end) {
    for (auto j = static_cast<Index>(begin); j < end; ++j)
      add_to(row_of(entities.values,
                    candidates_.empty() ? j : candidates_[static_cast<std::size_t>(j)]),
             row_of(candidate_gradients_, j));
  });
  parallel_blocks(threads_, kOwners, 1, [&](std::int64_t owner, std::int64_t) {
    const auto add = [&](RowGradients& to, Index row, std::span<const float> gradient) {
      if (row % kOwners == owner) add_to(row_of(to.values, row), gradient);
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto row = static_cast<Index>(i);
      add(entities, part.query[i].given, row_of(of_given, row));
      add(relations, at.use(part.query[i]).row, row_of(of_relation, row));
      for (Offset a = part.first[i]; a < part.first[i + 1]; ++a)
        add(entities, answer(i, a), row_of(part.answer_gradients, static_cast<Index>(a)));
    }
  });
  return std::accumulate(part.losses.begin(), part.losses.end(), 0.0);
}

void FactObjective::add_penalty(const FactEmbeddings& at, double weight, std::span<const float> row,
                                std::span<float> grad, double& loss) const {
  if (penalty_.weight == 0) return;
  const bool complex = at.form.scoring.score == FactScore::kComplEx, cubes = penalty_.power == 3;
  const std::size_t size = complex ? row.size() / 2 : row.size();
  const auto scale = static_cast<float>(penalty_.weight * weight);
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const float x = row[k], y = complex ? row[k + size] : 0, squared = x * x + y * y;
    const float norm = cubes ? std::sqrt(squared) : 1;
    sum += squared * norm;
    const float slope = scale * (cubes ? 3 * norm : 2);
    grad[k] += slope * x;
    if (complex) grad[k + size] += slope * y;
  }
  loss += penalty_.weight * weight * sum;
}

}  // namespace cupel
