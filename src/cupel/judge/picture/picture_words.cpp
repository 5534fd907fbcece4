// What a picture says of itself: what is drawn, what is not, and what its marks mean.
#include <fmt/format.h>

#include "cupel/base/words.h"
#include "cupel/judge/picture/picture.h"

namespace cupel {
namespace {

std::string join_words(const Picture& picture) {
  if (picture.settings.edges == MapperEdges::kSharedNodes)
    return fmt::format(
        "Lines join clusters that have nodes in common (at most {}), and are as "
        "wide as these are many.",
        grouped(picture.mapper.largest_count));
  return fmt::format(
      "Lines are as wide as edges between two clusters are many (at most {}); {} below {:g} of "
      "that {} not drawn.",
      grouped(picture.mapper.largest_count), counted(picture.mapper.pairs_left_out, "line"),
      picture.settings.epsilon, picture.mapper.pairs_left_out == 1 ? "is" : "are");
}

std::string layout_words(const Picture& picture) {
  if (picture.layout.kind == PictureLayout::kLens && picture.wanted == PictureLayout::kStress)
    return fmt::format(
        "Clusters lie where their nodes are in the lens on average: they are more "
        "than {}, and are not laid out by their distances.",
        grouped(kMostByStress));
  if (picture.layout.kind == PictureLayout::kLens)
    return "Clusters lie where their nodes are in the lens on average.";
  return "Clusters lie as far apart as there are lines between them; where on the page a component "
         "is has no meaning.";
}

}  // namespace

std::vector<std::string> picture_caption(const Picture& picture) {
  const Index drawn = picture.drawn_clusters();
  const auto all = std::ssize(picture.mapper.clusters);
  std::vector<std::string> out = {fmt::format(
      "Mapper graph of {} and {}: {} of {} clusters and {} between them, with {} of the nodes. A "
      "cluster is a connected piece of the graph within one of {} x {} cells of the lens{}; its "
      "area grows with the square root of its nodes.",
      counted(picture.nodes, "node"), counted(picture.edges, "edge"), grouped(drawn), grouped(all),
      counted(picture.drawn_edges(), "line"), grouped(picture.drawn_nodes()),
      picture.settings.intervals, picture.settings.intervals,
      picture.settings.overlap > 0 ? fmt::format(", which overlap ({:g})", picture.settings.overlap)
                                   : "")};
  out.push_back(join_words(picture));
  if (drawn < all)
    out.push_back(fmt::format("Left out: components of the mapper graph with fewer than {}.",
                              counted(picture.settings.smallest, "node")));
  out.push_back(layout_words(picture));
  out.push_back(
      picture.classes.empty()
          ? "No class of a node is known."
          : "The colour of a cluster is its most frequent class, which may hide the others.");
  for (const Panel& panel : picture.panels) {
    std::string said = panel.colouring.note;
    if (panel.otherwise)
      said += fmt::format(
          "{}{} of {} nodes are foretold another class than they have; a ring has the colour of "
          "a cluster's most frequent true class where that is another.",
          said.empty() ? "" : " ", grouped(*panel.otherwise), grouped(picture.nodes));
    if (!said.empty()) out.push_back(said);
  }
  return out;
}

}  // namespace cupel
