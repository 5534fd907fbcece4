// What one trial computes with: parameters, and programs bound to the examples of a task.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/base/checkpoint.h"
#include "cupel/base/limits.h"
#include "cupel/engine/kernels/loss.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/model.h"
#include "cupel/learn/task.h"
#include "cupel/learn/train/rule.h"

namespace cupel {

// Traces a model's logits and holds the constants that its program names.
struct Traced {
  Builder builder;
  GraphInputs inputs;
  Program program;

  template <class Trace>
  Traced(const TaskView& task, Trace&& trace)
      : inputs(builder, task), program(builder.finish(trace(builder, inputs))) {}
};

// Of values like these, with their gradients, two moments and the best so far.
inline std::size_t parameter_bytes(const ParameterSet& values) {
  return 5 * values.block().size() * sizeof(float);
}

// The training side of the loop in trainer.cpp: it says when, a feed says on what. Not thread-safe.
class Feed {
 public:
  struct Evaluation {
    double loss = 0, score = 0;  // mean loss without the regulariser, and the metric
  };

  explicit Feed(const std::vector<Parameter>& parameters)
      : values_(parameters), gradients_(parameters), best_(parameters) {}
  virtual ~Feed() = default;

  virtual const std::vector<Parameter>& parameters() const = 0;
  // Back to the initial parameters of `key`.
  virtual void restart(StreamKey key);
  // What a long pass looks at between its batches, from now on.
  void obey(const RunLimits& limits) { limits_ = limits; }
  // One pass over the training examples, a step of `adam` for each batch. Returns the regulariser
  // at the new parameters. Throws Interrupted.
  virtual double train(StreamKey key, int epoch, Adam& adam) = 0;
  // On the validation examples, at the current parameters.
  virtual Evaluation validate(StreamKey key, int epoch) = 0;
  // On the examples that training is stopped by, where the split has a part for it.
  virtual bool has_stopping_part() const { return false; }
  virtual Evaluation watch(StreamKey key, int epoch) { return validate(key, epoch); }
  // Hands on the scores of the test examples, in the task's order.
  virtual void test(StreamKey key, ScoreSink& scores) = 0;
  // Remembers the parameters, and goes back to what was remembered last.
  virtual void keep() { best_.block() = values_.block(); }
  virtual void recall() { values_.block() = best_.block(); }
  // All that the next epoch depends on, and recall(); and what is to be done once that was taken up
  // after a restart().
  virtual void add_to(State& state) {
    state.add(values_.block());
    state.add(best_.block());
  }
  virtual void taken_up() {}
  // Without what all feeds have, the parameters.
  virtual std::size_t program_bytes() const = 0;

  ParameterSet& values() { return values_; }
  std::size_t memory_bytes() const { return parameter_bytes(values_) + program_bytes(); }

 protected:
  // The gradients of parameters that a program does not read must not linger.
  void forget_gradients();

  ParameterSet values_, gradients_, best_;
  RunLimits limits_;
};

[[nodiscard]] Scores copy_of(ConstDenseView view);

// Graphs whose scores are computed at a time.
inline constexpr Index kEvaluatedTogether = 128;

// On a graph's nodes: every step on all training nodes.
[[nodiscard]] std::unique_ptr<Feed> make_node_feed(const TaskView& task, const Schedule& schedule,
                                                   const TrainRule& rule, const std::string& metric,
                                                   Threads threads);
// On a set of graphs: an epoch goes through the training graphs in a new order, `rule.batch_size`
// at a time; the last batch may be smaller, and is left out if it is one graph, over which nothing
// can be normalised. A batch of which no label is known takes no step. Graphs of a batch ascend.
[[nodiscard]] std::unique_ptr<Feed> make_graph_feed(const TaskView& task, const Schedule& schedule,
                                                    const TrainRule& rule,
                                                    const std::string& metric, Threads threads);

// Upper estimates of what these hold, parameters included, before anything is built.
[[nodiscard]] std::size_t node_feed_bytes(const TaskView& task, const Schedule& schedule,
                                          const TrainRule& rule);
[[nodiscard]] std::size_t graph_feed_bytes(const TaskView& task, const Schedule& schedule,
                                           const TrainRule& rule);

}  // namespace cupel
