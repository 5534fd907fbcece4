// Small traced programs by which every op is checked: gradients, pruning, threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/engine/program/builder.h"

namespace cupel {

// What an example may use: a graph of a dozen nodes with self-loops and one isolated node, with its
// constants. Parameters are made with the builder.
struct OpExampleInputs {
  Value adjacency;        // nodes x nodes, valued
  Value pattern;          // nodes x nodes, pattern
  Value sparse_features;  // nodes x 9, pattern
  Value dense_features;   // nodes x 6
  Value edge_constant;    // entries of `pattern` x 2
  Value selection;        // nodes x 4, pattern, one entry a row
};

struct OpExample {
  std::string name;
  std::function<Value(Builder&, const OpExampleInputs&)> trace;  // value in the node space
};

// Each file of ops/ defines `extern const OpExamples op_<file stem>`.
using OpExamples = std::vector<OpExample>;

[[nodiscard]] std::vector<OpExample> all_op_examples();

}  // namespace cupel
