// A data set like Wiki-CS from any Wikipedia: categories that may serve as labels, and, with labels
// chosen among them, the articles, their words and their links.
//
// Source: P. Mernyei and C. Cangea, "Wiki-CS: A Wikipedia-Based Benchmark for Graph Neural
// Networks", GRL+ workshop at ICML 2020, section 3; sanitiser.h for the choice of categories; the
// steps after it are in build/wiki_cs/.
//
// Memory: of each category its name twice and 200 bytes or so, of each article its title and 4
// bytes a tag; the longest page; the searches of the centrality (harmonic.h). Of articles with a
// label their words, vectors and links. Files are streamed, and read again for what only labels
// make known.
#include <limits>

#include "cupel/base/error.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/build/wiki_cs/categories.h"
#include "cupel/data/build/wiki_cs/data_set.h"
#include "cupel/data/build/wiki_cs/label_map.h"
#include "cupel/data/build/wiki_cs/settings.h"
#include "cupel/data/build/wiki_cs/tables.h"

namespace cupel {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

BuildProduct make(BuildContext& context) {
  const bool with_labels = context.has("labels");
  wiki_cs::LabelMap map;
  if (with_labels) {  // whatever is missing is told before anything is read
    map = wiki_cs::read_label_map(context.path("labels"));
    if (!context.has("vectors"))
      fail(
          "wiki-cs: its input 'vectors' is not given, and with labels, features are made of them; "
          "use --from vectors=FILE");
    if (context.settings().text("links") == "sql") {
      wiki_cs::require(context, {"page", "redirect", "pagelinks"}, "links=text");
      wiki_cs::check_link_tables(context);
    }
  }
  const std::shared_ptr<const wiki_cs::Sanitised> all = wiki_cs::sanitised_categories(context);
  BuildProduct product;
  product.tables = wiki_cs::category_tables(all);
  if (!with_labels) {
    product.listing = wiki_cs::milestones_listing(*all);
    return product;
  }
  FileBytes labels(context.path("labels"), {});
  context.read_to_end("labels", labels);
  auto nodes = std::make_shared<wiki_cs::Nodes>(wiki_cs::read_nodes(context, *all, map));
  product.dataset = wiki_cs::data_set(context, *nodes, map);
  product.listing = wiki_cs::labels_listing(*product.dataset);
  wiki_cs::add_tables(nodes, product);
  wiki_cs::leave_out_empty_splits(context, *product.dataset);
  return product;
}

}  // namespace

extern const BuildRecipe build_recipe_wiki_cs;
const BuildRecipe build_recipe_wiki_cs = {
    "wiki-cs",
    "A graph of articles like Wiki-CS, from any Wikipedia",
    "The categories of any Wikipedia, from its dump, ranked by harmonic centrality; the best are "
    "milestones, and every article is put under the milestones that its categories lead up to. "
    "Without labels that is all, and from the list of milestones one chooses labels. With a file "
    "that puts milestones under labels, articles of one label are nodes, their links arcs, and the "
    "mean vector of their words their features.",
    "P. Mernyei, C. Cangea: Wiki-CS: A Wikipedia-Based Benchmark for Graph Neural Networks. GRL+ "
    "workshop at ICML 2020. P. Boldi, C. Monti: Cleansing Wikipedia Categories using Centrality. "
    "WWW 2016 Companion.",
    {{"articles",
      "the dump of pages, MediaWiki's XML, plain, gzip or bzip2; several parts are read as one",
      {"*-pages-articles*.xml*", "*-pages-meta-current*.xml*"},
      true},
     {"siteinfo",
      "JSON, what the wiki calls its namespaces beyond the names that its dump has",
      {"*-siteinfo-namespaces.json*"},
      false,
      true},
     {"labels",
      "JSON, from each label to the milestones that make it",
      {"labels*.json", "*label*mapping*.json"},
      false,
      true},
     {"page", "the table page, as SQL", {"*-page.sql*"}, false, true},
     {"redirect", "the table redirect", {"*-redirect.sql*"}, false, true},
     {"pagelinks", "the table pagelinks", {"*-pagelinks.sql*"}, false, true},
     {"linktarget",
      "the table linktarget, which pagelinks needs since 2024, and categorylinks since 2025",
      {"*-linktarget.sql*"},
      false,
      true},
     {"categorylinks", "the table categorylinks", {"*-categorylinks.sql*"}, false, true},
     {"vectors",
      "word vectors in GloVe's text format",
      {"glove*.txt*", "vectors*.txt*", "*.vec", "*.vec.gz"},
      false,
      true},
     {"text",
      "ready texts, JSON lines as WikiExtractor --json writes them; else texts are made of "
      "wikitext",
      {"wiki_[0-9]*", "*.jsonl", "*.jsonl.*"},
      true,
      true},
     {"punkt",
      "a model of Punkt as NLTK's punkt_tab has it; else abbreviations of Cupel's own",
      {},
      false,
      true,
      true}},
    {{"milestones", std::int64_t{10'000}, "how many categories are milestones", 1, 100'000'000, {}},
     {"exclude", joined(SanitiserSettings().exclude),
      "words with commas between them: a category that has one in its name is no milestone"},
     {"prune", joined(SanitiserSettings().prune),
      "the same: such a category, unless it is a milestone, leads nowhere"},
     choice_setting(
         "category-tags", {"mediawiki", "as-released"},
         "what counts as a category. mediawiki: as MediaWiki reads it, in any language; "
         "as-released: [[Category: to the letter, as the tool that made the released data"),
     choice_setting(
         "categories", {"text", "sql"},
         "where categories come from. text: texts, without what templates add; sql: categorylinks"),
     choice_setting(
         "links", {"sql", "text"},
         "where links come from. sql: page, redirect and pagelinks; text: texts, without what "
         "templates add"),
     choice_setting(
         "redirect-flag", {"named", "fifth"},
         "which column of page tells redirects. named: page_is_redirect; fifth: number 5 from 0, "
         "as the released code has it"),
     choice_setting("repeats", {"keep", "drop"},
                    "an article that is linked to by its own title and by a redirect's. keep: two "
                    "links; drop: "
                    "one"),
     choice_setting("sentences", {"punkt", "none"},
                    "how texts are cut before they are cut into words. punkt: into sentences; "
                    "none: not at all"),
     choice_setting(
         "tables", {"drop", "keep"},
         "tables of wikitext; ready texts stay as they are. drop: left out; keep: their cells are "
         "text"),
     {"disambiguation", std::string("disambig,disambiguation"),
      "templates with commas between them: an article whose wikitext calls one has no words, "
      "unless its text is ready"},
     {"splits", std::int64_t{20}, "how many splits", 0, 10'000, {}},
     {"seed", std::int64_t{42}, "of the splits", 0, 4294967295.0, {}}},
    {{"which of equally central categories comes first",
      "the one seen first in the dump; the released tool sorts in an order of its own"},
     {"whether an excluded category may be a milestone where too few others are there", "no"},
     {"how pages are told from articles",
      "by the namespaces of the dump; the released tool takes pages of some namespaces, as User "
      "and Help, for articles, which no later step keeps"},
     {"how titles that begin with a quotation mark are read back from page2cat.tsv",
      "as they stand; the released code loses them or takes another page's"},
     {"the order of nodes and labels", "by the ids of pages, and as in the label map"},
     {"what templates add to a text", "nothing; they are left out"},
     {"how large stopping and validation parts are",
      "30 % of each class, rounded down, and the rest, as in the released file; the paper has 22.5 "
      "% each"},
     {"what a redirect to another wiki, or to a redirect, leads to", "nothing"}},
    {"both-directions"},
    make,
    true,
    "labels"};

}  // namespace cupel
