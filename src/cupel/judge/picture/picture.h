// A picture of a graph: its mapper graph, laid out, with a colour for each cluster.
//
// As Figures 3 and 4 of P. Mernyei and C. Cangea, "Wiki-CS", 2020: each cluster has the colour of
// its most frequent class, or of the class that a model predicts most often there.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/judge/picture/layout.h"
#include "cupel/judge/picture/mapper.h"

namespace cupel {

// A class for each node, and where it is from.
struct Colouring {
  std::string title;           // "classes", "predictions of gcn"
  std::string note = {};       // a sentence or more for the caption; may be empty
  std::vector<Index> of_node;  // class of each node; -1: none
  bool foretold = false;       // classes that a model gives, to be held against the true ones
  std::vector<std::pair<std::string, std::string>> source = {};  // of a run: "run", its id, ...
};

// A colouring and what it makes of the clusters.
struct Panel {
  Colouring colouring;
  std::vector<Index> of_cluster;    // its most frequent class, the smallest of equals; -1: none
  std::vector<Offset> nodes_of_it;  // how many of the cluster's nodes have it
  std::optional<Offset> otherwise;  // of predicted classes: nodes whose true class is another
};

struct Picture {
  std::string dataset;
  Index nodes = 0;
  Offset edges = 0;                                          // of the graph, undirected
  std::vector<std::string> classes;                          // names
  std::vector<std::pair<std::string, std::string>> made_by;  // what else it follows from, by name
  MapperSettings settings;
  std::vector<LensPoint> lens;  // by node, normalised
  MapperGraph mapper;
  PictureLayout wanted = PictureLayout::kStress;
  PlacedClusters layout;
  std::vector<Index> labels;        // true class by node, -1: none
  std::vector<Index> true_classes;  // by cluster, as Panel::of_cluster
  std::vector<Panel> panels;        // at least one

  Index drawn_clusters() const;
  Offset drawn_edges() const;
  Index drawn_nodes() const;  // in at least one cluster that is drawn
};

// The most frequent class among `nodes`, and how many have it; the smallest of equals, and -1 where
// none of them has one.
[[nodiscard]] std::pair<Index, Offset> most_frequent(const std::vector<Index>& nodes,
                                                     const std::vector<Index>& classes);

// The classes of a data set's nodes as a colouring; all -1 where it has none.
[[nodiscard]] Colouring classes_of(const Dataset& dataset);

// A picture of one graph by a lens of nodes x 2. Colourings have a class below dataset.classes()
// for each node, or -1. Throws Error as normalised_lens(). Pure.
[[nodiscard]] Picture make_picture(const Dataset& dataset, const Matrix& lens,
                                   const MapperSettings& settings, PictureLayout layout,
                                   std::vector<Colouring> colourings);

// What is drawn, what is not, and what marks mean: a paragraph each.
[[nodiscard]] std::vector<std::string> picture_caption(const Picture& picture);

// The same as a file: SVG (picture_svg.cpp), for light and dark pages, and JSON
// (picture_json.cpp), which has all that is drawn, what is not, and the nodes of each cluster.
[[nodiscard]] std::string picture_svg(const Picture& picture);
[[nodiscard]] std::string picture_json(const Picture& picture);

}  // namespace cupel
