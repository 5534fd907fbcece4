#include "cupel/learn/events/embeddings/train_embeddings.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"
#include "cupel/learn/events/embeddings/fact_sample.h"
#include "cupel/learn/events/setting_range.h"

namespace cupel {
namespace {

constexpr std::uint32_t kOrder = 0x656d626f, kCandidates = 0x656d6263;  // "embo", "embc"
constexpr float kSmallest = 1e-10f;

const char* name_of(const EmbeddingSettings& settings) {
  const FactScore score = settings.form.scoring.score;
  return score == FactScore::kTransE     ? "transe"
         : score == FactScore::kDistMult ? "distmult"
                                         : "complex";
}

// A matrix that goes down its gradients, each coordinate at a rate of its own.
class Adagrad {
 public:
  explicit Adagrad(const Matrix& of) : squares_(of.rows, of.cols) {}

  void step(double rate, const RowGradients& gradients, Threads threads, Matrix& values) {
    const auto rows = std::ssize(gradients.touched);
    parallel_blocks(threads, rows, 256, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Index row = gradients.touched[static_cast<std::size_t>(i)];
        const float* const g = gradients.values.row(row);
        float* const sum = squares_.row(row);
        float* const x = values.row(row);
        const auto r = static_cast<float>(rate);
        for (Index k = 0; k < values.cols; ++k) {
          sum[k] += g[k] * g[k];
          x[k] -= r * g[k] / (std::sqrt(sum[k]) + kSmallest);
        }
      }
    });
  }

 private:
  Matrix squares_;
};

class Training {
 public:
  Training(const FactQueries& queries, const EventWorld& world, const EmbeddingSettings& settings,
           StreamKey key, Threads threads)
      : queries_(queries),
        settings_(settings),
        key_(key),
        threads_(threads),
        now_(draw_embeddings(settings.form, world, settings.dimension, key, threads)),
        objective_(queries, world.entities, settings.loss, settings.penalty, threads),
        entity_gradients_(now_.entities),
        relation_gradients_(now_.relations),
        entity_steps_(now_.entities),
        relation_steps_(now_.relations),
        order_(static_cast<std::size_t>(queries.size())),
        facts_(std::accumulate(queries.count.begin(), queries.count.end(), 0.0)) {
    std::iota(order_.begin(), order_.end(), Offset{0});
  }

  FactEmbeddings& now() { return now_; }
  // Returns the mean loss of a fact.
  double epoch(Index number, const RunLimits& limits) {
    Stream stream(key_, kOrder, static_cast<std::uint32_t>(number));
    shuffle(order_, stream);
    double loss = 0;
    const auto batch = static_cast<std::size_t>(settings_.batch);
    for (std::size_t begin = 0; begin < order_.size(); begin += batch) {
      limits.tell(static_cast<double>(begin), static_cast<double>(order_.size()));
      draw_candidates();
      loss += objective_.add(
          now_, std::span(order_).subspan(begin, std::min(batch, order_.size() - begin)),
          candidates_, entity_gradients_, relation_gradients_, limits);
      entity_steps_.step(settings_.rate, entity_gradients_, threads_, now_.entities);
      relation_steps_.step(settings_.rate, relation_gradients_, threads_, now_.relations);
      entity_gradients_.clear(), relation_gradients_.clear();
    }
    if (!std::isfinite(loss))
      fail(
          "{}: the loss left the range of numbers in epoch {}; rate {} is too high for these facts",
          name_of(settings_), number + 1, settings_.rate);
    return loss / facts_;
  }

 private:
  // Different ones, ascending; all where that is no more work.
  void draw_candidates() {
    candidates_.clear();
    if (settings_.negatives == 0 || settings_.negatives >= now_.entities.rows) return;
    Stream stream(key_, kCandidates, static_cast<std::uint32_t>(steps_),
                  static_cast<std::uint32_t>(steps_ >> 32));
    ++steps_;
    for (Index i = 0; i < settings_.negatives; ++i)
      candidates_.push_back(
          static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(now_.entities.rows))));
    std::ranges::sort(candidates_);
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  }

  const FactQueries& queries_;
  const EmbeddingSettings& settings_;
  StreamKey key_;
  Threads threads_;
  FactEmbeddings now_;
  FactObjective objective_;
  RowGradients entity_gradients_, relation_gradients_;
  Adagrad entity_steps_, relation_steps_;
  std::vector<Offset> order_;
  std::vector<Index> candidates_;
  double facts_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

void EmbeddingSettings::check() const {
  const auto within = [&](const char* name, double value, double low, double high) {
    require_range(name_of(*this), name, value, low, high);
  };
  within("dimension", dimension, 1, 1 << 16);
  within("epochs", epochs, 1, 1e9);
  within("rate", rate, 1e-12, 1e6);
  within("batch", batch, 1, 1 << 20);
  within("negatives", negatives, 0, 1e9);
  within("check_every", check_every, 1, 1e9);
  within("patience", patience, 1, 1e9);
  within("valid_questions", static_cast<double>(valid_questions), 0, 1e9);
  within("penalty", penalty.weight, 0, 1e9);
  within("power", penalty.power, 2, 3);
  within("margin", loss.margin, -1e6, 1e6);
  if (form.scoring.score == FactScore::kComplEx && dimension % 2 != 0)
    fail("{}: dimension is {}; it has a real and an imaginary half, so give an even number",
         name_of(*this), dimension);
}

TrainedEmbeddings train_embeddings(const FactColumns& train, const FactColumns& valid,
                                   const EventWorld& world, const EmbeddingSettings& settings,
                                   StreamKey key, Threads threads, const RunLimits& limits) {
  settings.check();
  const FactQueries queries = fact_queries(train, world, limits);
  Training training(queries, world, settings, key, threads);
  if (queries.size() == 0) return {.embeddings = std::move(training.now())};
  const FactSample sample(valid, world, queries, settings.valid_questions, key, limits);
  TrainedEmbeddings best;
  std::vector<double> losses, looks;
  Index without = 0;
  for (Index epoch = 0; epoch < settings.epochs; ++epoch) {
    losses.push_back(training.epoch(epoch, limits.part(epoch, epoch + 1, settings.epochs)));
    const bool last = epoch + 1 == settings.epochs;
    if (sample.empty() || ((epoch + 1) % settings.check_every != 0 && !last)) continue;
    const double mrr = sample.mean_reciprocal_rank(training.now(), threads, limits);
    looks.push_back(mrr);
    if (best.epochs == 0 || mrr > best.valid_mrr) {
      best.embeddings = training.now();
      best.epochs = epoch + 1, best.valid_mrr = mrr, without = 0;
    } else if (++without >= settings.patience) {
      break;
    }
  }
  if (best.epochs == 0) {
    best.embeddings = std::move(training.now());
    best.epochs = settings.epochs;
  }
  best.losses = std::move(losses), best.looks = std::move(looks);
  return best;
}

std::size_t embedding_bytes(const EventWorld& world, const EmbeddingSettings& settings,
                            Offset facts) {
  const std::size_t row = 4 * static_cast<std::size_t>(settings.dimension);
  const auto n = static_cast<std::size_t>(world.entities);
  const std::size_t relations =
      static_cast<std::size_t>(world.relations) * (settings.form.reciprocal ? 2 : 1);
  const std::size_t drawn =
      settings.negatives == 0 ? n : std::min(n, static_cast<std::size_t>(settings.negatives));
  // Values, their gradients and squares, the best so far; candidates twice; a part's answers and
  // queries: no query has more answers than entities, or facts.
  const std::size_t answers = std::min(n, static_cast<std::size_t>(facts)) + (std::size_t{1} << 13);
  const std::size_t part = 2 * answers + 6 * static_cast<std::size_t>(settings.batch);
  const std::size_t scores = std::max<std::size_t>(std::size_t{1} << 23, 32 * n);
  return (4 * (n + relations) + 2 * drawn + part) * row + 3 * scores + 48 * n +
         130 * static_cast<std::size_t>(facts);
}

}  // namespace cupel
