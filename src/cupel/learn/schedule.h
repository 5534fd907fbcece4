// How a model is trained: by which programs, from which epochs on, and what its scores rank by.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/engine/program/builder.h"
#include "cupel/learn/layers/graph_inputs.h"
#include "cupel/learn/task.h"

namespace cupel {

// One program, trained from an epoch on.
struct TrainingPhase {
  int from = 0;  // epoch
  // Traces class scores before softmax: nodes or graphs x classes.
  std::function<Value(Builder&, GraphInputs&)> logits;
  // What some parameters start this phase from, by name, in their declared shapes; the others go
  // on. `scores` are those of all nodes by the phase before, evaluated: nodes x outputs. May be
  // empty.
  std::function<std::map<std::string, Matrix>(const TaskView& task, ConstDenseView scores)> start =
      {};
};

// A value; the model that gave it must outlive it.
struct Schedule {
  // One at least: the first from epoch 0, the others ascending. All declare the same parameters in
  // the same order, and the optimiser goes on. More than one: on nodes alone.
  std::vector<TrainingPhase> phases;
  // Whether the first step must compute every node, because the released code's behaviour on rows
  // that the loss never reads is part of what is reproduced (see nodes/gs_frame.h).
  bool first_step_on_all_rows = false;
  // The form of the metric by which scores are judged, in training and on test, where a released
  // code ranks by something else (form_of_metric, score/metrics.h). Empty: as it is.
  std::string ranking = {};
};

}  // namespace cupel
