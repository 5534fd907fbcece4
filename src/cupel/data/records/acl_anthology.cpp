#include "cupel/data/records/acl_anthology.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

// The value of at most four digits; nothing for any other text.
std::optional<int> small_number(std::string_view text) {
  int value = 0;
  if (text.empty() || text.size() > 4) return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

// Collections of before 2020 are a letter and two digits. Volume and paper are then four digits
// together: of workshops two and two, else one and three.
std::string AclAnthologyReader::id_of(std::string_view paper) const {
  if (collection_.empty() || volume_.empty() || paper.empty()) return {};
  const std::optional<int> volume = small_number(volume_), number = small_number(paper);
  const bool old = collection_.find('.') == std::string::npos;
  if (!old || !volume || !number) return fmt::format("{}-{}.{}", collection_, volume_, paper);
  const bool workshops =
      collection_.front() == 'W' || collection_ == "C69" || (collection_ == "D19" && *volume >= 5);
  if (workshops) return fmt::format("{}-{:02}{:02}", collection_, *volume, *number);
  return fmt::format("{}-{}{:03}", collection_, *volume, *number);
}

void AclAnthologyReader::start(std::string_view name, const Attributes& attributes) {
  if (depth() == 1) {
    if (name != "collection") {
      fail(
          "this is no file of the ACL Anthology: it is {}, not <collection>; give a file of its "
          "data/xml",
          in_quotes(name));
    }
    collection_ = attributes["id"];
  } else if (depth() == 2) {
    in_volume_ = name == "volume";
    volume_ = attributes["id"];
    year_.reset();
    dated_ = false;
  } else if (depth() == 3 && in_volume_) {
    begin_part(name, attributes);
  } else if (depth() == 4 && in_ == In::kMeta) {
    if (name == "year" && !dated_) gather();
  } else if (depth() == 4 && in_ == In::kPaper) {
    in_author_ = name == "author";
    if (in_author_) {
      author_ = {};
      author_.id = attributes["id"];
      first_.clear();
      last_.clear();
    } else if ((name == "title" && !titled_) || (name == "abstract" && !summarised_) ||
               (name == "doi" && publication().doi.empty())) {
      gather();
    }
  } else if (depth() == 5 && in_author_) {
    if (name == "first" || name == "last" || name == "affiliation") gather();
  }
}

void AclAnthologyReader::begin_part(std::string_view name, const Attributes& attributes) {
  in_ = name == "meta" ? In::kMeta : name == "paper" ? In::kPaper : In::kOther;
  if (in_ != In::kPaper) return;
  begin();
  titled_ = summarised_ = false;
  publication().id = id_of(attributes["id"]);
  publication().year = year_;
}

void AclAnthologyReader::gathered(std::string_view name) {
  if (in_ == In::kMeta) {
    year_ = year_of(take_raw());
    dated_ = true;
  } else if (!in_author_ && name == "doi") {
    if (!read_doi(take_raw(), publication().doi)) count(kNoDoi);
  } else if (!in_author_) {
    const bool title = name == "title";
    (title ? titled_ : summarised_) = true;
    (title ? publication().title : publication().abstract) =
        take_text(title ? "titles" : "abstracts");
  } else if (name == "affiliation") {
    std::string affiliation = take_affiliation();
    if (!affiliation.empty()) author_.affiliations.push_back(std::move(affiliation));
  } else {
    std::string part = take_name_part();
    std::string& whole = name == "first" ? first_ : last_;
    if (whole.empty()) whole = std::move(part);
  }
}

void AclAnthologyReader::end(std::string_view) {
  if (depth() == 4 && in_author_)
    finish_author();
  else if (depth() == 3 && in_ == In::kPaper)
    finish_paper();
  if (depth() == 4) in_author_ = false;
  if (depth() == 3) in_ = In::kOther;
  if (depth() == 2) in_volume_ = false;
}

void AclAnthologyReader::finish_author() {
  author_.name = std::move(first_);
  if (!author_.name.empty() && !last_.empty()) author_.name += ' ';
  author_.name += last_;
  add(std::move(author_));
}

void AclAnthologyReader::finish_paper() {
  if (publication().id.empty()) count("papers without id");
  if (!publication().year) count(dated_ ? "years that are none" : "papers without year");
  if (publication().authors.empty()) count("papers without authors");
  finish();
}

}  // namespace cupel
