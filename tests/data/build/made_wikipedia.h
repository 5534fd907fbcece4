// A small Wikipedia with its tables, for the recipe wiki-cs with labels.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "data/build/wiki_cs_folder.h"

namespace cupel::test {

using Json = nlohmann::json;

inline constexpr const char* kPage =
    "CREATE TABLE `page` (`page_id` int, `page_namespace` int, `page_title` varbinary(255), "
    "`page_is_redirect` tinyint, `page_is_new` tinyint, `page_random` double);\n";
inline constexpr const char* kRedirect =
    "CREATE TABLE `redirect` (`rd_from` int, `rd_namespace` int, `rd_title` varbinary(255), "
    "`rd_interwiki` varbinary(32));\n";
inline constexpr const char* kPageLinks =
    "CREATE TABLE `pagelinks` (`pl_from` int, `pl_namespace` int, `pl_title` varbinary(255), "
    "`pl_from_namespace` int);\n";
inline constexpr const char* kNewPageLinks =
    "CREATE TABLE `pagelinks` (`pl_from` int, `pl_from_namespace` int, `pl_target_id` bigint);\n";
inline constexpr const char* kLinkTarget =
    "CREATE TABLE `linktarget` (`lt_id` bigint, `lt_namespace` int, `lt_title` varbinary(255));\n";
inline constexpr const char* kCategoryLinks =
    "CREATE TABLE `categorylinks` (`cl_from` int, `cl_to` varbinary(255), `cl_type` "
    "enum('page','subcat','file'));\n";

inline std::string page(const std::string& title, int id, const std::string& text,
                        const std::string& more = "") {
  return fmt::format(
      "<page><title>{}</title><ns>{}</ns><id>{}</id>{}<revision><id>{}</id><text>{}</text>"
      "</revision></page>\n",
      title, title.starts_with("Category:") ? 14 : 0, id, more, 1000 + id, text);
}

inline std::string redirect(const std::string& title, int id, const std::string& target) {
  return page(title, id, "#REDIRECT [[" + target + "]]",
              fmt::format("<redirect title=\"{}\" />", target));
}

// Plants and Beasts below Life. Oak and Elm are plants, Cat and Ox beasts; Moss is both, and Stub
// has no word. Quercus leads to Oak, Tree to Quercus. Oak links to a part of itself; Ox names
// itself in brackets, which is no link.
inline std::string dump() {
  return "<mediawiki version=\"0.10\" xml:lang=\"en\"><siteinfo><dbname>xxwiki</dbname>"
         "<case>first-letter</case><namespaces><namespace key=\"0\" case=\"first-letter\" />"
         "<namespace key=\"14\" case=\"first-letter\">Category</namespace></namespaces>"
         "</siteinfo>\n" +
         page("Category:Life", 1, "") + page("Category:Plants", 2, "[[Category:Life]]") +
         page("Category:Beasts", 3, "[[Category:Life]]") +
         page("Oak", 40, "An '''oak''' {{big}} [[tree]], [[oak#Leaves|oak]]. [[Category:Plants]]") +
         page("Elm", 20, "Elm [[quercus|oak]] [[Oak]] [[Cat#Tail]] [[Moss]]. [[Category:Plants]]") +
         page("Cat", 30, "Cat cat [[Elm]] [[elm]] unheard. [[Category:Beasts]]") +
         page("Ox", 10, "[[ox|Ox]] [[Quercus]]. [[Category:Beasts]]") +
         page("Moss", 50, "Moss [[Oak]]. [[Category:Plants]] [[Category:Beasts]]") +
         page("Stub", 60, "[[Category:Plants]]") +
         page("Oak (other)", 70, "Oak [[Cat]]. {{Disambig}} [[Category:Plants]]") +
         redirect("Quercus", 15, "Oak") + redirect("Tree", 16, "Quercus") + "</mediawiki>\n";
}

class WikiCsDataSet : public WikiCsFolder {
 protected:
  void SetUp() override {
    write("xx-pages-articles.xml", dump());
    write("labels.json", R"({"Plants": ["Plants"], "Animals": "Beasts"})");
    write("vectors.txt", "oak 1 0\nelm 0 1\ncat 4 0\nox 0.5 0.25\n");
    write("xx-page.sql",
          std::string(kPage) +
              "INSERT INTO `page` VALUES (10,0,'Ox',0,0,0.1),(15,0,'Quercus',1,0,0.2),"
              "(16,0,'Tree',1,0,0.3),(20,0,'Elm',0,0,0.4),(30,0,'Cat',0,1,0.5),"
              "(31,1,'Cat',0,0,0.6),(40,0,'Oak',0,0,0.7),(50,0,'Moss',0,0,0.8),"
              "(60,0,'Stub',0,0,0.9);\n");
    write("xx-redirect.sql", std::string(kRedirect) +
                                 "INSERT INTO `redirect` VALUES (15,0,'Oak',''),(16,0,'Quercus',"
                                 "''),(99,0,'Cat','de');\n");
    write("xx-pagelinks.sql",
          std::string(kPageLinks) +
              "INSERT INTO `pagelinks` VALUES (40,0,'Tree',0),(40,0,'Oak',0),(20,0,'Quercus',0),"
              "(20,0,'Oak',0),(20,0,'Cat',0),(20,0,'Moss',0),(20,1,'Cat',0),(30,0,'Elm',0),"
              "(10,0,'Quercus',0),(60,0,'Oak',0);\n");
  }
  static Json table(const Built& built, const std::string& name) {
    return Json::parse(text_of(built, name));
  }
  static std::int64_t count(const Built& built, const std::string& what) {
    return Json::parse(built.provenance)["counts"].value(what, std::int64_t{-1});
  }
};

// Nodes: Ox 10, Elm 20, Cat 30, Oak 40. The titles that lead to them, in the order of the table:
// Ox, Quercus (to Oak), Elm, Cat, Oak.
inline const Json kLinks = {{3}, {3, 2, 3}, {1}, {3}};

}  // namespace cupel::test
