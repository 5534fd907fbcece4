// A wikitext: its category tags in both readings, its links, and the text itself as a title.
#include "cupel/data/wiki/category_tags.h"
#include "cupel/data/wiki/hidden_parts.h"
#include "cupel/data/wiki/letter_case.h"
#include "cupel/data/wiki/sanitiser.h"
#include "cupel/data/wiki/text_links.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {
namespace {

const WikiNames& names() {
  static const WikiNames made(
      std::vector<WikiNamespace>{
          {0, "", false}, {6, "Fails", false}, {14, "Kategoreja", false}, {2302, "Gadget", true}},
      "ltg");
  return made;
}

// What is read as a title stays what it is when it is read again.
void check(const WikiTitle& title) {
  demand(!title.name.empty() && title.name.size() <= 255, "a title is short");
  demand(title.name.front() != ' ' && title.name.back() != ' ', "a title is trimmed");
  demand(title.name.find_first_of("_[]{}|<>#\n") == std::string::npos, "a title is clean");
  demand(title.name.find("  ") == std::string::npos, "blanks are single");
}

}  // namespace

void fuzz_one(std::string_view input) {
  WikiTitle title;
  if (read_title(input, names(), title)) {
    check(title);
    WikiTitle again;
    const std::string prefix = title.space == kCategories ? "Category:" : "";
    if (title.space == kArticles || title.space == kCategories) {
      // A name may look like a reference or a namespace only by what was decoded or cut before.
      if (title.name.find_first_of("&:") == std::string::npos) {
        demand(read_title(prefix + title.name, names(), again), "a title can be read again");
        demand(again == title, "a title is read as itself");
      }
    }
  }
  demand(fold_case(fold_case(input)) == fold_case(input), "capitals stay capitals");
  (void)kind_of_page(input, names(), CategoryReading::kMediaWiki);

  std::string space, space_again;
  const std::string_view shown = without_hidden(input, space);
  demand(shown.size() <= input.size() + 1, "hiding adds nothing");

  std::vector<std::string> modern, old;
  CategoryTags(names(), CategoryReading::kMediaWiki).read(input, modern);
  CategoryTags(names(), CategoryReading::kAsReleased).read(input, old);
  for (const std::string& name : modern) check({.space = kCategories, .name = name});
  for (const std::string& name : old)
    demand(!name.empty() && name.find('|') == std::string::npos, "a tag is cut at '|'");
  TextLinks(names()).read(input, [](const WikiTitle& title) { check(title); });

  CategoryGraphBuilder builder;
  std::vector<Index> ids;
  builder.add_article(modern, ids);
  builder.add_category("A", modern);
  for (const std::string& name : old) builder.add_category(name, modern);
  const CategoryGraph graph = builder.finish();
  const auto result = sanitise(graph, {.milestones = 3}, {1});
  for (const Index nearest : result.nearest)
    demand(nearest < graph.nodes() && (nearest < 0 || result.milestone[nearest]),
           "the nearest milestone is one");
}

}  // namespace cupel::fuzz
