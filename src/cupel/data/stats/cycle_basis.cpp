#include "cupel/data/stats/cycle_basis.h"

#include <algorithm>

namespace cupel {

// Whether `node`, any node of the graph, is in the set of `of`: its members are neighbours of `of`.
bool CycleBasis::is_used(Index of, Index node) const {
  const auto row = graphs_.row_columns(of);
  const auto found = std::ranges::lower_bound(row, node);
  if (found == row.end() || *found != node) return false;
  return used_[static_cast<std::size_t>(graphs_.row_ptr[of] - first_ + (found - row.begin()))] != 0;
}

void CycleBasis::find(Index begin, Index end,
                      const std::function<void(std::span<const Index>)>& visit) {
  begin_ = begin;
  first_ = graphs_.row_ptr[begin];
  const auto arcs = static_cast<std::size_t>(graphs_.row_ptr[end] - first_);
  used_.assign(arcs, 0);
  reverse_.resize(arcs);
  parent_.assign(static_cast<std::size_t>(end - begin), -1);
  // Rows ascend, so the arcs into a node come in the order of that node's own row.
  next_.assign(graphs_.row_ptr.begin() + begin, graphs_.row_ptr.begin() + end);
  for (Index v = begin; v < end; ++v) {
    for (Offset at = graphs_.row_ptr[v]; at < graphs_.row_ptr[v + 1]; ++at) {
      const Index w = graphs_.columns[static_cast<std::size_t>(at)];
      reverse_[static_cast<std::size_t>(at - first_)] =
          next_[static_cast<std::size_t>(w - begin)]++;
    }
  }
  const auto parent = [&](Index v) -> Index& {
    return parent_[static_cast<std::size_t>(v - begin_)];
  };
  for (Index root = begin; root < end; ++root) {
    if (parent(root) >= 0) continue;
    parent(root) = root;
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const Index z = stack_.back();
      stack_.pop_back();
      for (Offset at = graphs_.row_ptr[z]; at < graphs_.row_ptr[z + 1]; ++at) {
        const Index w = graphs_.columns[static_cast<std::size_t>(at)];
        const auto back =
            static_cast<std::size_t>(reverse_[static_cast<std::size_t>(at - first_)] - first_);
        if (parent(w) < 0) {
          parent(w) = z;
          stack_.push_back(w);
          used_[back] = 1;
        } else if (used_[static_cast<std::size_t>(at - first_)] == 0) {
          cycle_ = {w, z};
          Index up = parent(z);
          for (; !is_used(w, up); up = parent(up)) cycle_.push_back(up);
          cycle_.push_back(up);
          used_[back] = 1;
          visit(cycle_);
        }
      }
    }
  }
}

}  // namespace cupel
