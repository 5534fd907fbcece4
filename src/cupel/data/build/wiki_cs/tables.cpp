#include "cupel/data/build/wiki_cs/tables.h"

#include <algorithm>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/formats/fasttext.h"
#include "cupel/data/wiki/titles.h"

namespace cupel::wiki_cs {
namespace {

std::string with_blanks(std::string_view title) {
  std::string out(title);
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string with_underscores(std::string_view title) {
  std::string out(title);
  std::ranges::replace(out, ' ', '_');
  return out;
}

// Whether the table's rows name their targets by ids. Throws Error if they do and the titles are
// not given.
template <class Reader>
bool reads_targets_by_id(BuildContext& context, const std::string& input) {
  FileBytes bytes(context.path(input), {1});
  const Reader reader(bytes);
  if (reader.may_use_linktarget() && context.has("linktarget")) return true;
  if (reader.needs_linktarget()) reader.fail_without_linktarget();
  return false;
}

RedirectFlag redirect_flag(const BuildContext& context) {
  return context.settings().text("redirect-flag") == "named" ? RedirectFlag::kNamed
                                                             : RedirectFlag::kFifth;
}

// Throws Error if the input is no such table.
template <class Reader, class... Options>
void check_table(BuildContext& context, const std::string& input, Options... options) {
  FileBytes bytes(context.path(input), {1});
  (void)Reader(bytes, options...);
}

// A table whose ids are those of another wiki, or another day's, would give no link in silence.
void check_ids(BuildContext& context, const std::string& input, std::int64_t unknown,
               std::int64_t known, std::int64_t example) {
  if (unknown == 0) return;
  if (!context.has("linktarget"))
    fail(
        "{}: has {} with an id where the title of a target belongs, the first with {}; only table "
        "'linktarget' of the same dump explains them, so give that too, the file whose name ends "
        "in -linktarget.sql.gz",
        context.path(input).string(), counted(unknown, "row"), example);
  if (known == 0)
    fail(
        "{}: has no row for {}, nor for any other target id of {}; give the linktarget of the same "
        "wiki and day",
        context.path("linktarget").string(), example, context.path(input).string());
  context.count("rows of " + input + " whose target id linktarget lacks", unknown);
}

}  // namespace

void count_faults(BuildContext& context, const std::string& input, const TableReader& reader) {
  if (std::ranges::count(context.sources(), input, &BuildSource::input) > 0) return;
  if (!reader.dump().completed())
    context.count("tables without mysqldump's last line, so that rows may be missing: " + input, 1);
  if (reader.titles_not_utf8() > 0)
    context.count("titles of " + input + " that are not UTF-8, which no page has",
                  reader.titles_not_utf8());
}

LinkTargets::LinkTargets(BuildContext& context, std::int32_t name_space,
                         const NumberOf& number_of) {
  for_each_row<LinkTargetReader, LinkTargetRow>(
      context, "linktarget", [&](const LinkTargetRow& row) {
        known_[row.id >> 6] |= std::uint64_t{1} << (row.id & 63);
        if (row.name_space != name_space) return;
        if (const std::int64_t number = number_of(row.title); number >= 0)
          numbers_[row.id] = number;
      });
}

std::int64_t LinkTargets::number(std::int64_t id) const {
  const auto found = numbers_.find(id);
  return found == numbers_.end() ? -1 : found->second;
}

bool LinkTargets::is_known(std::int64_t id) const {
  const auto found = known_.find(id >> 6);
  return found != known_.end() && (found->second >> (id & 63) & 1) != 0;
}

std::int64_t CategoryTable::add(std::string_view title) {
  const std::string name = with_blanks(title);
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  names_.push_back(name);
  const auto number = static_cast<std::int64_t>(names_.size()) - 1;
  numbers_.emplace(names_.back(), number);
  return number;
}

CategoryTable::CategoryTable(BuildContext& context) {
  std::optional<LinkTargets> targets;
  if (reads_targets_by_id<CategoryLinkReader>(context, "categorylinks"))
    targets.emplace(context, kCategories, [&](std::string_view title) { return add(title); });
  std::int64_t unknown = 0, known = 0, example = 0, others = 0;
  for_each_row<CategoryLinkReader, CategoryLinkRow>(
      context, "categorylinks", [&](const CategoryLinkRow& row) {
        std::int64_t category = -1;
        if (row.target_id == 0) {
          category = add(row.title);
        } else if (targets && targets->is_known(row.target_id)) {
          ++known;
          category = targets->number(row.target_id);
          others += category < 0;
        } else if (unknown++ == 0) {
          example = row.target_id;
        }
        if (category < 0) return;
        pages_.push_back(row.from);
        categories_.push_back(static_cast<Index>(category));
      });
  check_ids(context, "categorylinks", unknown, known, example);
  if (others > 0)
    context.count("rows of categorylinks whose target is in another namespace", others);
  if (std::ranges::is_sorted(pages_)) return;
  std::vector<std::size_t> order(pages_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return pages_[i]; });
  std::vector<std::int64_t> pages;
  std::vector<Index> categories;
  for (const std::size_t i : order) {
    pages.push_back(pages_[i]);
    categories.push_back(categories_[i]);
  }
  pages_ = std::move(pages);
  categories_ = std::move(categories);
}

void CategoryTable::read(std::int64_t page, std::vector<std::string>& out) const {
  for (auto at = std::ranges::lower_bound(pages_, page); at != pages_.end() && *at == page; ++at)
    out.push_back(names_[static_cast<std::size_t>(
        categories_[static_cast<std::size_t>(at - pages_.begin())])]);
}

void check_link_tables(BuildContext& context) {
  check_table<PageReader>(context, "page", redirect_flag(context));
  check_table<RedirectReader>(context, "redirect");
  if (reads_targets_by_id<PageLinkReader>(context, "pagelinks"))
    check_table<LinkTargetReader>(context, "linktarget");
}

void take_page_ids(BuildContext& context, std::vector<Article>& articles) {
  const RedirectFlag flag = redirect_flag(context);
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> by_title;
  std::int64_t again = 0, rows = 0, redirects = 0;
  for (std::size_t a = 0; a < articles.size(); ++a) {
    again += !by_title.emplace(with_underscores(articles[a].title), a).second;
    articles[a].page = 0;
  }
  for_each_row<PageReader, PageRow>(
      context, "page",
      [&](const PageRow& row) {
        ++rows;
        if (row.name_space != kArticles) return;
        const auto found = by_title.find(row.title);
        if (found == by_title.end()) return;
        // Dumps older than the element <redirect> have redirects as articles. Another column than
        // the named one says nothing of that.
        const bool redirect =
            flag == RedirectFlag::kNamed && row.redirect == PageRow::Redirect::kYes;
        redirects += redirect;
        if (!redirect) articles[found->second].page = row.id;
      },
      flag);
  const auto lacking = static_cast<std::int64_t>(
      std::erase_if(articles, [](const Article& article) { return article.page == 0; }));
  if (articles.empty())
    fail(
        "{}: has none of the titles of {} with a label in its {}; give the tables and the articles "
        "of the same wiki",
        context.path("page").string(), counted(lacking, "article"), counted(rows, "row"));
  context.count("articles with a label whose title is met twice, left out", again);
  context.count("articles with a label that are redirects by the table page, left out", redirects);
  context.count("articles with a label that the table page lacks, left out",
                lacking - again - redirects);
  std::ranges::sort(articles, {}, &Article::page);
}

OutLinks links_of_tables(BuildContext& context, std::span<const Article> nodes) {
  const NodeOfPage node_of(nodes);
  const RedirectFlag flag = redirect_flag(context);
  using ByTitle = std::unordered_map<std::string, Index, TextHash, std::equal_to<>>;

  // What a redirect's page leads to: where a row of `redirect` names a node that is no redirect.
  ByTitle node_of_title;
  for_each_row<PageReader, PageRow>(
      context, "page",
      [&](const PageRow& row) {
        if (row.name_space != kArticles || row.redirect != PageRow::Redirect::kNo) return;
        if (const Index node = node_of(row.id); node != kNoNode)
          node_of_title.emplace(row.title, node);
      },
      flag);
  std::unordered_map<std::int64_t, Index> node_of_redirect;
  std::int64_t to_other_wikis = 0;
  for_each_row<RedirectReader, RedirectRow>(context, "redirect", [&](const RedirectRow& row) {
    if (row.name_space != kArticles) return;
    if (!row.interwiki.empty()) {
      ++to_other_wikis;
      return;
    }
    if (const auto found = node_of_title.find(row.title); found != node_of_title.end())
      node_of_redirect[row.from] = found->second;
  });
  node_of_title.clear();

  // Titles that lead to a node, numbered in the order of the table.
  ByTitle rows;
  std::vector<Index> node_of_row;
  std::int64_t redirects = 0;
  for_each_row<PageReader, PageRow>(
      context, "page",
      [&](const PageRow& row) {
        if (row.name_space != kArticles) return;
        Index node = kNoNode;
        if (row.redirect != PageRow::Redirect::kYes) {
          node = node_of(row.id);
        } else if (const auto found = node_of_redirect.find(row.id);
                   found != node_of_redirect.end()) {
          node = found->second;
          ++redirects;
        }
        if (node == kNoNode) return;
        rows.emplace(row.title, static_cast<Index>(node_of_row.size()));
        node_of_row.push_back(node);
      },
      flag);
  context.count("redirects to other wikis, passed over", to_other_wikis);
  context.count("redirects to nodes", redirects);

  const auto row_of = [&](std::string_view title) -> std::int64_t {
    const auto found = rows.find(title);
    return found == rows.end() ? -1 : found->second;
  };
  std::optional<LinkTargets> targets;
  if (reads_targets_by_id<PageLinkReader>(context, "pagelinks"))
    targets.emplace(context, kArticles, row_of);
  OutLinks links(nodes.size());  // rows, first
  std::int64_t unknown = 0, known = 0, example = 0, elsewhere = 0;
  for_each_row<PageLinkReader, PageLinkRow>(context, "pagelinks", [&](const PageLinkRow& row) {
    if (row.from_space && *row.from_space != kArticles) return;
    const Index source = node_of(row.from);
    if (source == kNoNode) return;
    std::int64_t target = -1;
    if (row.target_id == 0) {
      if (row.name_space == kArticles) target = row_of(row.title);
    } else if (targets && targets->is_known(row.target_id)) {
      ++known;
      target = targets->number(row.target_id);
    } else if (unknown++ == 0) {
      example = row.target_id;
    }
    if (target < 0) {
      ++elsewhere;
      return;
    }
    links[static_cast<std::size_t>(source)].push_back(static_cast<Index>(target));
  });
  check_ids(context, "pagelinks", unknown, known, example);
  context.count("links of nodes to pages that are no nodes, left out", elsewhere);
  for (std::vector<Index>& out : links) {
    std::ranges::sort(out);
    for (Index& row : out) row = node_of_row[static_cast<std::size_t>(row)];
  }
  return links;
}

}  // namespace cupel::wiki_cs
