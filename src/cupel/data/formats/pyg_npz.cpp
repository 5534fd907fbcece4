#include "cupel/data/formats/pyg_npz.h"

#include "cupel/data/formats/node_graph.h"

namespace cupel {

Dataset read_pyg_npz(const NpzFile& file, ReadMode mode) {
  const auto member = [&](const char* key) -> std::optional<NpyArray> {
    if (!file.has(key)) return std::nullopt;
    return file.read(key);
  };
  NodeGraph graph;
  graph.name = file.name();
  graph.x = member("x");
  graph.edge_index = member("edge_index");
  graph.edge_weight = member("edge_weight");
  graph.y = member("y");
  graph.masks[0] = member("train_mask");
  graph.masks[1] = member("val_mask");
  graph.masks[2] = member("test_mask");
  graph.masks[3] = member("stopping_mask");
  return dataset_of(graph, mode);
}

}  // namespace cupel
