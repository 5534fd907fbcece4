// What wiki-cs takes from the texts of articles: their words, and links where no table has them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/build/recipe.h"
#include "cupel/data/build/wiki_cs/nodes.h"
#include "cupel/data/text/punkt.h"
#include "cupel/data/wiki/wikitext_rules.h"

namespace cupel::wiki_cs {

struct TextSettings {
  bool sentences = true;  // else a text is one sentence
  TableText tables = TableText::kDrop;
  std::vector<std::string> disambiguation;  // templates; an article that calls one has no text
  bool words = true;                        // fill Article::tokens; else somebody else does
  bool links = false;
};

// Reads the input "articles" once more. Articles ascend by page; what is found goes into them.
// Returns the links between them if they are asked for: as in MediaWiki's tables, each title counts
// once on a page, and its own not at all, unless a part of the page is named; targets ascend by the
// page whose title is named. A link to a redirect leads to the article that it names. Memory: 64
// MiB of texts at a time, and the titles that articles link to.
[[nodiscard]] OutLinks read_texts(BuildContext& context, const TextSettings& settings,
                                  std::span<Article> articles);

// Reads the input "text": a JSON object a line with "id" and "text", as WikiExtractor writes it.
// The last text of an id counts.
void read_ready_texts(BuildContext& context, const TextSettings& settings,
                      std::span<Article> articles);

}  // namespace cupel::wiki_cs
