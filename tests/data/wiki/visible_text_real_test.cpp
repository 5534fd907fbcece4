// Articles of a real dump. Figures: letters A-Z and a-z in what mwparserfromhell 0.7.2 leaves of an
// article without tags whose content is not text (ref, gallery, math, table, ...), files,
// categories and links to other languages: parse(), remove(), strip_code(), and behaviour switches
// taken out by "__[A-Z]+__".
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "cupel/data/formats/xml.h"
#include "cupel/data/wiki/visible_text.h"

namespace cupel {
namespace {

using Articles = std::map<std::string, std::string>;  // wikitext by title

// Those that are no redirects.
Articles read_articles(const std::filesystem::path& path) {
  Articles out;
  std::map<std::string, std::string> fields;
  std::string element;
  read_xml(path, {.start =
                      [&](const std::string& name, const XmlHandler::Attributes&) {
                        element = name;
                        if (name == "page") fields.clear();
                        if (name == "redirect") fields["redirect"] = "yes";
                      },
                  .end =
                      [&](const std::string& name) {
                        element.clear();
                        if (name == "page" && fields["ns"] == "0" && fields["redirect"].empty())
                          out[fields["title"]] = fields["text"];
                      },
                  .text =
                      [&](std::string_view text) {
                        if (element == "title" || element == "ns" || element == "text")
                          fields[element] += text;
                      }});
  return out;
}

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }));
}

TEST(VisibleTextReal, LettersOfLatgalianArticles) {
  const char* data = std::getenv("CUPEL_DATA");
  const std::filesystem::path path = std::filesystem::path(data == nullptr ? "" : data) /
                                     "wikipedia/ltgwiki/smallwiki-latest-pages-articles.xml";
  if (data == nullptr || !std::filesystem::exists(path))
    GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  const WikitextRules rules({.files = {"Fails"}, .categories = {"Kategoreja"}});
  const Articles articles = read_articles(path);
  EXPECT_EQ(articles.size(), 903u);

  const std::map<std::string, std::size_t> figures = {
      {"Pasauļa vaļsteibu saroksts", 5196},
      {"Igauneja", 8781},
      {"Daugpiļs", 6357},
      {"Latvejis administrativais teritoriskais dalejums", 185},
      {"Jākubmīsts", 2099},
      {"Lobez", 226},
      {"Reiga", 4765},
      {"Leldīne", 2817},
      {"Švedeja", 2001},
      {"Rēzne", 696},
      {"Šiprage", 136},
      {"Latveja", 586},
      {"Norvegeja", 4506},
      {"Sīnuojis nūvods", 2581},
  };
  for (const auto& [title, count] : figures) {
    const auto found = articles.find(title);
    ASSERT_NE(found, articles.end()) << title;
    EXPECT_EQ(letters(visible_text(found->second, rules)), count) << title;
  }

  // Together, but for ten articles whose tables the other program does not see.
  const std::set<std::string> unseen = {"Caracal caracal",  "Dzeļžaceļš Reiga — Daugpiļs",
                                        "Gothards Ketlers", "Hermans fon Baļke",
                                        "Latgaļu volūda",   "Livonejis ordyna magistris",
                                        "Spanīšu volūda",   "Keneja",
                                        "Angola",           "Varšova"};
  std::size_t all = 0;
  for (const auto& [title, wikitext] : articles) {
    if (!unseen.contains(title)) all += letters(visible_text(wikitext, rules));
  }
  EXPECT_EQ(all, 478017u);
}

}  // namespace
}  // namespace cupel
