#include "cupel/learn/events/embeddings/embedding_model.h"

#include <algorithm>
#include <limits>

namespace cupel {
namespace {

constexpr Offset kScoresTogether = 1 << 20, kMostTogether = 256, kPairsTogether = 1 << 10;
constexpr float kUnknown = -std::numeric_limits<float>::infinity();

class EmbeddingModel final : public EventModel {
 public:
  EmbeddingModel(const EventWorld& world, const EmbeddingSettings& settings, StreamKey key,
                 Threads threads)
      : world_(world),
        settings_(settings),
        key_(key),
        threads_(threads),
        seen_(static_cast<std::size_t>(world.entities)) {
    settings_.check();
  }

  void fit(const FactColumns& train, const FactColumns& valid, const EventRules&,
           const RunLimits& limits) override {
    embeddings_ =
        train_embeddings(train, valid, world_, settings_, key_, threads_, limits).embeddings;
  }

  void learn(const FactColumns& facts) override {
    for (const auto& ends : {facts.source, facts.target})
      for (const Index entity : ends) seen_[static_cast<std::size_t>(entity)] = 1;
  }

  void rank(std::int64_t, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override {
    if (world_.entities == 0) return;
    const auto most = static_cast<std::size_t>(
        std::clamp<Offset>(kScoresTogether / world_.entities, 1, kMostTogether));
    for (std::size_t begin = 0; begin < queries.size(); begin += most) {
      limits.check();
      rank_some(queries.subspan(begin, std::min(most, queries.size() - begin)), out);
    }
  }

  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override {
    for (Offset begin = 0; begin < asked.size(); begin += kPairsTogether) {
      limits.check();
      const Offset end = std::min(asked.size(), begin + kPairsTogether);
      parallel_blocks(threads_, end - begin, 64, [&](std::int64_t from, std::int64_t to) {
        score_some(asked, begin + from, begin + to, scores);
      });
    }
  }

 private:
  const FactEmbeddings& embeddings() {
    if (embeddings_.entities.rows != world_.entities || embeddings_.entities.cols == 0)
      embeddings_ = draw_embeddings(settings_.form, world_, settings_.dimension, key_, threads_);
    return embeddings_;
  }
  // A relation without direction is asked one way.
  EventQuery as_trained(const EventQuery& query) const {
    const bool either = is_undirected(world_.undirected, query.relation);
    return {query.given, query.relation, query.source_asked && !either};
  }

  void rank_some(std::span<const EventQuery> queries, EventAnswers& out) {
    const FactEmbeddings& at = embeddings();
    std::vector<EventQuery> asked;
    for (const EventQuery& query : queries) asked.push_back(as_trained(query));
    q_ = q_.rows >= std::ssize(asked) ? std::move(q_)
                                      : Matrix(static_cast<Index>(asked.size()), at.entities.cols);
    if (scores_.rows < std::ssize(asked)) scores_ = Matrix(q_.rows, at.entities.rows);
    const auto rows = static_cast<Index>(asked.size());
    const DenseView q{q_.values.data(), rows, q_.cols, q_.cols},
        scores{scores_.values.data(), rows, scores_.cols, scores_.cols};
    compose_queries(at, asked, threads_, q);
    compare(at.form.scoring, threads_, q, at.entities, scores);
    for (Index i = 0; i < rows; ++i) {
      const std::span row(scores.row(i), seen_.size());
      for (std::size_t e = 0; e < row.size(); ++e) row[e] = seen_[e] != 0 ? row[e] : kUnknown;
      out.all(row);
    }
  }

  void score_some(const FactColumns& asked, Offset begin, Offset end, std::span<float> scores) {
    const FactEmbeddings& at = embeddings();
    Matrix q(2, at.entities.cols);
    for (Offset i = begin; i < end; ++i) {
      const auto fact = static_cast<std::size_t>(i);
      const Index s = asked.source[fact], r = asked.relation_of(i), o = asked.target[fact];
      if (seen_[static_cast<std::size_t>(s)] == 0 || seen_[static_cast<std::size_t>(o)] == 0) {
        scores[fact] = std::numeric_limits<float>::lowest();
        continue;
      }
      const EventQuery both[] = {as_trained({s, r, false}), as_trained({o, r, true})};
      compose_queries(at, both, {1}, view(q));
      scores[fact] = (compared(at, q.row(0), o) + compared(at, q.row(1), s)) / 2;
    }
  }
  static float compared(const FactEmbeddings& at, const float* q, Index entity) {
    const Index dimension = at.entities.cols;
    float score = 0;
    compare(at.form.scoring, {1}, {q, 1, dimension, dimension},
            {at.entities.row(entity), 1, dimension, dimension}, {&score, 1, 1, 1});
    return score;
  }

  EventWorld world_;
  EmbeddingSettings settings_;
  StreamKey key_;
  Threads threads_;
  FactEmbeddings embeddings_;
  std::vector<std::uint8_t> seen_;
  Matrix q_, scores_;  // scratch of rank()
};

}  // namespace

std::unique_ptr<EventModel> make_embedding_model(const EventWorld& world,
                                                 const EmbeddingSettings& settings, StreamKey key,
                                                 Threads threads) {
  return std::make_unique<EmbeddingModel>(world, settings, key, threads);
}

}  // namespace cupel
