#include "cupel/learn/events/embeddings/fact_embeddings.h"

#include <cmath>

namespace cupel {
namespace {

constexpr std::uint32_t kEntityRows = 0x656d6265, kRelationRows = 0x656d6272;  // "embe", "embr"
constexpr double kDeviation = 0.1;

void draw(Matrix& out, const FactForm& form, StreamKey key, std::uint32_t purpose,
          Threads threads) {
  const double bound = 6 / std::sqrt(static_cast<double>(out.cols));
  parallel_blocks(threads, out.rows, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Stream stream(key, purpose, 0, static_cast<std::uint32_t>(i));
      float* const row = out.row(static_cast<Index>(i));
      for (Index k = 0; k < out.cols; ++k)
        row[k] = static_cast<float>(form.scoring.score == FactScore::kTransE
                                        ? bound * (2 * stream.next_unit() - 1)
                                        : kDeviation * stream.next_normal());
    }
  });
}

std::span<const float> row_of(const Matrix& m, Index i) {
  return {m.row(i), static_cast<std::size_t>(m.cols)};
}

}  // namespace

FactEmbeddings draw_embeddings(const FactForm& form, const EventWorld& world, Index dimension,
                               StreamKey key, Threads threads) {
  FactEmbeddings out{form, Matrix(world.entities, dimension),
                     Matrix(world.relations * (form.reciprocal ? 2 : 1), dimension)};
  draw(out.entities, form, key, kEntityRows, threads);
  draw(out.relations, form, key, kRelationRows, threads);
  return out;
}

void compose_queries(const FactEmbeddings& embeddings, std::span<const EventQuery> queries,
                     Threads threads, DenseView q) {
  parallel_blocks(threads, std::ssize(queries), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const EventQuery& query = queries[static_cast<std::size_t>(i)];
      const RelationUse use = embeddings.use(query);
      compose(embeddings.form.scoring, use.inverse, row_of(embeddings.entities, query.given),
              row_of(embeddings.relations, use.row),
              {q.row(static_cast<Index>(i)), static_cast<std::size_t>(q.cols)});
    }
  });
}

}  // namespace cupel
