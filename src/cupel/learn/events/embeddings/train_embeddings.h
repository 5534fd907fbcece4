// Learning embeddings of facts, times ignored.
#pragma once

#include <vector>

#include "cupel/base/limits.h"
#include "cupel/learn/events/embeddings/fact_objective.h"

namespace cupel {

struct EmbeddingSettings {
  FactForm form;
  Index dimension = 128;  // numbers of a row; even for ComplEx
  RowLoss loss;
  FactPenalty penalty = {.weight = 0.003, .power = 3};
  Index epochs = 30;      // at most; each takes every different query of training once
  double rate = 0.1;      // of Adagrad
  Index batch = 512;      // queries of a step
  Index negatives = 512;  // entities drawn for each batch, uniformly; 0: all
  Index check_every = 3, patience = 2;  // epochs between looks; looks without a better one
  Offset valid_questions = 4000;        // of validation, drawn, that a look asks

  // Throws Error for what is out of range.
  void check() const;
};

struct TrainedEmbeddings {
  FactEmbeddings embeddings;  // of the best look; without validation facts, the last ones
  Index epochs = 0;           // that these took
  double valid_mrr = 0;
  std::vector<double> losses = {};  // a fact's mean, epoch by epoch
  std::vector<double> looks = {};   // mean reciprocal ranks on validation, look by look
};

// A function of facts, settings and key: not of the number of threads. Adagrad (Duchi, Hazan and
// Singer, JMLR 2011) on the rows that a batch touches. Throws Error if numbers leave their range,
// Interrupted or TimedOut.
[[nodiscard]] TrainedEmbeddings train_embeddings(const FactColumns& train, const FactColumns& valid,
                                                 const EventWorld& world,
                                                 const EmbeddingSettings& settings, StreamKey key,
                                                 Threads threads, const RunLimits& limits);

// Upper bound of what that and asking afterwards hold, in bytes.
[[nodiscard]] std::size_t embedding_bytes(const EventWorld& world,
                                          const EmbeddingSettings& settings, Offset facts);

}  // namespace cupel
