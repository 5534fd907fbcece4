// A category graph made fit for labels: few categories that matter, and where the others lead.
//
// P. Boldi and C. Monti, "Cleansing Wikipedia Categories using Centrality", WWW 2016 Companion, as
// the tool that made Wiki-CS's released files does it. Where that leaves open which comes first,
// here the higher score does, then the lower id (the category seen first).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/data/wiki/category_graph.h"
#include "cupel/data/wiki/harmonic.h"

namespace cupel {

// Words are looked for in names without regard to letter case. Defaults as published.
struct SanitiserSettings {
  Index milestones = 10'000;
  // A category with one of these is never a milestone. Ways through it count.
  std::vector<std::string> exclude = {"wiki", "categories", "main topic classifications",
                                      "template", "navigational box"};
  // A category with one of these is never entered by the search for the nearest milestone, so that
  // what hangs below it alone is lost; if it is a milestone it remains one.
  std::vector<std::string> prune = {
      "msx",      "x86 operating systems", "ship registration",
      "browsers", "cloud applications",    "cloud computing providers"};
};

inline constexpr Index kNoCategory = -1;

// All per node of the graph, but `order`.
struct SanitisedCategories {
  std::vector<double> scores;   // harmonic centrality from parent to child; excluded: -infinity
  std::vector<Index> order;     // all nodes by falling score, then rising id
  std::vector<Index> rank;      // place in `order`
  std::vector<bool> milestone;  // the first of `order` that are not excluded
  // The milestone that a category stands for: itself if it is one, else the one that the fewest
  // steps from parent to child lead down from, through categories that are not pruned, among equals
  // that with the lowest id; kNoCategory if there is none.
  std::vector<Index> nearest;
  // Of a milestone: the nearest above it, itself if it lies on a cycle and no other is nearer. Else
  // kNoCategory.
  std::vector<Index> milestone_parent;

  Index milestones() const;
};

// Same bits on any number of threads. Throws Error for a negative number of milestones.
[[nodiscard]] SanitisedCategories sanitise(const CategoryGraph& graph,
                                           const SanitiserSettings& settings, Threads threads,
                                           const CentralityProgress& progress = {});

// What an article's tags lead to: each milestone once, by falling score, in place of `out`. Tags
// that are no node, or lead nowhere, are left out.
void milestones_of(const SanitisedCategories& categories, std::span<const Index> tags,
                   std::vector<Index>& out);

}  // namespace cupel
