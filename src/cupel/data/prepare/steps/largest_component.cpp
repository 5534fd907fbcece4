// The nodes of the largest connected component.
#include <algorithm>

#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/keep.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index) {
  const Components components = connected_components(dataset.adjacency);
  // Components are numbered by their smallest node, so the first maximum is the documented one.
  const auto largest =
      static_cast<Index>(std::ranges::max_element(components.sizes) - components.sizes.begin());
  std::vector<Index> nodes;
  for (Index i = 0; i < dataset.nodes(); ++i) {
    if (components.of_node[i] == largest) nodes.push_back(i);
  }
  keep_nodes(dataset, nodes);
}

}  // namespace

extern const StepKind step_largest_component;
const StepKind step_largest_component = {
    .name = "largest-component",
    .doc = "keep the largest connected component, node order kept",
    .place = 40,
    .apply = apply,
    .suits = StepFor::kOneGraph};

}  // namespace cupel
