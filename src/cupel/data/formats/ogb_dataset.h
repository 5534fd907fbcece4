// Sets of graphs as OGB stores them (Hu et al., "Open Graph Benchmark", 2020; ogb/io/README.md):
// the folder that a data set's archive unpacks to, before any Python has run.
//
//   raw/num-node-list.csv.gz   per graph: how many nodes
//   raw/num-edge-list.csv.gz   per graph: how many rows of edge.csv.gz
//   raw/edge.csv.gz            two nodes of the graph, from 0
//   raw/node-feat.csv.gz       per node: numbers                                     (optional)
//   raw/edge-feat.csv.gz       per row of edge.csv.gz: numbers                       (optional)
//   raw/graph-label.csv.gz     per graph: a class; or several tasks, 0, 1 or nothing
// or the same in two archives:
//   raw/data.npz               num_nodes_list, num_edges_list, edge_index (2 x rows), node_feat,
//                              edge_feat; other node_* and edge_* members are not read
//   raw/graph-label.npz        graph_label
// and
//   split/SCHEME/{train,valid,test}.csv.gz   numbers of graphs, from 0               (optional)
//   split/SCHEME.npz           train_mask, valid_mask (or val_mask), test_mask: one flag per graph,
//                              or splits x graphs                                    (optional)
// Each file may also lie there unpacked, as NAME.csv. The folder mapping/ is not read, nor is
// split_dict.pt, a Python pickle, which can run code.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether the folder has raw/edge.csv.gz, raw/edge.csv or raw/data.npz.
[[nodiscard]] bool is_ogb_folder(const std::filesystem::path& folder);

// Files have the rows of both directions of an edge, or of one (where OGB's list of data sets says
// add_inverse_edge): both are the same simple undirected graph, see graph_union.h. Node features
// become node attributes, edge features arc attributes. Schemes of splits in the order of their
// names. Throws Error naming file, line and value.
[[nodiscard]] Dataset read_ogb_dataset(const std::filesystem::path& folder,
                                       ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
