#include "cupel/data/build/wiki_cs/categories.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/build/wiki_cs/settings.h"
#include "cupel/data/build/wiki_cs/tables.h"
#include "cupel/data/formats/file_bytes.h"

namespace cupel::wiki_cs {
namespace {

// By the name of a file of pages, the dump that it is part of: wiki, day and kind, as
// "xxwiki-20190801-pages-articles-multistream". Empty for other names.
std::string dump_of(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const std::string kind : {"-pages-articles", "-pages-meta-current"}) {
    const std::size_t at = name.find(kind);
    if (at == std::string::npos) continue;
    const std::string behind = name.substr(at + kind.size()), streams = "-multistream";
    return name.substr(0, at) + kind + (behind.starts_with(streams) ? streams : "");
  }
  return {};
}

// Dumps of two days or kinds would be read one after the other, most pages twice.
void check_articles(std::vector<std::filesystem::path> files) {
  std::erase_if(files, [](const auto& file) { return dump_of(file).empty(); });
  const auto other = std::ranges::adjacent_find(files, std::ranges::not_equal_to(), dump_of);
  if (other != files.end())
    fail(
        "wiki-cs: {} and {} are by their names of two dumps, which hold the same pages; give each "
        "file of one as --from articles=FILE",
        other->string(), (other + 1)->string());
}

CategoryPages read_pages(BuildContext& context) {
  check_articles(context.paths("articles"));
  std::optional<CategoryTable> table;
  CategoryPagesReader::TagsOfPage tags;
  if (context.settings().text("categories") == "sql") {
    require(context, {"categorylinks"}, "categories=text");
    table.emplace(context);
    tags = [&](std::int64_t page, std::vector<std::string>& out) { table->read(page, out); };
  }
  const CategoryReading reading =
      parse_category_reading(context.settings().text("category-tags"), "wiki-cs");
  SiteInfo info = read_siteinfo(context);
  const auto aliases = std::ssize(info.aliases);
  CategoryPagesReader reader(reading, tags, std::move(info));
  for (const std::filesystem::path& file : context.paths("articles")) {
    FileBytes bytes(file, context.threads(), context.progress(file.filename().string()));
    DumpReader dump(bytes);
    reader.read(dump, file.string());
    context.read_to_end("articles", bytes);
  }
  CategoryPages pages = reader.finish();
  if (pages.articles.size() == 0 || pages.category_pages == 0)
    fail(
        "{}: has {} and {} of categories; give a dump with both, pages-articles{}",
        context.path("articles").string(),
        counted(static_cast<std::int64_t>(pages.articles.size()), "article"),
        counted(pages.category_pages, "page"),
        reading == CategoryReading::kAsReleased
            ? ", or --set category-tags=mediawiki, which knows them by other names than 'Category:'"
            : "");
  if (aliases > 0) context.count("further names of namespaces, by siteinfo", aliases);
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

// The released reading of tags takes names across the ends of lines.
constexpr std::string_view kTears = "\t\r\n";
bool is_torn(const std::string& name) { return name.find_first_of(kTears) != std::string::npos; }

// As tables of lines have it.
std::string in_line(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return kTears.find(c) != std::string_view::npos; }, ' ');
  return name;
}

Sanitised sanitised(BuildContext& context) {
  const Options& options = context.settings();
  SanitiserSettings settings;
  settings.milestones = static_cast<Index>(options.integer("milestones"));
  settings.exclude = words_of(options.text("exclude"));
  settings.prune = words_of(options.text("prune"));

  Sanitised all;
  all.pages = read_pages(context);
  all.categories = sanitise(all.pages.graph, settings, context.threads(),
                            [&](std::int64_t done, std::int64_t size) {
                              context.tell({"ranking categories", static_cast<std::uint64_t>(done),
                                            static_cast<std::uint64_t>(size), false});
                            });
  if (all.categories.milestones() == 0)
    fail(
        "{}: has {} with pages, and all have a word of 'exclude' in their names, so that none is a "
        "milestone; give fewer words by --set exclude=WORDS",
        context.path("articles").string(), counted(all.pages.category_pages, "category"));
  all.assigned = assign(all.pages, all.categories);

  std::int64_t without = 0, quoted = 0;
  for (std::size_t a = 0; a < all.pages.articles.size(); ++a) {
    without += all.assigned.ends[a] == (a == 0 ? 0 : all.assigned.ends[a - 1]);
    quoted += all.pages.articles.title(a).starts_with('"');
  }
  context.count("milestones", all.categories.milestones());
  context.count("categories that lead to no milestone",
                std::ranges::count(all.categories.nearest, kNoCategory));
  if (const auto torn = std::ranges::count_if(all.pages.graph.names, is_torn); torn > 0)
    context.count("categories whose names have tabs or line ends, written as blanks", torn);
  context.count("articles without a milestone", without);
  context.count("articles whose title begins with a quotation mark", quoted);
  return all;
}

// One list of parts, kept and taken.
template <class Archive, class All>
void visit_parts(Archive& archive, All& all) {
  auto& pages = all.pages;
  archive(pages.graph.names), archive(pages.graph.parents), archive(pages.graph.children);
  std::remove_cvref_t<decltype(pages.articles)>::each_list(pages.articles, archive);
  archive(pages.pages), archive(pages.redirects), archive(pages.category_pages);
  archive(pages.of_other_spaces), archive(pages.replaced);
  auto& categories = all.categories;
  archive(categories.scores), archive(categories.order), archive(categories.rank);
  archive(categories.milestone), archive(categories.nearest), archive(categories.milestone_parent);
  archive(all.assigned.milestones), archive(all.assigned.ends), archive(all.assigned.articles);
}

}  // namespace

std::shared_ptr<const Sanitised> sanitised_categories(BuildContext& context) {
  KeptStep step{"categories",
                {"milestones", "exclude", "prune", "category-tags", "categories"},
                {"articles", "siteinfo"}};
  if (context.settings().text("categories") == "sql") {
    step.inputs.emplace_back("categorylinks");
    step.inputs.emplace_back("linktarget");
  }
  return std::make_shared<const Sanitised>(context.step<Sanitised>(
      step, [&] { return sanitised(context); },
      [](auto& archive, auto& all) { visit_parts(archive, all); }));
}

std::vector<BuildTable> category_tables(const std::shared_ptr<const Sanitised>& all) {
  using Put = BuildTable::Put;
  const auto ranked = [all](const Put& put) {
    for (const Index c : all->categories.order)
      put(fmt::format("{}\t{}\n", in_line(all->name(c)), score_text(all->score(c))));
  };
  const auto tree = [all](const Put& put) {
    for (const Index c : all->categories.order) {
      if (!all->categories.milestone[static_cast<std::size_t>(c)]) continue;
      const Index parent = all->categories.milestone_parent[static_cast<std::size_t>(c)];
      put(fmt::format("{}\t{}\n", in_line(all->name(c)),
                      parent == kNoCategory ? "null" : in_line(all->name(parent))));
    }
  };
  const auto articles = [all](const Put& put) {
    std::size_t at = 0;
    for (std::size_t a = 0; a < all->pages.articles.size(); ++a) {
      put(all->pages.articles.title(a));
      put("\t");
      for (; at < all->assigned.ends[a]; ++at) {
        put(in_line(all->name(all->assigned.milestones[at])));
        put("\t");
      }
      put("\n");
    }
  };
  const auto milestones = [all](const Put& put) {
    for (const Index c : all->by_articles())
      put(fmt::format("{}\t{}\n", in_line(all->name(c)),
                      all->assigned.articles[static_cast<std::size_t>(c)]));
  };
  return {{"ranked-categories.tsv", ranked},
          {"milestonetree.tsv", tree},
          {"page2cat.tsv", articles},
          {"milestones.tsv", milestones}};
}

BuildListing milestones_listing(const Sanitised& all) {
  BuildListing out;
  out.title = "MILESTONE";
  out.unit = "ARTICLES";
  out.advice =
      "milestones.tsv has them all, milestonetree.tsv says which is below which. Put some under "
      "labels, {\"label\": [\"milestone\", ...], ...}, and give the file as --from labels=FILE.";
  for (const Index c : all.by_articles()) {
    out.rows.emplace_back(all.name(c), all.assigned.articles[static_cast<std::size_t>(c)]);
    if (out.rows.size() == 25) break;
  }
  return out;
}

}  // namespace cupel::wiki_cs
