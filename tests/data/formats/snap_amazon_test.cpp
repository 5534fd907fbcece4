#include "cupel/data/formats/snap_amazon.h"

#include <gtest/gtest.h>

#include "data/build/made_text.h"

namespace cupel::test {
namespace {

// The start of SNAP's file, and a product without anything.
constexpr const char* kFile =
    "# Full information about Amazon Share the Love products\n"
    "Total items: 548552\n"
    "\n"
    "Id:   0\n"
    "ASIN: 0771044445\n"
    "  discontinued product\n"
    "\n"
    "Id:   1\n"
    "ASIN: 0827229534\n"
    "  title: Patterns of Preaching: A Sermon Sampler\n"
    "  group: Book\n"
    "  salesrank: 396585\n"
    "  similar: 5  0804215715  156101074X  0687023955  0687074231  082721619X\n"
    "  categories: 2\n"
    "   |Books[283155]|Subjects[1000]|Religion & Spirituality[22]|Christianity[12290]\n"
    "   |[172282]|Categories[493964]|Camera & Photo[502394]|Photo Essays[733676]\n"
    "  reviews: total: 2  downloaded: 2  avg rating: 4.5\n"
    "    2000-7-28  cutomer: A2JW67OY8U6HHK  rating: 5  votes:  10  helpful:   9\n"
    "    2003-12-14  cutomer:  AVE83MZF98ITY  rating: 4  votes:   6  helpful:   5\n"
    "\n"
    "Id:   5\n"
    "ASIN: 1577943082\n"
    "  title: \n"
    "  group: Music\n"
    "  salesrank: -1\n"
    "  similar: 0\n"
    "  categories: 0\n"
    "  reviews: total: 0  downloaded: 0  avg rating: 0\n"
    "\n";

struct Read {
  std::vector<AmazonProduct> products;
  std::int64_t announced = 0, uneven = 0, continued = 0;
};

Read read(const std::filesystem::path& path) {
  LineReader lines(path);
  AmazonReader reader(lines);
  Read out;
  AmazonProduct product;
  while (reader.next(product)) out.products.push_back(product);
  EXPECT_EQ(reader.products(), static_cast<std::int64_t>(out.products.size()));
  out.announced = reader.announced();
  out.uneven = reader.uneven_reviews();
  out.continued = reader.title_continuations();
  return out;
}

TEST(SnapAmazon, ReadsProducts) {
  const Folder folder;
  std::string windows;
  for (const char c : std::string(kFile))
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const auto& path :
       {folder.write("a", kFile), folder.write_gz("b", kFile), folder.write("c", windows),
        folder.write("d", std::string(kFile, std::string(kFile).size() - 2))}) {
    const Read file = read(path);
    EXPECT_EQ(file.announced, 548552);
    EXPECT_EQ(file.uneven, 0);
    ASSERT_EQ(file.products.size(), 3u);
    EXPECT_TRUE(file.products[0].discontinued);
    EXPECT_EQ(file.products[0].asin, "0771044445");
    const AmazonProduct& book = file.products[1];
    EXPECT_FALSE(book.discontinued);
    EXPECT_EQ(book.id, 1);
    EXPECT_EQ(book.line, 8u);
    EXPECT_EQ(book.title, "Patterns of Preaching: A Sermon Sampler");
    EXPECT_EQ(book.group, "Book");
    EXPECT_EQ(book.similar, (std::vector<std::string>{"0804215715", "156101074X", "0687023955",
                                                      "0687074231", "082721619X"}));
    ASSERT_EQ(book.categories.size(), 2u);
    EXPECT_EQ(book.categories[1],
              "|[172282]|Categories[493964]|Camera & Photo[502394]|Photo Essays[733676]");
    EXPECT_EQ(book.reviews, 2);
    EXPECT_EQ(book.average_rating, 4.5);
    EXPECT_EQ(book.listed_reviews, 2);
    EXPECT_EQ(book.listed_stars, 9);
    const AmazonProduct& empty = file.products[2];
    EXPECT_EQ(empty.title, "");
    EXPECT_TRUE(empty.similar.empty());
    EXPECT_TRUE(empty.categories.empty());
    EXPECT_EQ(empty.average_rating, 0);
  }
}

TEST(SnapAmazon, WhatMayBeOdd) {
  const Folder folder;
  const std::string good = kFile;
  // Fewer reviews listed than announced, as where a download stopped; a title with a line break;
  // no header; bytes that are not UTF-8.
  EXPECT_EQ(read(folder.write("a", replaced(good, "downloaded: 2", "downloaded: 7"))).uneven, 1);
  const Read broken = read(folder.write("a", replaced(good, "Preaching: A", "Preaching\nA")));
  EXPECT_EQ(broken.continued, 1);
  EXPECT_EQ(broken.products[1].title, "Patterns of Preaching A Sermon Sampler");
  EXPECT_EQ(read(folder.write("a", good.substr(good.find("Id:")))).announced, -1);
  EXPECT_EQ(read(folder.write("a", replaced(good, "Patterns", "Caf\xe9"))).products[1].title,
            "Caf\xe9 of Preaching: A Sermon Sampler");
  EXPECT_TRUE(read(folder.write("a", "")).products.empty());
}

TEST(SnapAmazon, ComplaintsNameTheLine) {
  const Folder folder;
  const auto complaint_of = [&](const std::string& text) {
    return complaint([&] { (void)read(folder.write("a", text)); });
  };
  const std::string good = kFile;
  const auto without = [&](const std::string& start) {
    const std::size_t at = good.find(start);
    return good.substr(0, at) + good.substr(good.find('\n', at) + 1);
  };
  const auto cut_after = [&](const std::string& part) {
    return good.substr(0, good.find(part) + part.size());
  };
  const std::pair<std::string, const char*> cases[] = {
      {"node,label\n", "line 1: is 'node,label' where a product starts with 'Id:'"},
      {replaced(good, "548552", "many"), "line 2: 'Total items' is 'many' where a count"},
      {replaced(good, "Id:   1", "Id:   one"), "line 8: 'Id' is 'one'"},
      {replaced(good, "Id:   1", "Id:   99999999999999999999"), "line 8: 'Id' is '9999"},
      {without("ASIN: 0827229534"),
       "line 9: is 'title: Patterns of Preaching: A Sermon Sampler' where the ASIN of product 1"},
      {replaced(good, "ASIN: 0827229534", "ASIN: "),
       "line 9: is 'ASIN:' where the ASIN of product 1"},
      {without("  title: P"), "product 1 (line 8) ends without 'title:'"},
      {without("  group: B"), "product 1 (line 8) ends without 'group:'"},
      {without("  similar: 5"), "product 1 (line 8) ends without 'similar:'"},
      {replaced(good, "  discontinued product\n", ""), "product 0 (line 4) ends without 'title:'"},
      {replaced(good, "  discontinued product", "  discontinued"),
       "line 6: is 'discontinued', which is no field"},
      {replaced(good, "similar: 5", "similar: 4"),
       "line 13: 'similar' of product 1 says 4 and lists 5"},
      {replaced(good, "similar: 5", "similar: 999999999999"), "says 999999999999 and lists 5"},
      {replaced(good, "similar: 5", "similar:"),
       "line 13: 'similar' of product 1 says 804215715 and lists 4"},
      {replaced(good, "similar: 5", "similar: -5"), "line 13: 'similar' is '-5'"},
      {replaced(good, "categories: 2", "categories: 3"),
       "line 17: 'categories' of product 1 says 3 and 2 follow"},
      {replaced(good, "categories: 2", "categories: 1"),
       "line 17: 'categories' of product 1 says 1 and 2 follow"},
      {replaced(good, "avg rating: 4.5", "avg rating: 5.5"),
       "line 17: the average rating of product 1 is 5.5"},
      {replaced(good, "avg rating: 4.5", "avg rating: nan"),
       "line 17: the average rating of product 1 is nan"},
      {replaced(good, "avg rating: 4.5", ""), "line 17: the reviews of product 1 are"},
      {replaced(good, "rating: 4  votes", "rating: 6  votes"), "line 19: is '2003-12-14"},
      {replaced(good, "rating: 4  votes", "votes"), "line 19: is '2003-12-14"},
      {replaced(good, "\n\nId:   5", "\nId:   5"),
       "line 20: is 'Id:   5' where a review of product 1"},
      {replaced(good, "  salesrank: 396585", "  group: Book"),
       "line 12: product 1 has 'group:' twice"},
      {replaced(good, "discontinued product\n", "discontinued product\n  title: x\n"),
       "line 7: follows 'discontinued product' of product 0"},
      {cut_after("Id:   1\n"), "line 8: the file ends in the middle of product 1"},
      {cut_after("group: Book\n"),
       "line 11: product 1 (line 8) ends without 'similar:', and is not marked 'discontinued "
       "product'; the file is cut off"},
      {cut_after("helpful:   9\n"), "line 18: the file ends after 1 of the 2 reviews of product 1"},
      {cut_after("2000-7-28  cutomer: A2JW"),
       "line 18: is '2000-7-28  cutomer: A2JW' where a review"},
      {cut_after("|[172282]|Cat"), "ends without 'reviews:'"}};
  for (const auto& [text, part] : cases)
    EXPECT_TRUE(contains(complaint_of(text), part)) << part << "\n" << complaint_of(text);
}

}  // namespace
}  // namespace cupel::test
