// Epochs of temporal graph networks.
#pragma once

#include <string>

#include "cupel/data/facts/columns.h"
#include "cupel/data/facts/time_split.h"

namespace cupel::bench {

struct Epochs {
  std::string net;  // "tgn" or "tgat"
  int epochs = 5;
  bool by_step = false;        // what is known before a fact: all before its time, or its batch
  bool trained_times = false;  // as PyTorch Geometric's example has it
  bool residual = false;       // of tgat
  bool pyg = false;            // of tgn: embeddings as PyTorch Geometric's example has them
};

// Each as a JSON line: processor time of training, loss, and average precision of the parts after
// it.
void measure_epochs(const Epochs& what, const FactColumns& all, const TimeParts& parts,
                    Undirected undirected);

}  // namespace cupel::bench
