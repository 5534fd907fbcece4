// The product metadata of SNAP (snap.stanford.edu/data/amazon-meta.html), amazon-meta.txt.
//
//   # Full information about Amazon Share the Love products
//   Total items: 548552
//
//   Id:   1
//   ASIN: 0827229534
//     title: Patterns of Preaching: A Sermon Sampler
//     group: Book
//     salesrank: 396585
//     similar: 5  0804215715  156101074X  0687023955  0687074231  082721619X
//     categories: 2
//      |Books[283155]|Subjects[1000]|...|Preaching[12368]
//      |Books[283155]|Subjects[1000]|...|Sermons[12370]
//     reviews: total: 2  downloaded: 2  avg rating: 5
//       2000-7-28  cutomer: A2JW67OY8U6HHK  rating: 5  votes:  10  helpful:   9
//       2003-12-14  cutomer: A2VE83MZF98ITY  rating: 5  votes:   6  helpful:   5
//
// A product that is no longer sold has the line "discontinued product" in place of everything after
// its ASIN. A blank line ends a product.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/data/formats/line_reader.h"

namespace cupel {

struct AmazonProduct {
  std::int64_t id = 0;
  std::uint64_t line = 0;  // of "Id:"
  std::string asin;
  bool discontinued = false;            // then nothing below is there
  std::string title, group;             // bytes as in the file; UTF-8 is not promised
  std::vector<std::string> similar;     // ASINs, of products in the file or not
  std::vector<std::string> categories;  // "|Books[283155]|...|Sermons[12370]"
  std::int64_t reviews = 0;             // total, as the file says
  double average_rating = 0;            // 1 to 5 in half stars, as the file says; 0 without reviews
  std::int64_t listed_reviews = 0;      // review lines
  std::int64_t listed_stars = 0;        // sum of their ratings
};

// Product by product; memory: one product. Not thread-safe.
class AmazonReader {
 public:
  explicit AmazonReader(LineReader& lines) : lines_(lines) {}

  // Reads the next product over `product`; false at the end. Throws Error naming the line: a
  // product without "ASIN:", or without one of title, group, similar and reviews where it is not
  // discontinued; a field given twice or unknown; a list that is not as long as it says; a rating
  // outside 1 to 5; an end in the middle of a product.
  bool next(AmazonProduct& product);

  std::int64_t announced() const {
    return announced_;
  }  // "Total items", -1 if there is no such line
  std::int64_t products() const { return products_; }
  // Products with fewer or more review lines than "downloaded" says; nothing reads these but the
  // mean of the lines.
  std::int64_t uneven_reviews() const { return uneven_reviews_; }
  // Lines behind a title that are no field, taken as part of the title.
  std::int64_t title_continuations() const { return title_continuations_; }

 private:
  enum Field : unsigned {
    kTitle = 1,
    kGroup = 2,
    kRank = 4,
    kSimilar = 8,
    kCategories = 16,
    kReviews = 32
  };

  bool start(AmazonProduct& product);
  void read_line(AmazonProduct& product, std::string_view text);
  bool read_field(AmazonProduct& product, std::string_view text);
  void read_similar(AmazonProduct& product, std::string_view text);
  void read_reviews(AmazonProduct& product, std::string_view text);
  void read_review(AmazonProduct& product, std::string_view text);
  void check_complete(const AmazonProduct& product, bool at_end) const;
  void check_categories(const AmazonProduct& product) const;

  LineReader& lines_;
  unsigned fields_ = 0;  // of the product being read
  std::int64_t categories_announced_ = 0, reviews_announced_ = 0;
  std::int64_t announced_ = -1, products_ = 0, uneven_reviews_ = 0, title_continuations_ = 0;
};

}  // namespace cupel
