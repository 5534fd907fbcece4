// The components of each graph of a set, with colours by which candidates for equal ones are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

using Colour = std::uint64_t;

// Colours are refined (Weisfeiler and Leman 1968) within each component: nodes that some
// isomorphism maps to one another have equal colours, and so have isomorphic components and graphs,
// in whatever graph. Others may too.
class ColouredComponents {
 public:
  struct Component {
    Offset from = 0, to = 0;  // its nodes in members()
    Colour colour = 0;
  };

  // `graph` is the symmetric union of graphs that begin at `start`. Nodes of different
  // `node_number` and arcs of different `arc_number` (by entry; empty: all equal) are different.
  // `graph` must outlive this.
  ColouredComponents(const Csr& graph, const std::vector<Index>& start,
                     const std::vector<Index>& node_number, const std::vector<Index>& arc_number);

  // Of a graph, by colour.
  [[nodiscard]] std::span<const Component> of_graph(Index g) const;
  [[nodiscard]] std::span<const Index> members(const Component& component) const;
  [[nodiscard]] Colour of_node(Index i) const { return colour_[static_cast<std::size_t>(i)]; }
  // Of a whole graph.
  [[nodiscard]] Colour colour(Index g) const;

 private:
  void find_components(const std::vector<Index>& start);
  void refine(Component& component, const std::vector<Index>& node_number,
              const std::vector<Index>& arc_number);
  std::size_t different_colours(std::span<const Index> nodes);

  const Csr& graph_;
  std::vector<Colour> colour_, next_, sorted_;
  std::vector<Component> components_;
  std::vector<std::ptrdiff_t> first_component_;  // graphs + 1
  std::vector<Index> members_;                   // nodes, component after component
};

}  // namespace cupel
