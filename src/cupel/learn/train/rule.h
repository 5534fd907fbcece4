// The rule that every model of a protocol is trained by. Plain data: protocol files fill it.
#pragma once

#include <string>

namespace cupel {

// How models are trained and which parameters are kept. The same for every model of a protocol,
// unless its row says otherwise. A new field is added here and to rule_fields.cpp, from which
// files, identities and cards take it.
struct TrainRule {
  int max_epochs = 100'000;
  int patience = 50;  // epochs without improvement before training stops; 0: never
  // What early stopping watches. "valid-objective": the validation loss with the penalty of L2,
  // as the training loss has it; "valid-loss": without; "valid-score": the metric, whose best so
  // far starts at 0. All are taken of the split's stopping part where it has one, and the
  // validation part then only chooses between configurations.
  std::string stop_on = "valid-objective";
  bool ties_improve = true;   // an equal value counts as an improvement
  std::string keep = "best";  // parameters that are assessed: "best", of the last improvement;
                              // "latest-best", those of later ties too; "last", whatever training
                              // ends with
  std::string optimizer = "adam";  // "adam": epsilon is added to the uncorrected root, as in
                                   // TensorFlow; "adam-torch": to the corrected one
  double epsilon = 1e-8;
  int batch_size = 0;  // graphs in a step, of sets of graphs; 0: all training graphs
  // "cross-entropy": of the classes, or of several tasks, the mean of the binary ones over the
  // labels that are known. "binary-cross-entropy": of sets of graphs, each class is a yes or no of
  // its own, as some released codes train two classes.
  std::string loss = "cross-entropy";
  int decay_every = 0;  // the learning rate is multiplied by `decay` every so many epochs; 0: never
  double decay = 1;
  std::string on_divergence = "restore";  // "restore": stop after `patience` and keep the best
                                          // parameters so far (the initial ones if none); "fail":
                                          // the run has no score
  // Gradients are scaled down together to this norm, before L2 is added; 0: never.
  double clip_norm = 0;
};

}  // namespace cupel
