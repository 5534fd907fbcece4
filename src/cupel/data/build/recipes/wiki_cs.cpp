// Categories of a Wikipedia that may serve as labels, found the way Wiki-CS's were.
//
// Source: P. Mernyei and C. Cangea, "Wiki-CS: A Wikipedia-Based Benchmark for Graph Neural
// Networks", GRL+ workshop at ICML 2020, section 3; sanitiser.h for the choice of categories.
//
// Memory: of each category its name twice and 200 bytes or so, of each article its title and 4
// bytes a tag; the longest page; the searches of the centrality (harmonic.h). Files are streamed.
#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/formats/file_bytes.h"
#include "cupel/data/wiki/category_pages.h"
#include "cupel/data/wiki/sanitiser.h"

namespace cupel {
namespace {

// "wiki, main topic classifications"; empty: none.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::size_t begin = list.find_first_not_of(' ', at);
    if (begin < end) {
      const std::size_t last = list.find_last_not_of(' ', end - 1);
      out.push_back(list.substr(begin, last + 1 - begin));
    }
    at = end + 1;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

// A whole dump and the same dump in streams would be read one after the other.
void check_articles(const std::vector<std::filesystem::path>& files) {
  const auto in_streams = [](const std::filesystem::path& file) {
    return file.filename().string().find("multistream") != std::string::npos;
  };
  const auto some = std::ranges::find_if(files, in_streams);
  const auto other = std::ranges::find_if_not(files, in_streams);
  if (some != files.end() && other != files.end())
    fail("wiki-cs: {} and {} hold the same pages; give --from articles=FILE with one of them",
         some->string(), other->string());
}

CategoryPages read_pages(BuildContext& context) {
  CategoryPagesReader reader(
      parse_category_reading(context.settings().text("category-tags"), "wiki-cs"));
  check_articles(context.paths("articles"));
  for (const std::filesystem::path& file : context.paths("articles")) {
    FileBytes bytes(file, context.threads(), context.progress(file.filename().string()));
    DumpReader dump(bytes);
    reader.read(dump, file.string());
    for (std::string_view rest; bytes.next(rest);) {
    }
    context.read_whole("articles", bytes);
  }
  CategoryPages pages = reader.finish();
  if (pages.articles.size() == 0 || pages.graph.categories() == 0)
    fail("{}: has {} and {} of categories; give a dump with both, pages-articles",
         context.paths("articles").front().string(),
         counted(static_cast<std::int64_t>(pages.articles.size()), "article"),
         counted(pages.category_pages, "page"));
  context.count("pages read", pages.pages);
  context.count("redirects passed over", pages.redirects);
  context.count("pages of other namespaces passed over", pages.of_other_spaces);
  context.count("articles replaced by a later page with the same id", pages.replaced);
  context.count("articles", static_cast<std::int64_t>(pages.articles.size()));
  context.count("pages of categories", pages.category_pages);
  context.count("category tags of articles", pages.articles.all_tags());
  context.count("categories", pages.graph.categories());
  context.count("categories outside the graph, seen in articles alone",
                pages.graph.categories() - pages.graph.nodes());
  context.count("arcs from a category to a parent", pages.graph.parents.entries());
  return pages;
}

// What an article is put under, and how many articles each milestone has.
struct Assigned {
  std::vector<Index> milestones;       // of one article after the other
  std::vector<std::uint64_t> ends;     // per article
  std::vector<std::int64_t> articles;  // per node of the graph
};

Assigned assign(const CategoryPages& pages, const SanitisedCategories& sanitised) {
  Assigned out;
  out.articles.resize(sanitised.scores.size());
  std::vector<Index> found;
  for (std::size_t a = 0; a < pages.articles.size(); ++a) {
    milestones_of(sanitised, pages.articles.tags(a), found);
    for (const Index m : found) ++out.articles[static_cast<std::size_t>(m)];
    out.milestones.insert(out.milestones.end(), found.begin(), found.end());
    out.ends.push_back(out.milestones.size());
  }
  return out;
}

// As the released tool prints numbers that are none: it is written in Java.
std::string score_text(double score) {
  return score == -std::numeric_limits<double>::infinity() ? "-Infinity" : fmt::format("{}", score);
}

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

std::vector<BuildTable> tables_of(const std::shared_ptr<const Sanitised>& all) {
  using Put = BuildTable::Put;
  const auto ranked = [all](const Put& put) {
    for (const Index c : all->categories.order)
      put(fmt::format("{}\t{}\n", all->name(c), score_text(all->score(c))));
  };
  const auto tree = [all](const Put& put) {
    for (const Index c : all->categories.order) {
      if (!all->categories.milestone[static_cast<std::size_t>(c)]) continue;
      const Index parent = all->categories.milestone_parent[static_cast<std::size_t>(c)];
      put(fmt::format("{}\t{}\n", all->name(c),
                      parent == kNoCategory ? "null" : all->name(parent)));
    }
  };
  const auto articles = [all](const Put& put) {
    std::size_t at = 0;
    for (std::size_t a = 0; a < all->pages.articles.size(); ++a) {
      put(all->pages.articles.title(a));
      put("\t");
      for (; at < all->assigned.ends[a]; ++at) {
        put(all->name(all->assigned.milestones[at]));
        put("\t");
      }
      put("\n");
    }
  };
  const auto milestones = [all](const Put& put) {
    for (const Index c : all->by_articles())
      put(fmt::format("{}\t{}\n", all->name(c),
                      all->assigned.articles[static_cast<std::size_t>(c)]));
  };
  return {{"ranked-categories.tsv", ranked},
          {"milestonetree.tsv", tree},
          {"page2cat.tsv", articles},
          {"milestones.tsv", milestones}};
}

BuildProduct make(BuildContext& context) {
  const Options& options = context.settings();
  SanitiserSettings settings;
  settings.milestones = static_cast<Index>(options.integer("milestones"));
  settings.exclude = words_of(options.text("exclude"));
  settings.prune = words_of(options.text("prune"));

  auto all = std::make_shared<Sanitised>();
  all->pages = read_pages(context);
  all->categories = sanitise(all->pages.graph, settings, context.threads(), {},
                             [&](std::int64_t done, std::int64_t size) {
                               context.tell({"ranking categories", static_cast<std::uint64_t>(done),
                                             static_cast<std::uint64_t>(size), false});
                             });
  all->assigned = assign(all->pages, all->categories);

  std::int64_t without = 0, quoted = 0;
  for (std::size_t a = 0; a < all->pages.articles.size(); ++a) {
    without += all->assigned.ends[a] == (a == 0 ? 0 : all->assigned.ends[a - 1]);
    quoted += all->pages.articles.title(a).starts_with('"');
  }
  context.count("milestones", all->categories.milestones());
  context.count("categories that lead to no milestone",
                std::ranges::count(all->categories.nearest, kNoCategory));
  context.count("articles without a milestone", without);
  context.count("articles whose title begins with a quotation mark", quoted);

  BuildListing listing;
  listing.title = "MILESTONE";
  listing.unit = "ARTICLES";
  listing.advice = "milestones.tsv has them all, milestonetree.tsv says which is below which.";
  for (const Index c : all->by_articles()) {
    listing.rows.emplace_back(all->name(c), all->assigned.articles[static_cast<std::size_t>(c)]);
    if (listing.rows.size() == 25) break;
  }
  return {.tables = tables_of(all), .listing = listing};
}

}  // namespace

extern const BuildRecipe build_recipe_wiki_cs;
const BuildRecipe build_recipe_wiki_cs = {
    "wiki-cs",
    "Categories of a Wikipedia",
    "The categories of any Wikipedia, from its dump, ranked by harmonic centrality; the best are "
    "milestones, and every article is put under the milestones that its categories lead up to. "
    "This is the first step to a data set like Wiki-CS: from the list of milestones one chooses "
    "labels.",
    "P. Mernyei, C. Cangea: Wiki-CS: A Wikipedia-Based Benchmark for Graph Neural Networks. GRL+ "
    "workshop at ICML 2020. P. Boldi, C. Monti: Cleansing Wikipedia Categories using Centrality. "
    "WWW 2016 Companion.",
    {{"articles",
      "the dump of pages, MediaWiki's XML, plain, gzip or bzip2; several parts are read as one",
      {"*-pages-articles*.xml*", "*-pages-meta-current*.xml*"},
      true}},
    {{"milestones", std::int64_t{10'000}, "how many categories are milestones", 1, 100'000'000, {}},
     {"exclude", joined(SanitiserSettings().exclude),
      "words with commas between them: a category that has one in its name is no milestone"},
     {"prune", joined(SanitiserSettings().prune),
      "the same: such a category, unless it is a milestone, leads nowhere"},
     {"category-tags",
      std::string("mediawiki"),
      "what counts as a category: as MediaWiki reads it, in any language, or [[Category: to the "
      "letter, as the tool that made the released data",
      0,
      0,
      {"mediawiki", "as-released"}}},
    {{"which of equally central categories comes first",
      "the one seen first in the dump; the released tool sorts in an order of its own"},
     {"whether an excluded category may be a milestone where too few others are there", "no"},
     {"how pages are told from articles",
      "by the namespaces of the dump; the released tool takes pages of some namespaces, as User "
      "and "
      "Help, for articles, which no later step keeps"},
     {"how titles that begin with a quotation mark are read back from page2cat.tsv",
      "as they stand; the released code loses them or takes another page's"}},
    {},
    make,
    true};

}  // namespace cupel
