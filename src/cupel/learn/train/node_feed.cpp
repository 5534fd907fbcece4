// Training on a graph's nodes: programs bound once to the rows that losses and scores read.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cupel/engine/program/passes.h"
#include "cupel/engine/program/product_order.h"
#include "cupel/learn/train/feed.h"
#include "cupel/learn/train/replays.h"
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

// A phase of training: its program, compiled and bound to the rows that are read.
class BoundPhase {
 public:
  template <class Trace>
  BoundPhase(const TaskView& task, Trace&& trace)
      : traced_(std::make_unique<Traced>(task, trace)), evaluated_(compile(program(), false)) {}

  const Program& program() const { return traced_->program; }
  Binding binding(std::vector<Index> rows, ParameterSet& values, ParameterSet* gradients,
                  bool prune = true) const {
    return {traced_->inputs.constants(), std::move(rows), prune, &values, gradients};
  }
  // `replays`: how often it is expected to run (replays.h).
  BoundProgram bind_training(Binding binding, int replays, Threads threads) const {
    return bind(compile(program(), true), std::move(binding), replays, threads);
  }
  BoundProgram bind_evaluation(const std::vector<Index>& rows, ParameterSet& values, int replays,
                               Threads threads) const {
    return bind(evaluated_, binding(rows, values, nullptr), replays, threads);
  }

  // Bound when training begins, or when first needed.
  std::unique_ptr<BoundProgram> train, valid, stopping, first, test;

  std::size_t memory_bytes() const {
    std::size_t bytes = traced_->inputs.memory_bytes();
    for (const auto* bound : {&train, &valid, &stopping, &first, &test})
      if (*bound != nullptr) bytes += (*bound)->memory_bytes();
    return bytes;
  }

 private:
  static BoundProgram bind(const Program& compiled, Binding binding, int replays, Threads threads) {
    Program ordered = order_products(compiled, binding, replays);
    return {std::move(ordered), std::move(binding), threads};
  }

  std::unique_ptr<Traced> traced_;
  Program evaluated_;
};

std::vector<BoundPhase> trace_phases(const TaskView& task, const Schedule& schedule) {
  std::vector<BoundPhase> phases;
  for (const TrainingPhase& phase : schedule.phases) {
    if (phases.empty() ? phase.from != 0 : phase.from <= schedule.phases[phases.size() - 1].from)
      throw std::logic_error("[trainer] phases begin at epoch 0 and ascend");
    phases.emplace_back(task, phase.logits);
  }
  return phases;
}

class NodeFeed final : public Feed {
 public:
  NodeFeed(const TaskView& task, const Schedule& schedule, const TrainRule& rule,
           std::string metric, Threads threads, std::vector<BoundPhase> phases)
      : Feed(phases.front().program().parameters),
        task_(task),
        schedule_(schedule),
        metric_(std::move(metric)),
        epochs_(expected_epochs(rule)),
        threads_(threads),
        train_rows_(task_.train, make_targets(task_.train_labels, task_.train_tasks,
                                              task_.classes(), rule.loss)),
        valid_rows_(task_.valid, make_targets(task_.valid_labels, task_.valid_tasks,
                                              task_.classes(), rule.loss)),
        stopping_rows_(task_.stopping, make_targets(task_.stopping_labels, task_.stopping_tasks,
                                                    task_.classes(), rule.loss)),
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
    const auto next = static_cast<std::size_t>(phase_ + 1);
    if (next < phases_.size() && schedule_.phases[next].from == epoch) begin_next_phase();
    BoundPhase& phase = phases_[phase_];
    BoundProgram* bound = phase.train.get();
    if (epoch == 0 && schedule_.first_step_on_all_rows) {
      if (phase.first == nullptr)
        phase.first = std::make_unique<BoundProgram>(phase.bind_training(
            phase.binding(train_rows_.rows, values_, &gradients_, false), kOnce, threads_));
      bound = phase.first.get();
    }
    bound->forward(key, static_cast<std::uint32_t>(epoch));
    (void)loss_of(train_rows_.targets, bound->output(), bound->output_gradient());
    bound->backward();
    return adam.step(values_, gradients_, threads_);
  }

  Evaluation validate(StreamKey, int) override {
    return evaluated(*phases_[phase_].valid, valid_rows_.targets);
  }

  bool has_stopping_part() const override { return !task_.stopping.empty(); }
  Evaluation watch(StreamKey key, int epoch) override {
    return has_stopping_part() ? evaluated(*phases_[phase_].stopping, stopping_rows_.targets)
                               : validate(key, epoch);
  }

  void test(StreamKey, ScoreSink& scores) override {
    BoundPhase& phase = phases_[phase_];
    if (phase.test == nullptr)
      phase.test = std::make_unique<BoundProgram>(
          phase.bind_evaluation(task_.test, values_, kOnce, threads_));
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

  void add_to(State& state) override {
    Feed::add_to(state);
    state.add(phase_);
    state.add(kept_phase_);
  }
  void taken_up() override {
    // Numbers from a file, which its hash guards, but not against who makes one.
    enter(phases_.at(static_cast<std::size_t>(phase_)));
    enter(phases_.at(static_cast<std::size_t>(kept_phase_)));
  }

  std::size_t program_bytes() const override {
    std::size_t bytes = 0;
    for (const BoundPhase& phase : phases_) bytes += phase.memory_bytes();
    return bytes;
  }

 private:
  Evaluation evaluated(BoundProgram& bound, const Targets& targets) const {
    bound.forward({}, 0);
    return evaluate(metric_, targets, bound.output());
  }

  void enter(BoundPhase& phase) {
    if (phase.train != nullptr) return;
    phase.train = std::make_unique<BoundProgram>(phase.bind_training(
        phase.binding(train_rows_.rows, values_, &gradients_), epochs_, threads_));
    phase.valid = std::make_unique<BoundProgram>(
        phase.bind_evaluation(valid_rows_.rows, values_, epochs_, threads_));
    if (has_stopping_part())
      phase.stopping = std::make_unique<BoundProgram>(
          phase.bind_evaluation(stopping_rows_.rows, values_, epochs_, threads_));
  }

  void begin_next_phase() {
    const TrainingPhase& next = schedule_.phases[static_cast<std::size_t>(phase_ + 1)];
    if (next.start) {
      std::vector<Index> all(static_cast<std::size_t>(task_.nodes()));
      std::iota(all.begin(), all.end(), 0);
      BoundProgram before = phases_[phase_].bind_evaluation(all, values_, kOnce, threads_);
      before.forward({}, 0);
      for (const auto& [name, value] : next.start(task_, before.output())) set(name, value);
    }
    enter(phases_[++phase_]);
    forget_gradients();
  }

  void set(const std::string& name, const Matrix& value) {
    const auto found = std::ranges::find(parameters(), name, &Parameter::name);
    if (found == parameters().end() || found->rows != value.rows || found->cols != value.cols)
      throw std::logic_error("[trainer] no parameter " + name + " of this shape");
    const DenseView to = values_.view(static_cast<int>(found - parameters().begin()));
    for (Index r = 0; r < to.rows; ++r) std::copy_n(value.row(r), value.cols, to.row(r));
  }

  TaskView task_;
  Schedule schedule_;
  std::string metric_;
  int epochs_;  // that a run is expected to take
  Threads threads_;
  TargetRows train_rows_, valid_rows_, stopping_rows_;
  std::vector<BoundPhase> phases_;
  int phase_ = 0, kept_phase_ = 0;
};

}  // namespace

std::unique_ptr<Feed> make_node_feed(const TaskView& task, const Schedule& schedule,
                                     const TrainRule& rule, const std::string& metric,
                                     Threads threads) {
  return std::make_unique<NodeFeed>(task, schedule, rule, metric, threads,
                                    trace_phases(task, schedule));
}

}  // namespace cupel
