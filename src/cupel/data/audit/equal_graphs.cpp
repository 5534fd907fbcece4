#include "cupel/data/audit/equal_graphs.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

using Colour = std::uint64_t;

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

// Numbers of byte strings in order of appearance.
class Numbering {
 public:
  void add(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0f : value);
    key_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  Index next() {
    const auto [at, is_new] = numbers_.try_emplace(key_, static_cast<Index>(numbers_.size()));
    key_.clear();
    return at->second;
  }

 private:
  std::string key_;
  std::unordered_map<std::string, Index> numbers_;
};

void add_row(const Csr& m, Index i, Numbering& numbering) {
  for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
    if (m.value(at) == 0) continue;
    numbering.add(static_cast<float>(m.columns[static_cast<std::size_t>(at)]));
    numbering.add(m.value(at));
  }
}
void add_row(const Matrix& m, Index i, Numbering& numbering) {
  for (Index c = 0; c < m.cols; ++c) numbering.add(m(i, c));
}

// What the nodes are apart from edges: equal numbers, equal nodes.
std::vector<Index> node_numbers(const Dataset& data, GraphAspects aspects) {
  std::vector<Index> out(static_cast<std::size_t>(data.nodes()), 0);
  const bool labels = aspects.node_labels && feature_count(data.features) > 0;
  const bool attributes = aspects.node_attributes && data.graphs->node_attributes.cols > 0;
  if (!labels && !attributes) return out;
  Numbering numbering;
  for (Index i = 0; i < data.nodes(); ++i) {
    // Attributes first: they are as many for each node, so that no two rows run into one another.
    if (attributes) add_row(data.graphs->node_attributes, i, numbering);
    if (labels) std::visit([&](const auto& m) { add_row(m, i, numbering); }, data.features);
    out[static_cast<std::size_t>(i)] = numbering.next();
  }
  return out;
}

// Of each entry (i, j) of a symmetric pattern the position of (j, i).
std::vector<Offset> reversed_entries(const Csr& graph) {
  std::vector<Offset> out(graph.columns.size()), next(graph.row_ptr.begin(), graph.row_ptr.end());
  for (std::size_t at = 0; at < out.size(); ++at)
    out[at] = next[static_cast<std::size_t>(graph.columns[at])]++;
  return out;
}

enum class Answer { kEqual, kDifferent, kUndecided };

class Search {
 public:
  Search(const Dataset& data, GraphAspects aspects, IsomorphismEffort effort)
      : graph_(data.adjacency),
        start_(data.graphs->start),
        effort_(effort),
        left_(effort.all),
        number_(node_numbers(data, aspects)),
        colour_(number_.size()),
        image_(number_.size(), -1),
        original_(number_.size(), -1),
        entry_(number_.size(), -1),
        place_(number_.size(), -1) {
    if (aspects.arc_attributes && data.graphs->arc_attributes.cols > 0) {
      arc_number_ = number_rows(data.graphs->arc_attributes);
      reversed_ = reversed_entries(graph_);
    }
    find_components();
    for (Component& component : components_) refine(component);
    for (std::size_t g = 0; g + 1 < first_component_.size(); ++g)
      std::sort(components_.begin() + first_component_[g],
                components_.begin() + first_component_[g + 1],
                [](const Component& a, const Component& b) { return a.colour < b.colour; });
  }

  EqualGraphs run() {
    std::vector<std::pair<Colour, Index>> keyed;
    for (Index g = 0; g + 1 < static_cast<Index>(start_.size()); ++g) {
      if (start_[g] == start_[g + 1]) continue;
      Colour colour = 0;
      for (const Component& component : components_of(g)) colour = mix(colour, component.colour);
      keyed.emplace_back(colour, g);
    }
    std::sort(keyed.begin(), keyed.end());
    EqualGraphs out;
    for (std::size_t from = 0, to = 0; from < keyed.size(); from = to) {
      Groups here;
      for (; to < keyed.size() && keyed[to].first == keyed[from].first; ++to)
        place(keyed[to].second, here, out.undecided);
      for (auto& group : here) {
        if (group.size() > 1) out.groups.push_back(std::move(group));
      }
    }
    std::sort(out.groups.begin(), out.groups.end());  // distinct first graphs decide
    return out;
  }

 private:
  struct Component {
    Offset from = 0, to = 0;  // its nodes in members_
    Colour colour = 0;        // isomorphic components have the same
  };

  std::span<const Component> components_of(Index g) const {
    const auto from = static_cast<std::size_t>(first_component_[static_cast<std::size_t>(g)]);
    const auto to = static_cast<std::size_t>(first_component_[static_cast<std::size_t>(g) + 1]);
    return std::span(components_).subspan(from, to - from);
  }
  std::span<const Index> members(const Component& c) const {
    return std::span(members_).subspan(static_cast<std::size_t>(c.from),
                                       static_cast<std::size_t>(c.to - c.from));
  }

  // Components are numbered by their smallest node, so that those of a graph are together.
  void find_components() {
    const Components found = connected_components(graph_);
    components_.resize(found.sizes.size());
    Offset at = 0;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      components_[c].from = components_[c].to = at;
      at += found.sizes[c];
    }
    members_.resize(number_.size());
    for (Index i = 0; i < graph_.rows; ++i) {
      Component& component =
          components_[static_cast<std::size_t>(found.of_node[static_cast<std::size_t>(i)])];
      members_[static_cast<std::size_t>(component.to++)] = i;
    }
    first_component_ = {0};
    std::ptrdiff_t c = 0;
    for (std::size_t g = 0; g + 1 < start_.size(); ++g) {
      while (c < static_cast<std::ptrdiff_t>(components_.size()) &&
             members_[static_cast<std::size_t>(components_[static_cast<std::size_t>(c)].from)] <
                 start_[g + 1])
        ++c;
      first_component_.push_back(c);
    }
  }

  std::size_t different_colours(std::span<const Index> nodes) {
    sorted_.clear();
    for (const Index i : nodes) sorted_.push_back(colour_[static_cast<std::size_t>(i)]);
    std::sort(sorted_.begin(), sorted_.end());
    return static_cast<std::size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
  }

  // Nodes that some isomorphism maps to one another get equal colours, in whatever graphs.
  void refine(Component& component) {
    const auto nodes = members(component);
    for (const Index i : nodes)
      colour_[static_cast<std::size_t>(i)] =
          mix(static_cast<Colour>(number_[static_cast<std::size_t>(i)]),
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
          sum += mix(neighbour, static_cast<Colour>(arc_number(at)));
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

  Index arc_number(Offset at) const {
    return arc_number_.empty() ? 0 : arc_number_[static_cast<std::size_t>(at)];
  }

  void place(Index g, Groups& groups, Offset& undecided) {
    bool gave_up = false;
    for (auto& group : groups) {
      const Answer answer = compare(group.front(), g);
      if (answer == Answer::kEqual) {
        group.push_back(g);
        return;
      }
      gave_up = gave_up || answer == Answer::kUndecided;
    }
    undecided += gave_up;
    groups.push_back({g});
  }

  // Isomorphism is an equivalence, so that any component of b serves that fits one of a.
  Answer compare(Index a, Index b) {
    const auto of_a = components_of(a), of_b = components_of(b);
    if (of_a.size() != of_b.size()) return Answer::kDifferent;
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      if (of_a[k].colour != of_b[k].colour) return Answer::kDifferent;
    }
    std::vector<char> taken(of_b.size(), 0);
    std::size_t first = 0;  // of b with the colour
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      if (of_b[first].colour != of_a[k].colour) first = k;
      bool found = false, gave_up = false;
      for (std::size_t m = first; m < of_b.size() && of_b[m].colour == of_a[k].colour; ++m) {
        if (taken[m]) continue;
        const Answer answer = match(members(of_a[k]), members(of_b[m]));
        gave_up = gave_up || answer == Answer::kUndecided;
        found = answer == Answer::kEqual;
        if (!found) continue;
        taken[m] = 1;
        break;
      }
      if (!found) return gave_up ? Answer::kUndecided : Answer::kDifferent;
    }
    return Answer::kEqual;
  }

  // The nodes of a component, each after the one it was reached from, from one of the rarest
  // colour.
  void find_order(std::span<const Index> nodes) {
    sorted_.clear();
    for (const Index i : nodes) sorted_.push_back(colour_[static_cast<std::size_t>(i)]);
    std::sort(sorted_.begin(), sorted_.end());
    Index root = nodes.front();
    std::ptrdiff_t rarest = static_cast<std::ptrdiff_t>(nodes.size()) + 1;
    for (const Index i : nodes) {
      const auto [from, to] =
          std::equal_range(sorted_.begin(), sorted_.end(), colour_[static_cast<std::size_t>(i)]);
      if (to - from >= rarest) continue;
      rarest = to - from;
      root = i;
    }
    order_ = {root};
    parent_ = {-1};
    place_[static_cast<std::size_t>(root)] = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      for (const Index j : graph_.row_columns(order_[k])) {
        if (place_[static_cast<std::size_t>(j)] >= 0) continue;
        place_[static_cast<std::size_t>(j)] = static_cast<Index>(order_.size());
        order_.push_back(j);
        parent_.push_back(order_[k]);
      }
    }
    for (const Index i : order_) place_[static_cast<std::size_t>(i)] = -1;
  }

  // Searches depth first for a mapping of a onto b, along the edges.
  Answer match(std::span<const Index> a, std::span<const Index> b) {
    if (a.size() != b.size()) return Answer::kDifferent;
    find_order(a);
    spent_ = 0;
    const std::int64_t limit = std::min(effort_.comparison, left_);
    std::vector<std::size_t> next(order_.size() + 1, 0);
    std::ptrdiff_t k = 0;
    const auto size = static_cast<std::ptrdiff_t>(order_.size());
    while (k >= 0 && k < size && spent_ <= limit) {
      const auto at = static_cast<std::size_t>(k);
      const Index v = order_[at];
      const auto candidates =
          k == 0 ? b : graph_.row_columns(image_[static_cast<std::size_t>(parent_[at])]);
      bool found = false;
      while (!found && next[at] < candidates.size() && spent_ <= limit) {
        const Index w = candidates[next[at]++];
        ++spent_;
        if (!fits(v, w)) continue;
        image_[static_cast<std::size_t>(v)] = w;
        original_[static_cast<std::size_t>(w)] = v;
        found = true;
      }
      if (found) {
        next[static_cast<std::size_t>(++k)] = 0;
      } else if (spent_ <= limit && --k >= 0) {
        forget(order_[static_cast<std::size_t>(k)]);
      }
    }
    for (const Index v : order_) forget(v);
    left_ -= spent_;
    return k == size ? Answer::kEqual : spent_ > limit ? Answer::kUndecided : Answer::kDifferent;
  }

  void forget(Index v) {
    Index& image = image_[static_cast<std::size_t>(v)];
    if (image >= 0) original_[static_cast<std::size_t>(image)] = -1;
    image = -1;
  }

  // Whether v -> w keeps the edges to all nodes mapped so far, and what they are.
  bool fits(Index v, Index w) {
    if (original_[static_cast<std::size_t>(w)] >= 0 ||
        colour_[static_cast<std::size_t>(v)] != colour_[static_cast<std::size_t>(w)] ||
        number_[static_cast<std::size_t>(v)] != number_[static_cast<std::size_t>(w)] ||
        graph_.row_size(v) != graph_.row_size(w))
      return false;
    spent_ += 2 * graph_.row_size(v);
    Offset mapped = 0;
    for (Offset at = graph_.row_ptr[w]; at < graph_.row_ptr[w + 1]; ++at) {
      const Index x = graph_.columns[static_cast<std::size_t>(at)];
      mapped += original_[static_cast<std::size_t>(x)] >= 0;
      entry_[static_cast<std::size_t>(x)] = at;
    }
    bool fit = true;
    for (Offset at = graph_.row_ptr[v]; fit && at < graph_.row_ptr[v + 1]; ++at) {
      const Index image =
          image_[static_cast<std::size_t>(graph_.columns[static_cast<std::size_t>(at)])];
      if (image < 0) continue;
      --mapped;
      const Offset other = entry_[static_cast<std::size_t>(image)];
      fit = other >= 0 && same_arcs(at, other);
    }
    for (const Index x : graph_.row_columns(w)) entry_[static_cast<std::size_t>(x)] = -1;
    return fit && mapped == 0;
  }

  bool same_arcs(Offset a, Offset b) const {
    return arc_number_.empty() || (arc_number(a) == arc_number(b) &&
                                   arc_number(reversed_[static_cast<std::size_t>(a)]) ==
                                       arc_number(reversed_[static_cast<std::size_t>(b)]));
  }

  const Csr& graph_;
  const std::vector<Index>& start_;
  IsomorphismEffort effort_;
  std::int64_t left_, spent_ = 0;
  std::vector<Index> number_, arc_number_;
  std::vector<Offset> reversed_;
  std::vector<Colour> colour_, next_, sorted_;
  std::vector<Component> components_;
  std::vector<std::ptrdiff_t> first_component_;  // graphs + 1
  std::vector<Index> members_;                   // nodes, component after component
  // Of the search under way: -1 elsewhere.
  std::vector<Index> image_, original_;
  std::vector<Offset> entry_;
  std::vector<Index> place_, order_, parent_;
};

}  // namespace

std::vector<Index> number_rows(const Matrix& matrix) {
  Numbering numbering;
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(matrix.rows));
  for (Index i = 0; i < matrix.rows; ++i) {
    add_row(matrix, i, numbering);
    out.push_back(numbering.next());
  }
  return out;
}

EqualGraphs equal_graphs(const Dataset& dataset, GraphAspects aspects, IsomorphismEffort effort) {
  if (!dataset.graphs) throw std::logic_error("equal_graphs: no set of graphs");
  return Search(dataset, aspects, effort).run();
}

}  // namespace cupel
