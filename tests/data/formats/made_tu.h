// Sets of graphs in TUDataset text, made for tests, and a slow reader that shares nothing with the
// one under test.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/zip_writer.h"
#include "data/formats/made_files.h"

namespace cupel::made {

// Contents by ending: "_A.txt" and so on. An ending that is absent is a file that is absent.
using TuTexts = std::map<std::string, std::string>;

inline void write_tu(const std::filesystem::path& folder, const std::string& prefix,
                     const TuTexts& texts) {
  std::filesystem::create_directories(folder);
  for (const auto& [ending, text] : texts) write_file(folder / (prefix + ending), text);
}

inline void write_tu_zip(const std::filesystem::path& path, const std::string& prefix,
                         const TuTexts& texts) {
  ZipWriter zip(path);
  for (const auto& [ending, text] : texts) {
    zip.add(prefix + ending, std::as_bytes(std::span(text)));
  }
  zip.finish();
}

// Two triangles and a path; node labels 5 and 7, edge labels 1 and 2.
inline TuTexts small_tu() {
  return {{"_A.txt",
           "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n5, 6\n6, 5\n4, 6\n6, 4\n7, 8\n8, 7\n"},
          {"_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n3\n3\n"},
          {"_graph_labels.txt", "-1\n1\n1\n"},
          {"_node_labels.txt", "5\n7\n5\n5\n5\n7\n7\n7\n"},
          {"_edge_labels.txt", "1\n1\n2\n2\n1\n1\n1\n1\n1\n1\n2\n2\n1\n1\n"}};
}

struct TuNoise {
  int graphs = 30;
  int most_nodes = 12;
  double density = 0.3;
  bool shuffled_arcs = false;    // lines of A and of what goes with it in any order
  bool scattered_nodes = false;  // nodes of a graph anywhere
};

// Isolated nodes, graphs without nodes or edges, repeated lines, one direction only, self-loops;
// labels in several columns, attributes.
inline TuTexts random_tu(std::uint32_t seed, const TuNoise& noise) {
  std::mt19937 random(seed);
  const auto below = [&](int bound) { return static_cast<int>(random() % unsigned(bound)); };
  std::vector<int> graph_of;
  for (int g = 1; g <= noise.graphs; ++g) {
    const int nodes = g == noise.graphs ? 2 : below(noise.most_nodes + 1);
    graph_of.insert(graph_of.end(), static_cast<std::size_t>(nodes), g);
  }
  if (noise.scattered_nodes) std::shuffle(graph_of.begin(), graph_of.end(), random);
  std::map<int, std::vector<int>> nodes_of;
  for (std::size_t i = 0; i < graph_of.size(); ++i) nodes_of[graph_of[i]].push_back(int(i) + 1);

  std::vector<std::pair<int, int>> arcs;
  for (const auto& [g, nodes] : nodes_of) {
    for (const int u : nodes) {
      for (const int v : nodes) {
        if (random() % 1000 >= 1000 * noise.density / 2) continue;
        arcs.emplace_back(u, v);  // u == v too
        if (below(3) != 0) arcs.emplace_back(v, u);
        if (below(5) == 0) arcs.emplace_back(u, v);
      }
    }
  }
  arcs.emplace_back(nodes_of.rbegin()->second.front(), nodes_of.rbegin()->second.back());
  if (noise.shuffled_arcs) std::shuffle(arcs.begin(), arcs.end(), random);

  TuTexts out;
  const char* const separators[] = {",", ", ", " , ", ",\t"};
  const char* const ends[] = {"\n", "\r\n", " \n"};
  for (const auto& [u, v] : arcs) {
    out["_A.txt"] += std::to_string(u) + separators[below(4)] + std::to_string(v) + ends[below(3)];
    out["_edge_labels.txt"] += std::to_string(below(3) * 10 - 10) + ends[below(3)];
    out["_edge_attributes.txt"] +=
        std::to_string(below(1000) * 0.25) + "," + std::to_string(-below(9)) + "\n";
  }
  for (const int g : graph_of) {
    out["_graph_indicator.txt"] += std::to_string(g) + ends[below(3)];
    out["_node_labels.txt"] += std::to_string(below(4) * below(40000)) + separators[below(4)] +
                               std::to_string(below(3)) + "\n";
    out["_node_attributes.txt"] += "  " + std::to_string(below(1000) * 0.125) + ",1e-3\n";
  }
  for (int g = 0; g < noise.graphs; ++g) {
    out["_graph_labels.txt"] += std::to_string(below(3) - 1) + "\n";
  }
  return out;
}

// ---- the slow reader ----------------------------------------------------------------------------

inline std::vector<std::vector<double>> tu_rows(const TuTexts& texts, const std::string& ending) {
  std::vector<std::vector<double>> rows;
  if (!texts.contains(ending)) return rows;
  std::istringstream text(texts.at(ending));
  for (std::string line; std::getline(text, line);) {
    std::vector<double> row;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
    rows.push_back(row);
  }
  return rows;
}

// One-hot rows over the sorted values of each column.
inline std::vector<std::vector<float>> tu_one_hot(const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<float>> out(rows.size());
  if (rows.empty()) return out;
  for (std::size_t c = 0; c < rows[0].size(); ++c) {
    std::set<double> values;
    for (const auto& row : rows) values.insert(row[c]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const double v : values) out[r].push_back(rows[r][c] == v ? 1.0f : 0.0f);
    }
  }
  return out;
}

struct SlowTu {
  std::vector<int> order;                          // node of the file, from 1, per node
  std::vector<Index> start;                        // graphs + 1
  std::map<std::pair<Index, Index>, int> line_of;  // line per arc, from 0
  Offset repeats = 0, loops = 0;
  std::vector<std::vector<float>> node_labels, node_attributes;          // per node
  std::map<std::pair<Index, Index>, std::vector<float>> arc_attributes;  // labels, attributes
  std::vector<double> labels;                                            // per graph
};

inline SlowTu read_tu_slowly(const TuTexts& texts) {
  SlowTu out;
  for (const auto& row : tu_rows(texts, "_graph_labels.txt")) out.labels.push_back(row[0]);
  const auto indicator = tu_rows(texts, "_graph_indicator.txt");
  std::map<int, Index> number;
  out.start.push_back(0);
  for (std::size_t g = 1; g <= out.labels.size(); ++g) {
    for (std::size_t i = 0; i < indicator.size(); ++i) {
      if (indicator[i][0] != double(g)) continue;
      number[int(i) + 1] = static_cast<Index>(out.order.size());
      out.order.push_back(int(i) + 1);
    }
    out.start.push_back(static_cast<Index>(out.order.size()));
  }
  const auto labels = tu_one_hot(tu_rows(texts, "_node_labels.txt"));
  const auto attributes = tu_rows(texts, "_node_attributes.txt");
  for (const int node : out.order) {
    const auto i = static_cast<std::size_t>(node) - 1;
    if (!labels.empty()) out.node_labels.push_back(labels[i]);
    if (!attributes.empty()) {
      out.node_attributes.emplace_back(attributes[i].begin(), attributes[i].end());
    }
  }
  const auto arcs = tu_rows(texts, "_A.txt");
  std::set<std::pair<Index, Index>> given;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const std::pair<Index, Index> arc(number.at(int(arcs[k][0])), number.at(int(arcs[k][1])));
    if (arc.first == arc.second) {
      ++out.loops;
    } else if (!given.insert(arc).second) {
      ++out.repeats;
    } else {
      out.line_of[arc] = int(k);
    }
  }
  for (const auto& [u, v] : given) out.line_of.emplace(std::pair(v, u), out.line_of.at({u, v}));
  const auto edge_labels = tu_one_hot(tu_rows(texts, "_edge_labels.txt"));
  const auto edge_attributes = tu_rows(texts, "_edge_attributes.txt");
  for (const auto& [arc, line] : out.line_of) {
    std::vector<float>& to = out.arc_attributes[arc];
    const auto k = static_cast<std::size_t>(line);
    if (!edge_labels.empty()) to = edge_labels[k];
    if (!edge_attributes.empty()) {
      to.insert(to.end(), edge_attributes[k].begin(), edge_attributes[k].end());
    }
  }
  return out;
}

inline void expect_same(const Dataset& data, const SlowTu& slow) {
  ASSERT_TRUE(data.graphs);
  EXPECT_EQ(data.graphs->start, slow.start);
  EXPECT_EQ(data.repeated_arcs, slow.repeats);
  EXPECT_EQ(data.graphs->dropped_loops, slow.loops);
  check_csr(data.adjacency);
  EXPECT_TRUE(data.adjacency.is_pattern());
  ASSERT_EQ(data.nodes(), static_cast<Index>(slow.order.size()));
  ASSERT_EQ(data.adjacency.entries(), static_cast<Offset>(slow.line_of.size()));
  // Both walk over arcs in the order of source, then target.
  auto wanted = slow.arc_attributes.begin();
  const Matrix& arcs = data.graphs->arc_attributes;
  ASSERT_EQ(arcs.rows, data.adjacency.entries());
  for (Index i = 0; i < data.nodes(); ++i) {
    for (Offset at = data.adjacency.row_ptr[i]; at < data.adjacency.row_ptr[i + 1]; ++at) {
      const auto& [arc, attributes] = *wanted++;
      ASSERT_EQ(std::pair(i, data.adjacency.columns[static_cast<std::size_t>(at)]), arc);
      const float* row = arcs.row(static_cast<Index>(at));
      ASSERT_EQ(std::vector<float>(row, row + arcs.cols), attributes);
    }
  }
  const Csr& features = std::get<Csr>(data.features);
  check_csr(features);
  EXPECT_TRUE(features.is_pattern());
  ASSERT_EQ(features.rows, data.nodes());
  const Matrix& attributes = data.graphs->node_attributes;
  ASSERT_EQ(attributes.rows, data.nodes());
  for (Index i = 0; i < data.nodes(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    std::vector<float> row(static_cast<std::size_t>(features.cols), 0.0f);
    for (const Index c : features.row_columns(i)) row[static_cast<std::size_t>(c)] = 1.0f;
    ASSERT_EQ(row, slow.node_labels.empty() ? std::vector<float>{} : slow.node_labels[k]);
    row.assign(attributes.row(i), attributes.row(i) + attributes.cols);
    ASSERT_EQ(row, slow.node_attributes.empty() ? std::vector<float>{} : slow.node_attributes[k]);
  }
  ASSERT_EQ(data.labels().size(), slow.labels.size());
  const std::set<double> classes(slow.labels.begin(), slow.labels.end());
  ASSERT_EQ(data.class_names().size(), classes.size());
  for (std::size_t g = 0; g < slow.labels.size(); ++g) {
    const std::string& name = data.class_names()[static_cast<std::size_t>(data.labels()[g])];
    ASSERT_EQ(std::stod(name), slow.labels[g]);
  }
  EXPECT_TRUE(std::is_sorted(data.class_names().begin(), data.class_names().end(),
                             [](auto& a, auto& b) { return std::stod(a) < std::stod(b); }));
}

}  // namespace cupel::made
