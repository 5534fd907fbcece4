#include "cupel/data/formats/snap_amazon.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

// The word at the start of `text`, which moves behind it and the blanks that follow.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  return word;
}

// Moves `text` behind `key` and the blanks that follow; false if it does not start with it.
bool take(std::string_view& text, std::string_view key) {
  if (!text.starts_with(key)) return false;
  text.remove_prefix(key.size());
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
  return true;
}

// A count of 0 or more.
std::int64_t count(const LineReader& lines, const char* field, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 0) {
    lines.fail_here(fmt::format("'{}' is {} where a count is needed; the file is damaged", field,
                                in_quotes(text)));
  }
  return value;
}

}  // namespace

bool AmazonReader::next(AmazonProduct& product) {
  if (!start(product)) return false;
  std::string_view line;
  bool ended = true;
  while (lines_.next(line)) {
    const std::string_view text = trimmed(line);
    if (text.empty()) {
      ended = false;
      break;
    }
    read_line(product, text);
  }
  check_complete(product, ended);
  ++products_;
  uneven_reviews_ += product.listed_reviews != reviews_announced_;
  return true;
}

// Reads up to "ASIN:".
bool AmazonReader::start(AmazonProduct& product) {
  std::string_view line;
  while (lines_.next(line)) {
    std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (products_ == 0 && announced_ < 0 && take(text, "Total items:")) {
      announced_ = count(lines_, "Total items", text);
      continue;
    }
    if (!take(text, "Id:")) {
      lines_.fail_here(
          fmt::format("is {} where a product starts with 'Id:'; the file is damaged or "
                      "not SNAP's amazon-meta.txt",
                      in_quotes(text)));
    }
    product.id = count(lines_, "Id", text);
    product.line = lines_.line_number();
    product.discontinued = false;
    product.title.clear();
    product.group.clear();
    product.similar.clear();
    product.categories.clear();
    product.reviews = product.listed_reviews = product.listed_stars = 0;
    product.average_rating = 0;
    fields_ = 0;
    categories_announced_ = reviews_announced_ = 0;
    if (!lines_.next(line)) {
      lines_.fail_here(
          fmt::format("the file ends in the middle of product {}; get it again", product.id));
    }
    text = trimmed(line);
    if (!take(text, "ASIN:") || text.empty() || text.find(' ') != std::string_view::npos) {
      lines_.fail_here(fmt::format("is {} where the ASIN of product {} is needed",
                                   in_quotes(trimmed(line)), product.id));
    }
    product.asin = text;
    return true;
  }
  return false;
}

void AmazonReader::read_line(AmazonProduct& product, std::string_view text) {
  if (product.discontinued) {
    lines_.fail_here(
        fmt::format("follows 'discontinued product' of product {}: {}; a blank line "
                    "ends a product",
                    product.id, in_quotes(text)));
  }
  if (fields_ & kReviews) return read_review(product, text);
  if ((fields_ & kCategories) && text.front() == '|') {
    product.categories.emplace_back(text);
    return;
  }
  if (read_field(product, text)) return;
  if (fields_ == 0 && text == "discontinued product") {
    product.discontinued = true;
  } else if (fields_ == kTitle) {
    product.title += ' ';
    product.title += text;
    ++title_continuations_;
  } else {
    lines_.fail_here(
        fmt::format("is {}, which is no field of a product; the file is damaged", in_quotes(text)));
  }
}

// False if the line is none of the fields.
bool AmazonReader::read_field(AmazonProduct& product, std::string_view text) {
  static constexpr std::pair<std::string_view, Field> kFields[] = {
      {"title:", kTitle},     {"group:", kGroup},           {"salesrank:", kRank},
      {"similar:", kSimilar}, {"categories:", kCategories}, {"reviews:", kReviews}};
  for (const auto& [key, field] : kFields) {
    if (!take(text, key)) continue;
    if (fields_ & field) {
      lines_.fail_here(
          fmt::format("product {} has '{}' twice; a blank line ends a product", product.id, key));
    }
    fields_ |= field;
    if (field == kTitle) product.title = text;
    if (field == kGroup) product.group = text;
    if (field == kSimilar) read_similar(product, text);
    if (field == kCategories) categories_announced_ = count(lines_, "categories", text);
    if (field == kReviews) read_reviews(product, text);
    return true;
  }
  return false;
}

void AmazonReader::read_similar(AmazonProduct& product, std::string_view text) {
  const std::int64_t announced = count(lines_, "similar", take_word(text));
  while (!text.empty()) product.similar.emplace_back(take_word(text));
  if (announced != static_cast<std::int64_t>(product.similar.size())) {
    lines_.fail_here(
        fmt::format("'similar' of product {} says {} and lists {}; the file is damaged", product.id,
                    announced, product.similar.size()));
  }
}

// "total: 2  downloaded: 2  avg rating: 5".
void AmazonReader::read_reviews(AmazonProduct& product, std::string_view text) {
  check_categories(product);
  const std::string_view whole = text;
  bool good = take(text, "total:");
  if (good) product.reviews = count(lines_, "reviews: total", take_word(text));
  good = good && take(text, "downloaded:");
  if (good) reviews_announced_ = count(lines_, "reviews: downloaded", take_word(text));
  good = good && take(text, "avg rating:");
  double& rating = product.average_rating;
  if (good) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rating);
    good = problem == std::errc() && end == text.data() + text.size();
  }
  if (!good) {
    lines_.fail_here(
        fmt::format("the reviews of product {} are {} where 'total: N downloaded: N "
                    "avg rating: X' is needed",
                    product.id, in_quotes(whole)));
  }
  if (!(rating == 0 || (rating >= 1 && rating <= 5))) {
    lines_.fail_here(
        fmt::format("the average rating of product {} is {}, neither 0 (no review) nor "
                    "within 1 to 5",
                    product.id, rating));
  }
}

// "2000-7-28  cutomer: A2JW67OY8U6HHK  rating: 5  votes:  10  helpful:   9".
void AmazonReader::read_review(AmazonProduct& product, std::string_view text) {
  constexpr std::string_view kKey = "rating:";
  const std::size_t at = text.find(kKey);
  std::int64_t stars = 0;
  if (at != std::string_view::npos) {
    std::string_view rest = text.substr(at);
    take(rest, kKey);
    const std::string_view word = take_word(rest);
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), stars);
    if (problem != std::errc() || end != word.data() + word.size()) stars = 0;
  }
  if (stars < 1 || stars > 5) {
    lines_.fail_here(
        fmt::format("is {} where a review of product {} with a rating of 1 to 5 is "
                    "needed; a blank line ends a product",
                    in_quotes(text), product.id));
  }
  ++product.listed_reviews;
  product.listed_stars += stars;
}

void AmazonReader::check_categories(const AmazonProduct& product) const {
  if (categories_announced_ == static_cast<std::int64_t>(product.categories.size())) return;
  lines_.fail_here(
      fmt::format("'categories' of product {} says {} and {} follow; the file is "
                  "damaged",
                  product.id, categories_announced_, product.categories.size()));
}

void AmazonReader::check_complete(const AmazonProduct& product, bool at_end) const {
  if (product.discontinued) return;
  static constexpr std::pair<const char*, Field> kNeeded[] = {
      {"title", kTitle}, {"group", kGroup}, {"similar", kSimilar}, {"reviews", kReviews}};
  for (const auto& [name, field] : kNeeded) {
    if (fields_ & field) continue;
    lines_.fail_here(fmt::format(
        "product {} (line {}) ends without '{}:', and is not marked 'discontinued product'; {}",
        product.id, product.line, name,
        at_end ? "the file is cut off, get it again" : "the file is damaged"));
  }
  if (at_end && product.listed_reviews < reviews_announced_) {
    lines_.fail_here(fmt::format(
        "the file ends after {} of the {} reviews of product {}; it is cut off, get it again",
        product.listed_reviews, reviews_announced_, product.id));
  }
}

}  // namespace cupel
