// Deep Graph Infomax: an embedding of a graph's nodes that is learnt without labels.
//
// Velickovic, Fedus, Hamilton, Lio, Bengio and Hjelm, "Deep graph infomax", ICLR 2019, in the form
// in which Bodnar, Cangea and Lio, "Deep graph mapper" (2020), draw graphs by it: an encoder of
// graph convolutions, S X W + b with S = D^-1/2 (A + I) D^-1/2, ELU between them and none behind
// the last; corrupted nodes are those of the graph with the rows of X in a random order; a node z
// is scored by the logit z^T W s, s = sigmoid(mean of z over the summary nodes). The loss is
//   - mean over nodes log(sigmoid(logit of z) + 1e-15)
//   - mean over nodes log(1 - sigmoid(logit of the corrupted z) + 1e-15).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/data/dataset.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/layers/graph_inputs.h"

namespace cupel {

struct DgiSettings {
  std::vector<Index> hidden = {32, 64};  // widths of the layers before the last; at least one
  Index dimension = 512;                 // width of the embedding; all widths are 1 to 4096
  double lr = 1e-3;                      // Adam's, with PyTorch's epsilon
  int epochs = 201;                      // steps, each on all nodes and with an order of its own
};

// The nodes whose mean is the summary: the training part of the first stored split, as released
// code takes those of the Planetoid split; all nodes where there is none.
[[nodiscard]] std::vector<Index> dgi_summary_nodes(const Dataset& dataset);

// Training step by step. Weights start from Glorot's uniform distribution, biases from 0, the
// matrix of scores from U(-1/sqrt(dimension), 1/sqrt(dimension)). Everything random follows from
// the key; the bits do not depend on the threads. Not thread-safe.
//
// No step applies the last layer to a node. It is linear: with g a row of S H, of what it is given,
// z^T W s = g^T (W_last W s) + b_last^T W s, and the mean of z is the last layer of a weighted mean
// of the rows of H. The loss is the same, and `nodes` is never multiplied by `dimension`.
class DgiTraining {
 public:
  // Throws Error, which names the data set, for a set of graphs, a graph without nodes or without
  // features, and settings out of range.
  DgiTraining(const std::shared_ptr<const Dataset>& prepared, const DgiSettings& settings,
              StreamKey key, Threads threads);
  DgiTraining(const DgiTraining&) = delete;
  DgiTraining& operator=(const DgiTraining&) = delete;

  // The loss at the current parameters under the order that `epoch` draws; leaves its gradient.
  // Throws Error if it is not a number.
  double loss(int epoch);
  // Follows the gradient that loss() left.
  void step() { (void)adam_.step(values_, gradients_, threads_); }
  // The encoder's output, nodes x dimension. Throws Error if it is not finite.
  [[nodiscard]] Matrix embedding();

  // "w1", "b1", ..., of each layer, inputs x outputs and 1 x outputs; then "scores", the transpose
  // of W.
  const std::vector<Parameter>& parameters() const { return program_.parameters; }
  ParameterSet& values() { return values_; }
  ParameterSet& gradients() { return gradients_; }

 private:
  Program trace(const Dataset& dataset, const DgiSettings& settings);

  StreamKey key_;
  Threads threads_;
  Builder builder_;
  GraphInputs inputs_;
  int encoded_ = -1;  // value of the program: the encoder's output
  Program program_;   // its output: the logit of each node, and of the corrupted one
  ParameterSet values_, gradients_;
  Adam adam_;
  std::vector<float> is_true_;  // of each logit
  std::unique_ptr<BoundProgram> trained_;
};

// nodes x dimension, after settings.epochs steps; none: the embedding of initial parameters.
// `progress` is told after each step. Throws Error as DgiTraining does, and Interrupted or TimedOut
// as `limits` say, which are looked at before each step.
[[nodiscard]] Matrix dgi_embedding(const std::shared_ptr<const Dataset>& prepared,
                                   const DgiSettings& settings, StreamKey key, Threads threads,
                                   const RunLimits& limits = {},
                                   const std::function<void(int done, int all)>& progress = {});

}  // namespace cupel
