#include "cupel/data/wiki/category_tags.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <regex>

#include "cupel/base/error.h"
#include "cupel/data/formats/xml.h"
#include "cupel/data/wiki/brackets.h"
#include "cupel/data/wiki/hidden_parts.h"

namespace cupel::test {
namespace {

using Texts = std::vector<std::string>;

const WikiNames& latgalian() {
  static const WikiNames names(
      std::vector<WikiNamespace>{{0, "", false}, {6, "Fails", false}, {14, "Kategoreja", false}},
      "ltg");
  return names;
}

Texts tags(std::string_view text, CategoryReading reading = CategoryReading::kMediaWiki) {
  Texts out = {"kept"};
  CategoryTags(latgalian(), reading).read(text, out);
  EXPECT_EQ(out.front(), "kept");
  out.erase(out.begin());
  return out;
}

Texts released(std::string_view text) { return tags(text, CategoryReading::kAsReleased); }

TEST(CategoryTags, AsMediaWikiReadsThem) {
  EXPECT_EQ(tags("a [[Kategoreja:foo_bar|key]] b [[category: Baz ]]\n[[KATEGOREJA :x#y|]]"),
            (Texts{"Foo bar", "Baz", "X"}));
  EXPECT_EQ(tags("[[ _Category_:_ x _ ]][[Category:x]]"), (Texts{"X", "X"}));
  EXPECT_EQ(tags("[[Category:A&amp;B]] [[Category:C%20d]] [[Category&#58;E]]"),
            (Texts{"A&B", "C d", "E"}));
  EXPECT_EQ(
      tags("[[:Category:X]] [[ :Category:X]] [[Category]] [[Categories:X]] [[en:Category:X]]"),
      Texts{});
  EXPECT_EQ(tags("[[Category:X]] [Category:Y]] [[Category:Z] [[Category:{{W}}]] [[Category:]]"),
            Texts{"X"});
  EXPECT_EQ(tags("[[Category:a\nb]] [[Category:c|d\ne]]"), Texts{"C"});
}

TEST(CategoryTags, LinksInLinks) {
  EXPECT_EQ(tags("[[Fails:x.jpg|thumb|see [[Category:A]] and [[b]] ]] [[Category:B|[[c]]]]"),
            Texts{"A"});
  EXPECT_EQ(tags("[[Category:A [[Category:B]]"), Texts{"B"});
  EXPECT_EQ(tags("[[[Category:A]]] [[[[Category:B]]"), Texts{"B"});
  EXPECT_EQ(tags("{{Box|[[Category:A|{{PAGENAME}}]]}}"), Texts{"A"});
}

TEST(CategoryTags, HiddenOnesAreNone) {
  EXPECT_EQ(tags("<!-- [[Category:A]] -->[[Cat<!-- x -->egory:B]]<nowiki>[[Category:C]]</nowiki>"),
            Texts{"B"});
  EXPECT_EQ(tags("<pre a='b'>[[Category:A]]</PRE ><Math>[[Category:B]]</math>[[Category:C]]"),
            Texts{"C"});
  EXPECT_EQ(tags("<nowiki/>[[Category:A]]<nowiki />[[Category:B]] [[Category<nowiki/>:C]]"),
            (Texts{"A", "B"}));
  EXPECT_EQ(tags("<nowiki>[[Category:A]] <pres>[[Category:B]]</pres>"), (Texts{"A", "B"}))
      << "a tag without its end is text, and so is one that nobody knows";
  EXPECT_EQ(tags("[[Category:A]]<!-- [[Category:B]] </nowiki>"), Texts{"A"});
  EXPECT_EQ(tags("<noinclude>[[Category:A]]</noinclude><includeonly>[[Category:B]]</includeonly>"
                 "<onlyinclude>[[Category:C]]</onlyinclude><includeonly>[[Category:D]]"),
            (Texts{"A", "C"}));
  EXPECT_EQ(tags("<nowiki><!--</nowiki>[[Category:A]]<!--<nowiki>-->[[Category:B]]</nowiki>"),
            (Texts{"A", "B"}));
  EXPECT_EQ(tags("<ref>[[Category:A]]</ref> 1 < 2 <"), Texts{"A"});
}

TEST(CategoryTags, AsReleased) {
  EXPECT_EQ(released("[[Category:foo_bar|k]] [[category:x]] [[Kategoreja:y]] [[ Category:z]]"),
            Texts{"foo_bar"});
  EXPECT_EQ(released("<!--[[Category:A]]--><nowiki>[[Category:B]]</nowiki>"), (Texts{"A", "B"}));
  EXPECT_EQ(released("[[Category: \t\x1f\xe3\x80\x80"
                     "A b\n\xe2\x80\xa8 ]]"),
            Texts{"A b"});
  EXPECT_EQ(released("[[Category:\xc2\xa0"
                     "A\xe2\x80\x87]]"),
            Texts{"\xc2\xa0"
                  "A\xe2\x80\x87"})
      << "Java's no-break spaces are no white space";
  EXPECT_EQ(released("[[Category: | x]] [[Category:]] [[Category:|]]"), Texts{});
  EXPECT_EQ(released("[[Category:A [[Category:B]] c]] [[Category:C"), Texts{"A [[Category:B"});
  EXPECT_EQ(released("[[Category:A&amp;B|[[C]]]]"), Texts{"A&amp;B"});
}

TEST(CategoryTags, ReadingsHaveNames) {
  EXPECT_EQ(parse_category_reading("mediawiki", "x"), CategoryReading::kMediaWiki);
  EXPECT_EQ(parse_category_reading("as-released", "x"), CategoryReading::kAsReleased);
  EXPECT_THROW((void)parse_category_reading("MediaWiki", "x"), Error);
}

TEST(CategoryTags, KindsOfPages) {
  using Kind = PageKind::Kind;
  const auto kind = [](std::string_view title, CategoryReading reading) {
    const PageKind page = kind_of_page(title, latgalian(), reading);
    return std::pair(page.kind, page.category);
  };
  const auto modern = CategoryReading::kMediaWiki, old = CategoryReading::kAsReleased;
  EXPECT_EQ(kind("Kategoreja:Foo", modern), std::pair(Kind::kCategory, std::string("Foo")));
  EXPECT_EQ(kind("Kategoreja:Foo", old), std::pair(Kind::kOther, std::string()));
  EXPECT_EQ(kind("CATEGORY: foo", old), std::pair(Kind::kCategory, std::string(" foo")));
  EXPECT_EQ(kind("User:Foo", old).first, Kind::kOther);
  EXPECT_EQ(kind("Foo: Bar", modern).first, Kind::kArticle);
  EXPECT_EQ(kind("Foo", old).first, Kind::kArticle);
}

// What would take minutes if the rest of the text were searched anew at each bracket.
TEST(CategoryTags, LongTextsTakeLinearTime) {
  const auto many = [](std::string_view part) {
    std::string out;
    while (out.size() < 1'000'000) out += part;
    return out;
  };
  for (const char* part : {"[[", "[[a|", "[[Category:a|", "<nowiki>", "<nowiki ", "<pre></", "<!--",
                           "[[%", "&", "[[Category:&", "]", "<includeonly/>", "[[a]", "<math>[["}) {
    const std::string text = many(part);
    EXPECT_EQ(tags(text), Texts{}) << part;
    EXPECT_EQ(released(text), Texts{}) << part;
  }
  EXPECT_EQ(tags("[[Category:" + std::string(1'000'000, 'a') + "]]"), Texts{});
}

// Links by cutting the text at each pair of brackets.
TEST(CategoryTags, BracketsEqualASlowSearch) {
  std::uint64_t state = 88172645463325252ULL;
  const auto next = [&] { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; };
  const Texts parts = {"[", "[[", "]", "]]", "|", "a", "b c", "\n", "{", ":"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t k = next() % 12; k > 0; --k) text += parts[next() % parts.size()];
    Texts wanted, got;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      if (text.substr(at, 2) != "[[") continue;
      const std::string chunk = text.substr(at + 2, text.find("[[", at + 2) - at - 2);
      const std::string target = chunk.substr(0, chunk.find_first_of("[]{}|\n"));
      const std::string rest = chunk.substr(target.size());
      if (!target.empty() && (rest.starts_with("]]") ||
                              (rest.starts_with("|") && rest.find("]]") != std::string::npos)))
        wanted.push_back(target);
      ++at;  // the next pair begins behind this one
    }
    Brackets brackets(text);
    for (std::string_view target; brackets.next(target);) got.emplace_back(target);
    ASSERT_EQ(got, wanted) << text;
  }
}

// Hidden parts by regular expressions, which find the first of them again and again.
TEST(CategoryTags, HiddenPartsEqualASlowSearch) {
  std::mt19937_64 random(4);
  const Texts parts = {
      "<nowiki>", "</nowiki>", "<!--", "-->",   "<pre >", "</PRE >",        ">",
      "<nowiki",  "/>",        "<",    "x",     " ",      "</nowiki",       "<pre",
      "-",        "</pre>",    "[[a]", "<b>\n", "<!-",    "</includeonly>", "<includeonly>"};
  const auto flags = std::regex::ECMAScript | std::regex::icase;
  const std::regex opening("<!--|<(nowiki|pre|includeonly)(?=[\\s/>])[^>]*>", flags);
  for (int round = 0; round < 5'000; ++round) {
    std::string text, wanted;
    for (auto k = random() % 14; k > 0; --k) text += parts[random() % parts.size()];
    std::string rest = text;
    for (std::smatch open; std::regex_search(rest, open, opening);) {
      const std::string tag = open[0], behind = open.suffix();
      std::string after = behind;
      wanted += open.prefix();
      std::smatch close;
      if (tag == "<!--") {
        const std::size_t end = behind.find("-->");
        after = end == std::string::npos ? "" : behind.substr(end + 3);
      } else if (tag.ends_with("/>")) {
        wanted += "\x7f";
      } else if (std::regex_search(behind, close,
                                   std::regex("</" + open[1].str() + "\\s*>", flags))) {
        wanted += "\x7f";
        after = close.suffix();
      } else if (tag[1] == 'i') {
        wanted += "\x7f";
        after = "";
      } else {
        wanted += tag;
      }
      rest = after;
    }
    wanted += rest;
    std::string space;
    ASSERT_EQ(without_hidden(text, space), wanted) << text;
  }
}

// The Latgalian Wikipedia: tags in articles and categories, counted by a regular expression in
// Python, of which 165 say "Category".
TEST(CategoryTags, OfAWholeWikipedia) {
  const char* data = std::getenv("CUPEL_DATA");
  const auto path = std::filesystem::path(data == nullptr ? "." : data) / "wikipedia/ltgwiki" /
                    "smallwiki-latest-pages-articles.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  std::vector<WikiNamespace> spaces;
  std::string title, text, key;
  std::string* to = nullptr;
  std::size_t modern = 0, old = 0, articles = 0, categories = 0;
  bool redirect = false;
  const auto count = [&] {
    const WikiNames names(spaces, "ltg");
    const auto kind = kind_of_page(title, names, CategoryReading::kMediaWiki).kind;
    if (redirect || kind == PageKind::Kind::kOther) return;
    ++(kind == PageKind::Kind::kArticle ? articles : categories);
    Texts found;
    CategoryTags(names, CategoryReading::kMediaWiki).read(text, found);
    modern += found.size();
    found.clear();
    CategoryTags(names, CategoryReading::kAsReleased).read(text, found);
    old += found.size();
  };
  const auto start = [&](const std::string& element, const XmlHandler::Attributes& attributes) {
    if (element == "page") title.clear(), text.clear(), redirect = false;
    if (element == "redirect") redirect = true;
    to = element == "title" ? &title : element == "text" ? &text : nullptr;
    if (element != "namespace") return;
    for (const auto& [name, value] : attributes) {
      if (name == "key") spaces.push_back({std::stoi(value), "", false});
    }
    to = &spaces.back().name;
  };
  const auto end = [&](const std::string& element) {
    to = nullptr;
    if (element == "page") count();
  };
  const auto letters = [&](std::string_view piece) {
    if (to != nullptr) to->append(piece);
  };
  read_xml(path, {.start = start, .end = end, .text = letters});
  EXPECT_EQ(articles, 903U);
  EXPECT_EQ(categories, 539U);
  EXPECT_EQ(modern, 1595U);
  EXPECT_EQ(old, 165U);
}

}  // namespace
}  // namespace cupel::test
