// Training on a graph's nodes: programs bound once to the rows that losses and scores read.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cupel/engine/program/passes.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/targets.h"

namespace cupel {
namespace {

// Nodes in ascending order with what they should give: what an executor computes and a loss reads.
struct TargetRows {
  std::vector<Index> rows;
  Targets targets;

  TargetRows(const std::vector<Index>& nodes, const Targets& of_nodes) {
    std::vector<Index> order(nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](Index i) { return nodes[static_cast<std::size_t>(i)]; });
    for (const Index i : order) rows.push_back(nodes[static_cast<std::size_t>(i)]);
    targets.take(of_nodes, order);
  }
};

// One phase of training: its program, compiled and bound to the rows that are read.
class Phase {
 public:
  template <class Trace>
  Phase(const TaskView& task, Trace&& trace)
      : traced_(std::make_unique<Traced>(task, trace)), evaluated_(compile(program(), false)) {}

  const Program& program() const { return traced_->program; }
  Binding binding(std::vector<Index> rows, ParameterSet& values, ParameterSet* gradients,
                  bool prune = true) const {
    return {traced_->inputs.constants(), std::move(rows), prune, &values, gradients};
  }
  BoundProgram bind_training(Binding binding, Threads threads) const {
    return {compile(program(), true), std::move(binding), threads};
  }
  BoundProgram bind_evaluation(const std::vector<Index>& rows, ParameterSet& values,
                               Threads threads) const {
    return {evaluated_, binding(rows, values, nullptr), threads};
  }

  // Bound when training begins, or when first needed.
  std::unique_ptr<BoundProgram> train, valid, first, test;

  std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const auto* bound : {&train, &valid, &first, &test})
      if (*bound != nullptr) bytes += (*bound)->memory_bytes();
    return bytes;
  }

 private:
  std::unique_ptr<Traced> traced_;
  Program evaluated_;
};

std::vector<Phase> trace_phases(const TaskView& task, const TrainableModel& model) {
  std::vector<Phase> phases;
  phases.emplace_back(task, [&](Builder& b, GraphInputs& in) { return model.logits(b, in); });
  if (model.second_phase_from())
    phases.emplace_back(task,
                        [&](Builder& b, GraphInputs& in) { return model.second_logits(b, in); });
  return phases;
}

class NodeFeed final : public Feed {
 public:
  NodeFeed(const TaskView& task, const TrainableModel& model, const std::string& loss,
           std::string metric, Threads threads, std::vector<Phase> phases)
      : Feed(phases.front().program().parameters),
        task_(task),
        model_(model),
        metric_(std::move(metric)),
        threads_(threads),
        train_rows_(task_.train,
                    make_targets(task_.train_labels, task_.train_tasks, task_.classes(), loss)),
        valid_rows_(task_.valid,
                    make_targets(task_.valid_labels, task_.valid_tasks, task_.classes(), loss)),
        phases_(std::move(phases)) {
    enter(phases_.front());
  }

  const std::vector<Parameter>& parameters() const override {
    return phases_.front().program().parameters;
  }

  void restart(StreamKey key) override {
    phase_ = 0;
    Feed::restart(key);
  }

  double train(StreamKey key, int epoch, Adam& adam) override {
    if (model_.second_phase_from() == epoch) begin_second_phase();
    Phase& phase = phases_[phase_];
    BoundProgram* bound = phase.train.get();
    if (epoch == 0 && model_.first_step_on_all_rows()) {
      if (phase.first == nullptr)
        phase.first = std::make_unique<BoundProgram>(phase.bind_training(
            phase.binding(train_rows_.rows, values_, &gradients_, false), threads_));
      bound = phase.first.get();
    }
    bound->forward(key, static_cast<std::uint32_t>(epoch));
    (void)loss_of(train_rows_.targets, bound->output(), bound->output_gradient());
    bound->backward();
    return adam.step(values_, gradients_, threads_);
  }

  Evaluation validate(StreamKey, int) override {
    BoundProgram& valid = *phases_[phase_].valid;
    valid.forward({}, 0);
    return evaluate(metric_, valid_rows_.targets, valid.output());
  }

  void test(StreamKey, ScoreSink& scores) override {
    Phase& phase = phases_[phase_];
    if (phase.test == nullptr)
      phase.test =
          std::make_unique<BoundProgram>(phase.bind_evaluation(task_.test, values_, threads_));
    phase.test->forward({}, 0);
    scores.take(phase.test->output());
  }

  void keep() override {
    Feed::keep();
    kept_phase_ = phase_;
  }
  void recall() override {
    Feed::recall();
    phase_ = kept_phase_;
  }

  std::size_t program_bytes() const override {
    std::size_t bytes = 0;
    for (const Phase& phase : phases_) bytes += phase.memory_bytes();
    return bytes;
  }

 private:
  void enter(Phase& phase) {
    if (phase.train != nullptr) return;
    phase.train = std::make_unique<BoundProgram>(
        phase.bind_training(phase.binding(train_rows_.rows, values_, &gradients_), threads_));
    phase.valid =
        std::make_unique<BoundProgram>(phase.bind_evaluation(valid_rows_.rows, values_, threads_));
  }

  void begin_second_phase() {
    std::vector<Index> all(static_cast<std::size_t>(task_.nodes()));
    std::iota(all.begin(), all.end(), 0);
    BoundProgram first = phases_[0].bind_evaluation(all, values_, threads_);
    first.forward({}, 0);
    model_.begin_second_phase({task_, first.output(), [&](const std::string& name) {
                                 for (std::size_t slot = 0; slot < parameters().size(); ++slot)
                                   if (parameters()[slot].name == name)
                                     return values_.view(static_cast<int>(slot));
                                 throw std::logic_error("[trainer] no parameter " + name);
                               }});
    phase_ = 1;
    enter(phases_[1]);
    forget_gradients();
  }

  TaskView task_;
  const TrainableModel& model_;
  std::string metric_;
  Threads threads_;
  TargetRows train_rows_, valid_rows_;
  std::vector<Phase> phases_;
  int phase_ = 0, kept_phase_ = 0;
};

}  // namespace

std::unique_ptr<Feed> make_node_feed(const TaskView& task, const TrainableModel& model,
                                     const TrainRule& rule, const std::string& metric,
                                     Threads threads) {
  return std::make_unique<NodeFeed>(task, model, rule.loss, metric, threads,
                                    trace_phases(task, model));
}

}  // namespace cupel
