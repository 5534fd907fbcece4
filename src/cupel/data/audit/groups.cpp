#include "cupel/data/audit/groups.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <stdexcept>

#include "cupel/data/labels.h"
namespace cupel {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);  // as boost::hash_combine, then spread
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 33);
}

std::uint64_t bits(float value) { return value == 0 ? 0 : std::bit_cast<std::uint32_t>(value); }

// Nodes for which hash() is the same and same() holds, groups of at least `least`.
// Within one hash value every node is compared with one of each group found so far, so that even
// colliding hashes cost time only.
template <class Hash, class Same>
Groups group_by(std::span<const Index> nodes, std::size_t least, Hash hash, Same same) {
  std::vector<std::pair<std::uint64_t, Index>> keyed;
  keyed.reserve(nodes.size());
  for (const Index i : nodes) keyed.emplace_back(hash(i), i);
  std::sort(keyed.begin(), keyed.end());
  Groups out;
  for (std::size_t from = 0, to = 0; from < keyed.size(); from = to) {
    while (to < keyed.size() && keyed[to].first == keyed[from].first) ++to;
    if (to - from < least) continue;
    Groups here;
    for (std::size_t k = from; k < to; ++k) {
      const Index i = keyed[k].second;
      const auto found = std::find_if(here.begin(), here.end(),
                                      [&](const auto& group) { return same(group.front(), i); });
      if (found == here.end()) {
        here.push_back({i});
      } else {
        found->push_back(i);
      }
    }
    for (auto& group : here) {
      if (group.size() >= least) out.push_back(std::move(group));
    }
  }
  std::sort(out.begin(), out.end());  // distinct first nodes decide
  return out;
}

Groups by_neighbours(const Csr& graph, std::span<const Index> labels, Index least_neighbours,
                     std::size_t least) {
  if (graph.rows != graph.cols || labels.size() != static_cast<std::size_t>(graph.rows)) {
    throw std::logic_error("a graph's matrix must be square, with one label per node");
  }
  std::vector<Index> nodes;
  for (Index i = 0; i < graph.rows; ++i) {
    // Nodes without a label are not of the same class as any other.
    if (graph.row_size(i) >= least_neighbours && labels[static_cast<std::size_t>(i)] != kNoLabel)
      nodes.push_back(i);
  }
  const auto hash = [&](Index i) {
    std::uint64_t h = static_cast<std::uint64_t>(labels[static_cast<std::size_t>(i)]);
    for (const Index j : graph.row_columns(i)) h = mix(h, static_cast<std::uint64_t>(j));
    return h;
  };
  return group_by(nodes, least, hash, [&](Index a, Index b) {
    return labels[static_cast<std::size_t>(a)] == labels[static_cast<std::size_t>(b)] &&
           std::ranges::equal(graph.row_columns(a), graph.row_columns(b));
  });
}

std::vector<char> entered_nodes(const Csr& directed) {
  std::vector<char> entered(static_cast<std::size_t>(directed.rows), 0);
  for (const Index j : directed.columns) entered[static_cast<std::size_t>(j)] = 1;
  return entered;
}

// The non-zero entries of a row in order: visit(column, value).
template <class Visit>
void visit_row(const Csr& m, Index i, Visit visit) {
  for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
    if (m.value(at) != 0) visit(m.columns[static_cast<std::size_t>(at)], m.value(at));
  }
}
template <class Visit>
void visit_row(const Matrix& m, Index i, Visit visit) {
  for (Index c = 0; c < m.cols; ++c) {
    if (m(i, c) != 0) visit(c, m(i, c));
  }
}

template <class M>
Groups equal_rows(const M& m) {
  std::vector<Index> nodes;
  for (Index i = 0; i < m.rows; ++i) {
    bool any = false;
    visit_row(m, i, [&](Index, float) { any = true; });
    if (any) nodes.push_back(i);
  }
  const auto hash = [&](Index i) {
    std::uint64_t h = 0;
    visit_row(m, i,
              [&](Index c, float v) { h = mix(h, static_cast<std::uint64_t>(c) << 32 | bits(v)); });
    return h;
  };
  std::vector<std::pair<Index, float>> x, y;
  return group_by(nodes, 2, hash, [&](Index a, Index b) {
    x.clear(), y.clear();
    visit_row(m, a, [&](Index c, float v) { x.emplace_back(c, v); });
    visit_row(m, b, [&](Index c, float v) { y.emplace_back(c, v); });
    return x == y;
  });
}

}  // namespace

Groups wikipedia_groups(const Csr& directed, std::span<const Index> labels) {
  const std::vector<char> entered = entered_nodes(directed);
  Groups out = by_neighbours(directed, labels, 1, 2);
  std::erase_if(out, [&](const std::vector<Index>& group) {
    const auto is_entered = [&](Index i) { return entered[static_cast<std::size_t>(i)] != 0; };
    return std::ranges::none_of(group, is_entered) || std::ranges::all_of(group, is_entered);
  });
  return out;
}

std::vector<Index> wikipedia_duplicates(const Csr& directed, std::span<const Index> labels) {
  const std::vector<char> entered = entered_nodes(directed);
  std::vector<Index> out;
  for (const auto& group : wikipedia_groups(directed, labels)) {
    std::ranges::copy_if(group, std::back_inserter(out),
                         [&](Index i) { return entered[static_cast<std::size_t>(i)] == 0; });
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Index> group_of_node(const Groups& groups, Index nodes) {
  std::vector<Index> out(static_cast<std::size_t>(nodes), -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Index i : groups[g]) out[static_cast<std::size_t>(i)] = static_cast<Index>(g);
  }
  return out;
}

Groups equal_features(const Features& features) {
  return std::visit([](const auto& m) { return equal_rows(m); }, features);
}

Index count_zero_rows(const Features& features) {
  return std::visit(
      [](const auto& m) {
        Index zero = 0;
        for (Index i = 0; i < m.rows; ++i) {
          bool any = false;
          visit_row(m, i, [&](Index, float) { any = true; });
          zero += !any;
        }
        return zero;
      },
      features);
}

Groups equal_neighbours(const Csr& undirected, std::span<const Index> labels, Index least) {
  return by_neighbours(undirected, labels, least, 2);
}

}  // namespace cupel
