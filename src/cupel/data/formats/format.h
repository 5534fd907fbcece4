// Reading a data set from a path whose format is recognised by content, and writing one.
// docs/formats.md describes the formats.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Reads a file or a folder:
//   an npz file with members adj_*       gnn-benchmark format (gnn_benchmark.h)
//   an npz file with node_features,      heterophilous-graphs format (heterophilous.h)
//     or with node_labels and edges
//   an npz file with edge_index          names of PyTorch Geometric (pyg_npz.h)
//   a zip file with data.pkl             a file of torch.save (torch_file.h)
//   a MAT-file                           mat_graph.h
//   an XML file with graphml             graphml.h
//   a file ind.NAME.*, or a folder with  Planetoid (planetoid.h)
//     ind.NAME.graph
//   an npz file with features, edges     graphmining.ai format (wikipedia_npz.h)
//     and target
//   a zip file with NAME_A.txt           a set of graphs in text files (tu_dataset.h)
//   a folder with nodes.csv, edges.csv   a graph in two tables (table_graph.h)
//   a folder with edges.csv              a graph in text files (csv_graph.h)
//   a folder with raw/node-label.csv.gz  a graph as OGB stores it (ogb_nodes.h)
//   a folder with out1_graph_edges.txt   a graph as Geom-GCN stores it (geom_gcn.h)
//   a folder with data.json, or such a   a graph as Wiki-CS is released (wiki_cs_json.h)
//     file
//   a folder with NAME_A.txt, or with    a set of graphs in text files
//     one zip file that has it
//   a folder with raw/edge.csv.gz or     a set of graphs as OGB stores them (ogb_dataset.h)
//     raw/data.npz
//   a folder with exactly one npz file   that file; else one of .pt, .mat and .graphml
//   a folder with .npy files             what unpacking an npz file gives, of any of these formats
//   a csv file with a column of SMILES,  molecules (smiles_csv.h)
//     plain or gzip-compressed, or a folder with exactly one
// The data set is named after the path (file name without extension, or folder name), a set of
// graphs after its files (NAME), a data.json after its folder.
// Throws Error in one sentence that names the file, the member or line, the value and the way out.
[[nodiscard]] Dataset read_dataset(const std::filesystem::path& path,
                                   ReadMode mode = ReadMode::kForUse);

// The same of a GraphML file, two tables or a MAT-file, with the name of the attribute, column or
// variable that holds the classes. Throws Error for other formats, which have one name for it.
[[nodiscard]] Dataset read_dataset_with_label(const std::filesystem::path& path,
                                              const std::string& label);

// Whether read_dataset would take the folder for a data set; it may be a bad one all the same.
// Never throws for a folder that is absent or unreadable.
[[nodiscard]] bool holds_dataset(const std::filesystem::path& folder);

// What the file or folder says and a data set of it does not hold, one phrase each: names of nodes
// and features, values of node labels. Reads again what it is about. Empty for formats without such
// things. `label` as of read_dataset_with_label(), or "". Throws Error as reading does.
[[nodiscard]] std::vector<std::string> left_out(const std::filesystem::path& path,
                                                const std::string& label = "");

// Writes the gnn-benchmark format, so that read_dataset gives back the same content_hash provided
// every class has a node. Deterministic bytes for one version of zlib. A temporary file beside
// `path` is renamed at the end: whoever looks sees the old file or the whole new one.
void write_gnn_benchmark_npz(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace cupel
