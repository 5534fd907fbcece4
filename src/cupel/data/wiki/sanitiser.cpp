#include "cupel/data/wiki/sanitiser.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

// Per node, whether its name has one of the words.
std::vector<bool> with_words(const CategoryGraph& graph, const std::vector<std::string>& words) {
  std::vector<std::string> folded;
  for (const std::string& word : words) {
    if (!word.empty()) folded.push_back(fold_case(word));
  }
  std::vector<bool> out(static_cast<std::size_t>(graph.nodes()));
  std::string name;
  for (Index v = 0; v < graph.nodes(); ++v) {
    fold_case(graph.names[v], name);
    out[v] = std::ranges::any_of(
        folded, [&](const std::string& word) { return name.find(word) != std::string::npos; });
  }
  return out;
}

// The nearest milestone strictly above each node (a milestone on a cycle is above itself): one
// search from all milestones. They are queued by rising id, so that each level is queued by rising
// id of its milestone, and who comes first has the lowest.
std::vector<Index> nearest_above(const CategoryGraph& graph, const std::vector<bool>& milestone,
                                 const std::vector<bool>& pruned) {
  std::vector<Index> above(milestone.size(), kNoCategory), queue;
  queue.reserve(milestone.size());
  for (Index v = 0; v < graph.nodes(); ++v) {
    if (milestone[v]) queue.push_back(v);
  }
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const Index v = queue[at];
    for (const Index w : graph.children.row_columns(v)) {
      if (above[w] != kNoCategory || pruned[w]) continue;
      above[w] = milestone[v] ? v : above[v];
      // A milestone has been in the queue from the start.
      if (!milestone[w]) queue.push_back(w);
    }
  }
  return above;
}

}  // namespace

Index SanitisedCategories::milestones() const {
  return static_cast<Index>(std::ranges::count(milestone, true));
}

SanitisedCategories sanitise(const CategoryGraph& graph, const SanitiserSettings& settings,
                             Threads threads, const CentralityProgress& progress) {
  if (settings.milestones < 0) fail("milestones is {}; it must be 0 or more", settings.milestones);
  const auto n = static_cast<std::size_t>(graph.nodes());
  SanitisedCategories out;
  std::vector<bool> wanted = with_words(graph, settings.exclude);
  wanted.flip();
  out.scores = harmonic_centrality(graph.children, wanted, threads, progress);
  for (std::size_t v = 0; v < n; ++v) {
    if (!wanted[v]) out.scores[v] = -std::numeric_limits<double>::infinity();
  }
  out.order.resize(n);
  std::iota(out.order.begin(), out.order.end(), 0);
  std::ranges::sort(out.order, [&](Index a, Index b) {
    return out.scores[a] != out.scores[b] ? out.scores[a] > out.scores[b] : a < b;
  });
  out.rank.resize(n);
  out.milestone.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Index v = out.order[k];
    out.rank[v] = static_cast<Index>(k);
    out.milestone[v] = k < static_cast<std::size_t>(settings.milestones) && wanted[v];
  }
  out.nearest = nearest_above(graph, out.milestone, with_words(graph, settings.prune));
  out.milestone_parent.assign(n, kNoCategory);
  for (Index v = 0; v < graph.nodes(); ++v) {
    if (!out.milestone[v]) continue;
    out.milestone_parent[v] = out.nearest[v];
    out.nearest[v] = v;
  }
  return out;
}

void milestones_of(const SanitisedCategories& categories, std::span<const Index> tags,
                   std::vector<Index>& out) {
  out.clear();
  for (const Index tag : tags) {
    if (tag < 0 || tag >= std::ssize(categories.nearest)) continue;
    if (categories.nearest[tag] != kNoCategory) out.push_back(categories.nearest[tag]);
  }
  std::ranges::sort(out, {}, [&](Index v) { return categories.rank[v]; });
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace cupel
