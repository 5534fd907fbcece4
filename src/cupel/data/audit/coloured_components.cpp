#include "cupel/data/audit/coloured_components.h"

#include <algorithm>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

// After so many rounds colours only find candidates less well: on long paths each round tells few
// more nodes apart.
constexpr int kRounds = 64;

Colour mix(Colour h) {  // the finaliser of splitmix64
  h += 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}
Colour mix(Colour h, Colour x) { return mix(h ^ mix(x)); }

}  // namespace

ColouredComponents::ColouredComponents(const Csr& graph, const std::vector<Index>& start,
                                       const std::vector<Index>& node_number,
                                       const std::vector<Index>& arc_number)
    : graph_(graph), colour_(node_number.size()) {
  find_components(start);
  for (Component& component : components_) refine(component, node_number, arc_number);
  for (std::size_t g = 0; g + 1 < first_component_.size(); ++g)
    std::sort(components_.begin() + first_component_[g],
              components_.begin() + first_component_[g + 1],
              [](const Component& a, const Component& b) { return a.colour < b.colour; });
}

std::span<const ColouredComponents::Component> ColouredComponents::of_graph(Index g) const {
  const auto from = static_cast<std::size_t>(first_component_[static_cast<std::size_t>(g)]);
  const auto to = static_cast<std::size_t>(first_component_[static_cast<std::size_t>(g) + 1]);
  return std::span(components_).subspan(from, to - from);
}

std::span<const Index> ColouredComponents::members(const Component& component) const {
  return std::span(members_).subspan(static_cast<std::size_t>(component.from),
                                     static_cast<std::size_t>(component.to - component.from));
}

Colour ColouredComponents::colour(Index g) const {
  Colour colour = 0;
  for (const Component& component : of_graph(g)) colour = mix(colour, component.colour);
  return colour;
}

// Components are numbered by their smallest node, so that those of a graph are together.
void ColouredComponents::find_components(const std::vector<Index>& start) {
  const Components found = connected_components(graph_);
  components_.resize(found.sizes.size());
  Offset at = 0;
  for (std::size_t c = 0; c < components_.size(); ++c) {
    components_[c].from = components_[c].to = at;
    at += found.sizes[c];
  }
  members_.resize(colour_.size());
  for (Index i = 0; i < graph_.rows; ++i) {
    Component& component =
        components_[static_cast<std::size_t>(found.of_node[static_cast<std::size_t>(i)])];
    members_[static_cast<std::size_t>(component.to++)] = i;
  }
  first_component_ = {0};
  std::ptrdiff_t c = 0;
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    while (c < static_cast<std::ptrdiff_t>(components_.size()) &&
           members_[static_cast<std::size_t>(components_[static_cast<std::size_t>(c)].from)] <
               start[g + 1])
      ++c;
    first_component_.push_back(c);
  }
}

std::size_t ColouredComponents::different_colours(std::span<const Index> nodes) {
  sorted_.clear();
  for (const Index i : nodes) sorted_.push_back(colour_[static_cast<std::size_t>(i)]);
  std::sort(sorted_.begin(), sorted_.end());
  return static_cast<std::size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
}

// Nodes that some isomorphism maps to one another get equal colours, in whatever graphs.
void ColouredComponents::refine(Component& component, const std::vector<Index>& node_number,
                                const std::vector<Index>& arc_number) {
  const auto nodes = members(component);
  for (const Index i : nodes)
    colour_[static_cast<std::size_t>(i)] =
        mix(static_cast<Colour>(node_number[static_cast<std::size_t>(i)]),
            static_cast<Colour>(graph_.row_size(i)));
  std::size_t different = different_colours(nodes);
  int round = 0;
  for (; round < kRounds && different < nodes.size(); ++round) {
    next_.clear();
    for (const Index i : nodes) {
      Colour sum = 0;
      for (Offset at = graph_.row_ptr[i]; at < graph_.row_ptr[i + 1]; ++at) {
        const Colour neighbour =
            colour_[static_cast<std::size_t>(graph_.columns[static_cast<std::size_t>(at)])];
        sum += mix(neighbour, arc_number.empty()
                                  ? Colour{0}
                                  : static_cast<Colour>(arc_number[static_cast<std::size_t>(at)]));
      }
      next_.push_back(mix(colour_[static_cast<std::size_t>(i)], sum));
    }
    for (std::size_t k = 0; k < nodes.size(); ++k)
      colour_[static_cast<std::size_t>(nodes[k])] = next_[k];
    const std::size_t now = different_colours(nodes);
    if (now == different) break;
    different = now;
  }
  Colour sum = 0;
  for (const Index i : nodes) sum += mix(colour_[static_cast<std::size_t>(i)]);
  component.colour = mix(mix(sum, nodes.size()), static_cast<Colour>(round));
}

}  // namespace cupel
