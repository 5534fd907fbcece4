#include "cupel/data/records/xml_publications.h"

#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/list_ends.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kMostPieces = 100'000;

}  // namespace

bool XmlPublicationReader::next(Publication& out) {
  if (!stream_.read_on()) return false;
  out = std::exchange(publication_, {});
  return true;
}

std::string XmlPublicationReader::place() const {
  return fmt::format("{}: line {}", name(), line_);
}

void XmlPublicationReader::begin() {
  publication_ = {};
  line_ = stream_.line();
  bytes_ = pieces_ = 0;
  authors_ = 0;
  cut_ = false;
}

void XmlPublicationReader::finish() {
  if (cut_) count(kCutShort);
  stream_.pause();
}

void XmlPublicationReader::gather() {
  gathering_ = depth_;
  stream_.want_characters(true);
}

void XmlPublicationReader::start_element(std::string_view name, const Attributes& attributes) {
  ++depth_;
  if (gathering_ == 0)
    start(name, attributes);
  else if (stands_apart(name))
    text_.gap();
}

void XmlPublicationReader::end_element(std::string_view name) {
  if (gathering_ == 0) {
    end(name);
  } else if (gathering_ == depth_) {
    gathering_ = 0;
    stream_.want_characters(false);
    gathered(name);
  } else if (stands_apart(name)) {
    text_.gap();
  }
  --depth_;
}

void XmlPublicationReader::characters(std::string_view piece) {
  weigh(piece.size(), 0);
  text_.append(piece);
}

void XmlPublicationReader::weigh(std::size_t bytes, std::size_t pieces) {
  bytes_ += bytes;
  pieces_ += pieces;
  if (bytes_ > kMostBytes)
    fail("the publication of line {} has more than {} MiB of text; take it out of the file", line_,
         kMostBytes >> 20);
  if (pieces_ > kMostPieces)
    fail(
        "the publication of line {} has more than {} authors, affiliations and keywords; take it "
        "out of the file",
        line_, kMostPieces);
}

void XmlPublicationReader::tell(const char* what, unsigned mends) {
  if (mends != 0) count_mends(mends, what, [this](const std::string& done) { count(done); });
}

std::string XmlPublicationReader::take_raw() {
  std::string out = text_.text();
  text_.clear();
  return out;
}

std::string XmlPublicationReader::take_text(const char* what) {
  unsigned mends = text_.mended() ? unsigned{kMendedUnseen} : 0;
  std::string out = take_raw();
  weigh(0, 1);
  if (out.find('&') != std::string::npos) clean_text(out, mends);
  tell(what, mends);
  return out;
}

std::string XmlPublicationReader::take_affiliation() {
  unsigned mends = text_.mended() ? unsigned{kMendedUnseen} : 0;
  std::string out = take_raw();
  if (out.empty()) return out;
  weigh(0, 1);
  const bool named = clean_affiliation(out, mends);
  tell("affiliations", mends);
  if (!named) {
    count(kNoAffiliation);
    out.clear();
  }
  return out;
}

std::string XmlPublicationReader::take_name_part() {
  if (text_.mended()) name_mends_ |= kMendedUnseen;
  return take_raw();
}

void XmlPublicationReader::add(Author author) {
  weigh(author.id.size(), 1);
  author.position = authors_++;
  unsigned mends = std::exchange(name_mends_, 0);
  const bool empty = author.name.empty(),
             named = !empty && clean_name(author.name, mends, &author.with_marks);
  if (!named) {
    count(empty ? "authors without name, left out" : "names of authors without a letter, left out");
    return;
  }
  if (!is_somebody(author, cut_)) return;
  tell("names of authors", mends);
  keep_first(author.affiliations);
  publication_.authors.push_back(std::move(author));
}

}  // namespace cupel
