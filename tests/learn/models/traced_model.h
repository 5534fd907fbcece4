// A model traced on a task, with its parameters in hand: what the model tests bind and run.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/model.h"

namespace cupel {

using Settings = std::map<std::string, OptionValue>;

inline Options configure(const ModelEntry& entry, const Settings& given = {}) {
  return Options(entry.name, entry.options, given);
}

struct TracedModel {
  // Of the phase with this number.
  TracedModel(const ModelEntry& entry, const Options& options, const TaskView& task,
              std::size_t phase = 0)
      : model(entry.trainable(options)),
        schedule(model->schedule()),
        inputs(builder, task),
        program(builder.finish(schedule.phases.at(phase).logits(builder, inputs))),
        values(program.parameters),
        gradients(program.parameters),
        nodes(task.nodes()),
        examples(task.examples()) {
    initialise(program.parameters, stream_key("initial values"), values);
  }

  // Moves every parameter, so that biases are not zero and nothing is symmetric.
  void shake(double by) {
    Stream random(stream_key("shaken values"), 1);
    for (int slot = 0; slot < static_cast<int>(values.count()); ++slot)
      for (std::size_t i = 0; i < values.slice_size(slot); ++i)
        values.view(slot).data[i] += static_cast<float>(by * random.next_normal());
  }

  BoundProgram bind(std::vector<Index> rows, bool training, bool prune, Threads threads = {}) {
    return BoundProgram(
        compile(program, training),
        {inputs.constants(), std::move(rows), prune, &values, training ? &gradients : nullptr},
        threads);
  }

  // All nodes, or graphs; no dropout. As trained: batch norms by the moments of these rows.
  Matrix evaluate(bool as_trained = false) {
    std::vector<Index> rows(static_cast<std::size_t>(examples));
    std::iota(rows.begin(), rows.end(), 0);
    BoundProgram bound = bind(rows, as_trained, true);
    bound.forward({}, 0);
    const ConstDenseView out = bound.output();
    Matrix logits(out.rows, out.cols);
    for (Index r = 0; r < out.rows; ++r) std::copy_n(out.row(r), out.cols, logits.row(r));
    return logits;
  }

  // `bound`, made for training, back from a loss that does not depend on the output: the
  // gradients are then those of penalties alone.
  static void backward_of_penalties(BoundProgram& bound) {
    bound.forward({}, 0);
    const DenseView g = bound.output_gradient();
    for (Index r = 0; r < g.rows; ++r) std::fill_n(g.row(r), g.cols, 0.0f);
    bound.backward();
  }

  int slot(const std::string& name) const {
    for (std::size_t i = 0; i < program.parameters.size(); ++i)
      if (program.parameters[i].name == name) return static_cast<int>(i);
    throw std::logic_error("no parameter is called " + name);
  }
  const Parameter& parameter(const std::string& name) const {
    return program.parameters[static_cast<std::size_t>(slot(name))];
  }
  DenseView view(const std::string& name) { return values.view(slot(name)); }

  std::size_t parameter_count() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.count(); ++i)
      if (program.parameters[i].trained) count += values.slice_size(static_cast<int>(i));
    return count;
  }

  std::unique_ptr<TrainableModel> model;
  Schedule schedule;
  Builder builder;
  GraphInputs inputs;
  Program program;
  ParameterSet values, gradients;
  Index nodes, examples;
};

// Sum over the rows of the cross-entropy of softmax, in double; its gradient where `gradient` has
// data.
inline double summed_cross_entropy(const ConstDenseView& logits, const std::vector<Index>& labels,
                                   DenseView gradient) {
  double sum = 0;
  for (Index r = 0; r < logits.rows; ++r) {
    const float* z = logits.row(r);
    double total = 0;
    for (Index c = 0; c < logits.cols; ++c) total += std::exp(double{z[c]});
    const Index label = labels[static_cast<std::size_t>(r)];
    sum += std::log(total) - z[label];
    for (Index c = 0; gradient.data != nullptr && c < logits.cols; ++c)
      gradient.row(r)[c] =
          static_cast<float>(std::exp(double{z[c]}) / total - (c == label ? 1.0 : 0.0));
  }
  return sum;
}

// Steps of Adam on the training examples (which must ascend), with nothing of the trainer.
inline void train_by_hand(TracedModel& traced, const TaskView& task, double rate, int steps,
                          bool prune) {
  BoundProgram bound = traced.bind(task.train, true, prune);
  Adam adam(traced.program.parameters, rate);
  for (int step = 0; step < steps; ++step) {
    bound.forward(stream_key("by hand"), static_cast<std::uint32_t>(step));
    summed_cross_entropy(bound.output(), task.train_labels, bound.output_gradient());
    bound.backward();
    adam.step(traced.values, traced.gradients);
  }
}

}  // namespace cupel
