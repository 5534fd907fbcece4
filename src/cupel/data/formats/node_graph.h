// A graph as the arrays that many formats hold: features, a list of edges, classes, masks of
// splits.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npy.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// One arc for each pair, as stored; a pair that occurs k times becomes an arc of value k, or of the
// sum of its weights where these are given. `repeats` is set to the number of pairs that were added
// to another. Throws Error naming `where` if the sum of weights is not finite. Requires ids in
// [0, nodes).
[[nodiscard]] Csr arcs_of_pairs(Index nodes, std::span<const Index> sources,
                                std::span<const Index> targets, std::span<const float> weights,
                                const std::string& where, Offset& repeats);

// The members of torch_geometric.data.Data that Cupel reads; `where` of each is for messages.
struct NodeGraph {
  std::string name;                     // of the file, for messages
  std::optional<NpyArray> x;            // nodes x features
  std::optional<NpyArray> edge_index;   // 2 x edges
  std::optional<NpyArray> edge_weight;  // edges
  std::optional<NpyArray> y;            // nodes, or nodes x 1
  // train_mask, val_mask, test_mask and, of WikiCS, stopping_mask: nodes, or nodes x splits (or
  // splits x nodes). A mask of one split beside masks of several belongs to all of them.
  std::optional<NpyArray> masks[4];
};

// The data set. Throws Error naming the file, the array, the value and what to do.
[[nodiscard]] Dataset dataset_of(const NodeGraph& graph, ReadMode mode);

}  // namespace cupel
