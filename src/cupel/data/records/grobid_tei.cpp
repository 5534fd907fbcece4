#include "cupel/data/records/grobid_tei.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/record_text.h"
#include "cupel/data/records/record_years.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

constexpr std::string_view kTitle = "/teiHeader/fileDesc/titleStmt/title";
constexpr std::string_view kPublished = "/teiHeader/fileDesc/publicationStmt/date";
constexpr std::string_view kImprint =
    "/teiHeader/fileDesc/sourceDesc/biblStruct/monogr/imprint/date";
constexpr std::string_view kOtherTitle = "/teiHeader/fileDesc/sourceDesc/biblStruct/analytic/title";
constexpr std::string_view kAuthor = "/teiHeader/fileDesc/sourceDesc/biblStruct/analytic/author";
constexpr std::array<std::string_view, 2> kIdentifiers = {
    "/teiHeader/fileDesc/sourceDesc/biblStruct/idno",
    "/teiHeader/fileDesc/sourceDesc/biblStruct/analytic/idno"};
constexpr std::string_view kAbstract = "/teiHeader/profileDesc/abstract";
constexpr std::string_view kTerm = "/teiHeader/profileDesc/textClass/keywords/term";
constexpr std::string_view kAffiliation = "/affiliation";  // in an author

bool is_identifier(std::string_view path) {
  return std::ranges::find(kIdentifiers, path) != kIdentifiers.end();
}

std::string stem_of(const std::filesystem::path& file) {
  std::string out = file.filename().string();
  for (const char* const end : {".gz", ".bz2", ".xml", ".tei", ".grobid", ".pdf"}) {
    const std::string_view ending = end;
    if (out.size() <= ending.size()) continue;
    std::string last = out.substr(out.size() - ending.size());
    lower_ascii(last.data(), last.size());
    if (last == ending) out.erase(out.size() - ending.size());
  }
  return out;
}

// `more` behind `out`, with `between` unless nothing is there.
void join(std::string& out, std::string_view between, std::string_view more) {
  if (!out.empty() && !more.empty()) out += between;
  out += more;
}

// "0000-0002-1825-0097" of "https://orcid.org/0000-0002-1825-0097".
std::string_view orcid_of(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  return slash == std::string_view::npos ? text : text.substr(slash + 1);
}

}  // namespace

GrobidTeiReader::GrobidTeiReader(const std::filesystem::path& file, ReadProgress progress)
    : XmlPublicationReader(file, std::move(progress)), stem_(stem_of(file)) {}

bool GrobidTeiReader::stands_apart(std::string_view name) const {
  constexpr std::array<std::string_view, 12> kApart = {
      "ab", "cell", "div", "head", "item", "label", "lb", "list", "note", "p", "row", "s"};
  return std::ranges::binary_search(kApart, name);
}

void GrobidTeiReader::start(std::string_view name, const Attributes& attributes) {
  if (depth() == 1) check_root(name);
  if (tei_ == 0) {
    if (name == "TEI") begin_tei();
    return;
  }
  if (skipped_ != 0) return;
  if (depth() == tei_ + 1 && name != "teiHeader") {
    skipped_ = depth();
    return;
  }
  path_ += '/';
  path_ += name;
  const std::string_view path = path_;
  if (path.starts_with(kAuthor) && (path.size() == kAuthor.size() || path[kAuthor.size()] == '/')) {
    start_in_author(path.substr(kAuthor.size()), attributes);
  } else if (path == kPublished) {
    read_date(attributes, published_);
  } else if (path == kImprint) {
    read_date(attributes, imprint_);
  } else if ((path == kTitle && publication().title.empty()) ||
             (path == kOtherTitle && other_title_.empty()) || path == kAbstract || path == kTerm ||
             (is_identifier(path) && attributes["type"] == "DOI" && publication().doi.empty())) {
    gather();
  }
}

void GrobidTeiReader::check_root(std::string_view name) const {
  if (name == "TEI" || name == "teiCorpus") return;
  fail("this is no TEI: it is {}, not <TEI>; give what GROBID's processFulltextDocument makes",
       in_quotes(name));
}

void GrobidTeiReader::begin_tei() {
  begin();
  tei_ = depth();
  published_.reset();
  imprint_.reset();
  odd_date_ = false;
  other_title_.clear();
  ++made_;
  publication().id = made_ == 1 ? stem_ : fmt::format("{}#{}", stem_, made_);
}

void GrobidTeiReader::start_in_author(std::string_view part, const Attributes& attributes) {
  type_ = attributes["type"];
  if (part.empty()) {
    author_ = {};
    forenames_.clear();
    surname_.clear();
    suffix_.clear();
  } else if (part == kAffiliation) {
    organisations_.clear();
    institutions_ = false;
  } else if (part == "/persName/forename" || part == "/persName/surname" ||
             part == "/persName/genName" || (part == "/idno" && type_ == "ORCID") ||
             (part.starts_with(kAffiliation) && part.ends_with("/orgName"))) {
    gather();
  }
}

// GROBID writes "2019", "2019-07" or "2019-07-28".
void GrobidTeiReader::read_date(const Attributes& attributes, std::optional<int>& year) {
  const std::string_view when = attributes["when"], type = attributes["type"];
  if (year || when.empty() || (!type.empty() && type != "published")) return;
  if (!read_year(when, year) || !year) odd_date_ = true;
}

void GrobidTeiReader::gathered(std::string_view name) {
  if (path_ == kTitle) {
    publication().title = take_text("titles");
  } else if (path_ == kOtherTitle) {
    other_title_ = take_text("titles");
  } else if (path_ == kAbstract) {
    join(publication().abstract, " ", take_text("abstracts"));
  } else if (path_ == kTerm) {
    std::string term = take_text("keywords");
    if (!term.empty()) publication().keywords.push_back(std::move(term));
  } else if (is_identifier(path_)) {
    if (!read_doi(take_raw(), publication().doi)) count(kNoDoi);
  } else {
    gathered_in_author(name);
  }
  path_.resize(path_.rfind('/'));
}

void GrobidTeiReader::gathered_in_author(std::string_view name) {
  if (name == "orgName") {
    std::string organisation = take_affiliation();
    if (type_ != "institution") {
      join(organisations_, ", ", organisation);
    } else if (!organisation.empty()) {
      author_.affiliations.push_back(std::move(organisation));
      institutions_ = true;
    }
    return;
  }
  if (name == "idno") {
    author_.id = orcid_of(take_raw());
    return;
  }
  const std::string part = take_name_part();
  if (name == "forename")
    join(forenames_, " ", part);
  else if (name == "surname")
    join(surname_, " ", part);
  else
    join(suffix_, " ", part);
}

void GrobidTeiReader::end(std::string_view name) {
  if (tei_ == depth()) {
    finish_tei();
    return;
  }
  if (tei_ == 0) return;
  if (skipped_ != 0) {
    if (skipped_ == depth()) skipped_ = 0;
    return;
  }
  if (name == "affiliation" && path_.size() == kAuthor.size() + kAffiliation.size() &&
      path_.starts_with(kAuthor))
    finish_affiliation();
  else if (path_ == kAuthor)
    finish_author();
  path_.resize(path_.rfind('/'));
}

void GrobidTeiReader::finish_affiliation() {
  if (institutions_) return;
  if (organisations_.empty())
    count("affiliations without organisation, left out");
  else
    author_.affiliations.push_back(std::move(organisations_));
}

void GrobidTeiReader::finish_author() {
  author_.name = std::move(forenames_);
  join(author_.name, " ", surname_);
  join(author_.name, " ", suffix_);
  add(std::move(author_));
}

void GrobidTeiReader::finish_tei() {
  Publication& made = publication();
  if (made.title.empty()) made.title = std::move(other_title_);
  made.year = published_ ? published_ : imprint_;
  if (!made.year) count(odd_date_ ? "years that are none" : "papers without year");
  if (made.authors.empty()) count("papers without authors");
  keep_first(made.keywords);
  path_.clear();
  tei_ = 0;
  finish();
}

}  // namespace cupel
