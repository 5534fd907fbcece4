// Categories of a dump made fit for labels, and which articles they hold: the first step of
// wiki-cs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cupel/data/build/recipe.h"
#include "cupel/data/wiki/category_pages.h"
#include "cupel/data/wiki/sanitiser.h"

namespace cupel::wiki_cs {

// What an article is put under, and how many articles each milestone has.
struct Assigned {
  std::vector<Index> milestones;       // of one article after the other
  std::vector<std::uint64_t> ends;     // per article
  std::vector<std::int64_t> articles;  // per node of the graph
};

// Everything that the tables are written from; they share it.
struct Sanitised {
  CategoryPages pages;
  SanitisedCategories categories;
  Assigned assigned;

  const std::string& name(Index category) const {
    return pages.graph.names[static_cast<std::size_t>(category)];
  }
  double score(Index category) const {
    return categories.scores[static_cast<std::size_t>(category)];
  }
  // Milestones by falling number of articles, then by rank.
  std::vector<Index> by_articles() const {
    std::vector<Index> out;
    for (const Index c : categories.order) {
      if (categories.milestone[static_cast<std::size_t>(c)]) out.push_back(c);
    }
    std::ranges::stable_sort(out, std::ranges::greater(), [&](Index c) {
      return assigned.articles[static_cast<std::size_t>(c)];
    });
    return out;
  }
};

// Reads the input "articles" and, if the settings want it, "categorylinks".
[[nodiscard]] std::shared_ptr<const Sanitised> sanitised_categories(BuildContext& context);

// The tables of this step. They share `all`.
[[nodiscard]] std::vector<BuildTable> category_tables(const std::shared_ptr<const Sanitised>& all);

// The milestones with the most articles.
[[nodiscard]] BuildListing milestones_listing(const Sanitised& all);

}  // namespace cupel::wiki_cs
