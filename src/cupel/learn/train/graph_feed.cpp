// Training on a set of graphs, a batch at a time. The program is compiled once; a batch is another
// binding of it, to the constants of a few graphs. The next is prepared while one is trained on.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/base/parallel.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/graph_batch.h"
#include "cupel/learn/train/targets.h"

namespace cupel {
namespace {

constexpr std::uint32_t kShuffle = 1;  // purpose of the order of an epoch's graphs
// Steps of evaluations, for what is random in them too, are counted from here.
constexpr std::uint32_t kEvaluation = 0x80000000u;

std::vector<Index> ascending(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Graphs whose scores are computed again and again, bound once in pieces that share memory.
class Evaluated {
 public:
  Evaluated(std::shared_ptr<const Program> program, const Traced& traced, const EqualRows& equal,
            const std::vector<Index>& start, std::vector<Index> graphs, ParameterSet& values,
            AlignedVector<float>& memory, Threads threads)
      : program_(std::move(program)),
        traced_(traced),
        equal_(equal),
        start_(start),
        graphs_(std::move(graphs)),
        values_(values),
        memory_(memory),
        threads_(threads) {}

  // Rows in the order of the graphs. Steps of different calls should differ.
  const Scores& scores(StreamKey key, std::uint32_t step) {
    if (graphs_.empty()) return scores_;  // a search has no test part
    // The memory moves when it grows, for a larger piece of these or of other graphs.
    while (pieces_.empty() || bound_to_ != memory_.size()) bind();
    Index row = 0;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      pieces_[p]->forward(key, step + static_cast<std::uint32_t>(p));
      const ConstDenseView out = pieces_[p]->output();
      if (scores_.cols == 0) scores_ = Scores(static_cast<Index>(graphs_.size()), out.cols);
      for (Index r = 0; r < out.rows; ++r) std::copy_n(out.row(r), out.cols, scores_.row(row++));
    }
    return scores_;
  }
  std::uint32_t steps() const {
    return static_cast<std::uint32_t>(graphs_.size() / kEvaluatedTogether + 1);
  }
  std::size_t memory_bytes() const {
    std::size_t bytes = scores_.values.size() * sizeof(float);
    for (const auto& piece : pieces_) bytes += piece->memory_bytes();
    for (const auto& batch : batches_) bytes += batch->memory_bytes();
    return bytes;
  }

 private:
  void bind() {
    pieces_.clear();
    batches_.clear();
    bound_to_ = memory_.size();
    const std::span<const Index> all = graphs_;
    for (std::size_t first = 0; first < all.size(); first += kEvaluatedTogether) {
      const auto part =
          all.subspan(first, std::min<std::size_t>(kEvaluatedTogether, all.size() - first));
      batches_.push_back(std::make_unique<GraphBatch>(*program_, traced_.inputs, equal_, start_));
      batches_.back()->take(part);
      Binding binding{batches_.back()->constants(), ascending(static_cast<Index>(part.size())),
                      false, &values_, nullptr};
      binding.memory = &memory_;
      binding.equal = batches_.back()->equal();
      pieces_.push_back(std::make_unique<BoundProgram>(program_, std::move(binding), threads_));
    }
  }

  std::shared_ptr<const Program> program_;
  const Traced& traced_;
  const EqualRows& equal_;
  const std::vector<Index>& start_;
  std::vector<Index> graphs_;
  ParameterSet& values_;
  AlignedVector<float>& memory_;
  Threads threads_;
  std::size_t bound_to_ = 0;  // size of the memory
  std::vector<std::unique_ptr<GraphBatch>> batches_;
  std::vector<std::unique_ptr<BoundProgram>> pieces_;
  Scores scores_;
};

class GraphFeed final : public Feed {
 public:
  GraphFeed(const TaskView& task, const TrainRule& rule, std::string metric, Threads threads,
            std::unique_ptr<Traced> traced)
      : Feed(traced->program.parameters),
        task_(task),
        metric_(std::move(metric)),
        threads_(threads),
        batch_size_(rule.batch_size > 0 ? static_cast<std::size_t>(rule.batch_size)
                                        : task_.train.size()),
        traced_(std::move(traced)),
        trained_(std::make_shared<const Program>(compile(traced_->program, true))),
        evaluated_(std::make_shared<const Program>(compile(traced_->program, false))),
        start_(task_.graphs()->start),
        train_targets_(
            make_targets(task_.train_labels, task_.train_tasks, task_.classes(), rule.loss)),
        valid_targets_(
            make_targets(task_.valid_labels, task_.valid_tasks, task_.classes(), rule.loss)),
        stopping_targets_(
            make_targets(task_.stopping_labels, task_.stopping_tasks, task_.classes(), rule.loss)),
        equal_trained_(traced_->inputs.equal_rows(*trained_)),
        equal_evaluated_(traced_->inputs.equal_rows(*evaluated_)),
        batches_{new_batch(), new_batch()},
        valid_(evaluated_, *traced_, equal_evaluated_, start_, task_.valid, values_,
               evaluation_memory_, threads_),
        stopping_(evaluated_, *traced_, equal_evaluated_, start_, task_.stopping, values_,
                  evaluation_memory_, threads_),
        test_(evaluated_, *traced_, equal_evaluated_, start_, task_.test, values_,
              evaluation_memory_, threads_) {
    if (!train_targets_.any_known())
      fail("{}: none of the {} training graphs has a known label; take another split", task_.name(),
           task_.train.size());
  }

  const std::vector<Parameter>& parameters() const override { return traced_->program.parameters; }

  double train(StreamKey key, int epoch, Adam& adam) override {
    // Steps are numbered as if nothing were left out.
    const std::size_t batches = (task_.train.size() + batch_size_ - 1) / batch_size_;
    std::vector<Part> parts;
    for (std::vector<Index>& rows : drawn_batches(
             task_.train, batch_size_, {key, kShuffle, static_cast<std::uint32_t>(epoch)}))
      parts.push_back(
          {std::move(rows), static_cast<std::uint32_t>(epoch * batches + parts.size())});
    double penalty = 0;
    prepare(batches_[0], parts.front());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      limits_.throw_if_interrupted();
      Batch& batch = batches_[p % 2];
      std::optional<Aside> next;
      if (p + 1 < parts.size())
        next.emplace(threads_, [&, p] { prepare(batches_[(p + 1) % 2], parts[p + 1]); });
      if (batch.bound) penalty = step(batch, key, parts[p].number, adam);
      if (next) next->wait();
    }
    return penalty;
  }

  Evaluation validate(StreamKey key, int epoch) override {
    return evaluated(valid_, valid_targets_, key, epoch);
  }

  bool has_stopping_part() const override { return !task_.stopping.empty(); }
  Evaluation watch(StreamKey key, int epoch) override {
    return has_stopping_part() ? evaluated(stopping_, stopping_targets_, key, epoch)
                               : validate(key, epoch);
  }

  void test(StreamKey key, ScoreSink& scores) override {
    scores.take(test_.scores(key, kEvaluation + kEvaluation / 2));
  }

  std::size_t program_bytes() const override {
    std::size_t bytes = (training_memory_.size() + evaluation_memory_.size()) * sizeof(float) +
                        equal_trained_.memory_bytes() + equal_evaluated_.memory_bytes() +
                        traced_->inputs.memory_bytes();
    for (const Batch& batch : batches_)
      bytes += batch.graphs.memory_bytes() + (batch.bound ? batch.bound->memory_bytes() : 0);
    for (const Evaluated* graphs : {&valid_, &stopping_, &test_}) bytes += graphs->memory_bytes();
    return bytes;
  }

 private:
  Evaluation evaluated(Evaluated& graphs, const Targets& targets, StreamKey key, int epoch) const {
    const auto step = static_cast<std::uint32_t>(epoch) * graphs.steps();
    return evaluate(metric_, targets, graphs.scores(key, kEvaluation + step));
  }

  // Some training graphs: their places in task_.train, and the number of the step.
  struct Part {
    std::vector<Index> rows;
    std::uint32_t number;
  };
  struct Batch {
    GraphBatch graphs;
    Targets targets = {};
    std::optional<BoundProgram> bound = {};  // nothing where no label is known
  };
  Batch new_batch() const {
    return {GraphBatch(*trained_, traced_->inputs, equal_trained_, start_)};
  }

  void prepare(Batch& batch, const Part& part) {
    batch.bound.reset();
    batch.targets.take(train_targets_, part.rows);
    if (!batch.targets.any_known()) return;
    std::vector<Index> graphs;
    for (const Index row : part.rows) graphs.push_back(task_.train[row]);
    batch.graphs.take(graphs);
    Binding binding{batch.graphs.constants(), ascending(static_cast<Index>(graphs.size())), false,
                    &values_, &gradients_};
    binding.memory = &training_memory_;
    binding.equal = batch.graphs.equal();
    batch.bound.emplace(BoundProgram::prepared(trained_, std::move(binding), threads_));
  }

  // Returns the regulariser at the new parameters.
  double step(Batch& batch, StreamKey key, std::uint32_t number, Adam& adam) {
    batch.bound->start();
    batch.bound->forward(key, number);
    (void)loss_of(batch.targets, batch.bound->output(), batch.bound->output_gradient());
    batch.bound->backward();
    return adam.step(values_, gradients_, threads_);
  }

  TaskView task_;
  std::string metric_;
  Threads threads_;
  std::size_t batch_size_;
  std::unique_ptr<Traced> traced_;
  std::shared_ptr<const Program> trained_, evaluated_;
  const std::vector<Index>& start_;
  const Targets train_targets_, valid_targets_, stopping_targets_;
  AlignedVector<float> training_memory_, evaluation_memory_;
  const EqualRows equal_trained_, equal_evaluated_;
  std::array<Batch, 2> batches_;
  Evaluated valid_, stopping_, test_;
};

}  // namespace

std::unique_ptr<Feed> make_graph_feed(const TaskView& task, const Schedule& schedule,
                                      const TrainRule& rule, const std::string& metric,
                                      Threads threads) {
  if (schedule.phases.size() != 1)
    throw std::logic_error("a model of graphs is trained in one phase");
  return std::make_unique<GraphFeed>(
      task, rule, metric, threads, std::make_unique<Traced>(task, schedule.phases.front().logits));
}

}  // namespace cupel
