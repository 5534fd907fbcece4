// Real dumps of export schemas 0.8 to 0.11, plain and compressed. Numbers are counted by Python's
// ElementTree.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cupel/data/formats/file_bytes.h"
#include "data/wiki/dump_reading.h"

namespace cupel {
namespace {

using made::ReadDump;

struct Expected {
  const char *file, *version, *language, *dbname;
  std::size_t pages, redirects, articles, text_bytes;  // articles: of namespace 0
};

const Expected kExpected[] = {
    {"ltgwiki/smallwiki-latest-pages-articles.xml", "0.10", "ltg", "ltgwiki", 2004, 195, 903,
     2387684},
    {"aawiki-20260101/aawiki-20260101-pages-meta-current.xml.bz2", "0.11", "aa", "aawiki", 507, 19,
     1, 615831},
    {"enwiki-samples/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2", "0.10",
     "en", "enwiki", 206, 100, 106, 5752489},
    {"enwiki-samples/enwiki-pages-articles-sample.xml.bz2", "0.9", "en", "enwiki", 3, 1, 2, 77038},
    {"enwiki-samples/en_test.xml.gz", "0.8", "en", "", 44, 11, 33, 824690},
};

TEST(RealDumps, HaveThePagesThatOtherParsersFind) {
  const char* data = std::getenv("CUPEL_DATA");
  const auto folder = std::filesystem::path(data ? data : "") / "wikipedia";
  if (!data || !std::filesystem::exists(folder)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.file);
    std::string text;
    FileBytes again(folder / expected.file, {1});
    for (std::string_view block; again.next(block);) text += block;
    FileBytes file(folder / expected.file, {2});
    const ReadDump read = made::read_all(file);
    EXPECT_EQ(made::difference(text, read), "");
    EXPECT_EQ(read.site.version, expected.version);
    EXPECT_EQ(read.site.language, expected.language);
    EXPECT_EQ(read.site.dbname, expected.dbname);
    std::size_t redirects = 0, articles = 0, bytes = 0;
    for (const made::ReadPage& page : read.pages) {
      redirects += page.redirect;
      articles += page.ns == 0 && !page.redirect;
      bytes += page.text.size();
    }
    EXPECT_EQ(read.pages.size(), expected.pages);
    EXPECT_EQ(redirects, expected.redirects);
    EXPECT_EQ(articles, expected.articles);
    EXPECT_EQ(bytes, expected.text_bytes);
    for (const std::size_t block : {997U, 65'536U})
      EXPECT_EQ(made::read_all(text, block).pages, read.pages);
  }
}

}  // namespace
}  // namespace cupel
