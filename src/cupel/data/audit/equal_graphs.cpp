#include "cupel/data/audit/equal_graphs.h"

#include <algorithm>
#include <stdexcept>

#include "cupel/data/audit/coloured_components.h"
#include "cupel/data/audit/row_numbers.h"

namespace cupel {
namespace {

// Of each entry (i, j) of a symmetric pattern the position of (j, i).
std::vector<Offset> reversed_entries(const Csr& graph) {
  std::vector<Offset> out(graph.columns.size()), next(graph.row_ptr.begin(), graph.row_ptr.end());
  for (std::size_t at = 0; at < out.size(); ++at)
    out[at] = next[static_cast<std::size_t>(graph.columns[at])]++;
  return out;
}

std::vector<Index> arc_numbers(const Dataset& data, GraphAspects aspects) {
  if (!aspects.arc_attributes || data.graphs->arc_attributes.cols == 0) return {};
  return number_rows(data.graphs->arc_attributes);
}

enum class Answer { kEqual, kDifferent, kUndecided };

class Search {
 public:
  Search(const Dataset& data, GraphAspects aspects, IsomorphismEffort effort)
      : graph_(data.adjacency),
        start_(data.graphs->start),
        effort_(effort),
        left_(effort.all),
        number_(number_nodes(data, aspects.node_labels, aspects.node_attributes)),
        arc_number_(arc_numbers(data, aspects)),
        reversed_(arc_number_.empty() ? std::vector<Offset>() : reversed_entries(graph_)),
        components_(graph_, start_, number_, arc_number_),
        image_(number_.size(), -1),
        original_(number_.size(), -1),
        entry_(number_.size(), -1),
        place_(number_.size(), -1) {}

  EqualGraphs run() {
    std::vector<std::pair<Colour, Index>> keyed;
    for (Index g = 0; g + 1 < static_cast<Index>(start_.size()); ++g) {
      if (start_[g] == start_[g + 1]) continue;
      keyed.emplace_back(components_.colour(g), g);
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
    const auto of_a = components_.of_graph(a), of_b = components_.of_graph(b);
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
        const Answer answer = match(components_.members(of_a[k]), components_.members(of_b[m]));
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
    for (const Index i : nodes) sorted_.push_back(components_.of_node(i));
    std::sort(sorted_.begin(), sorted_.end());
    Index root = nodes.front();
    std::ptrdiff_t rarest = static_cast<std::ptrdiff_t>(nodes.size()) + 1;
    for (const Index i : nodes) {
      const auto [from, to] =
          std::equal_range(sorted_.begin(), sorted_.end(), components_.of_node(i));
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
        components_.of_node(v) != components_.of_node(w) ||
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

  Index arc_number(Offset at) const {
    return arc_number_.empty() ? 0 : arc_number_[static_cast<std::size_t>(at)];
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
  ColouredComponents components_;
  std::vector<Colour> sorted_;
  // Of the search under way: -1 elsewhere.
  std::vector<Index> image_, original_;
  std::vector<Offset> entry_;
  std::vector<Index> place_, order_, parent_;
};

}  // namespace

EqualGraphs equal_graphs(const Dataset& dataset, GraphAspects aspects, IsomorphismEffort effort) {
  if (!dataset.graphs) throw std::logic_error("equal_graphs: no set of graphs");
  return Search(dataset, aspects, effort).run();
}

}  // namespace cupel
