#include "cupel/data/records/scopus.h"

#include <algorithm>
#include <array>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/list_ends.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"
#include "cupel/data/records/record_years.h"
#include "cupel/data/records/scopus_parts.h"

namespace cupel {
namespace {

// By ScopusReader::Column: names of the years.
constexpr std::array<std::array<std::string_view, 2>, 12> kNames = {
    {{"authors", ""},
     {"author full names", ""},
     {"author(s) id", "authors id"},
     {"title", ""},
     {"year", ""},
     {"doi", ""},
     {"eid", ""},
     {"abstract", ""},
     {"author keywords", ""},
     {"index keywords", ""},
     {"affiliations", ""},
     {"authors with affiliations", ""}}};

std::string lower(std::string_view text) {
  std::string out(trimmed_text(text));
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return out;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "Pan, Ying (57188...)" without its number.
std::string_view without_number(std::string_view name) {
  const std::size_t open = name.rfind('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return name;
  if (!is_number(name.substr(open + 1, name.size() - open - 2))) return name;
  return trimmed_text(name.substr(0, open));
}

bool is_nobody(std::string_view name) {
  return name.starts_with("[No author") || name == "Anon" || name == "Anon.";
}

}  // namespace

ScopusReader::ScopusReader(const std::filesystem::path& path, ReadProgress progress)
    : rows_(path, std::move(progress)), columns_(kColumns) {
  constexpr const char* kAdvice = "export the records as CSV, with their authors";
  if (!rows_.next()) fail("{}: is empty; {}", name(), kAdvice);
  fields_ = rows_.fields().size();
  for (std::size_t k = 0; k < fields_; ++k) {
    const std::string column = lower(rows_.fields()[k]);
    for (std::size_t c = 0; c < kNames.size(); ++c) {
      const bool same = column == kNames[c][0] || (column == kNames[c][1] && !column.empty());
      if (same && columns_[c].empty()) columns_[c].push_back(k);
    }
  }
  if (!columns_[kAuthors].empty() || !columns_[kFullNames].empty()) {
    if (columns_[kYear].empty())
      rows_.fail_here(
          "has no column Year, without which no record counts; export the records with their "
          "years");
    return;
  }
  std::vector<std::string> found(rows_.fields().begin(), rows_.fields().end());
  rows_.fail_here(
      fmt::format("has no column Authors, which exports of Scopus have; its columns are "
                  "{}; {}",
                  quoted_list(found), kAdvice));
}

std::string ScopusReader::place() const { return fmt::format("{}: line {}", name(), rows_.line()); }

std::string_view ScopusReader::raw_cell(Column column) const {
  if (columns_[column].empty()) return {};
  return rows_.fields()[columns_[column][0]];
}

template <class Clean>
std::string ScopusReader::cleaned_cell(Column column, const Clean& clean) {
  std::string text(raw_cell(column));
  unsigned mends = 0;
  clean(text, mends);
  tell("texts", mends);
  return text;
}

std::string ScopusReader::cell(Column column) { return cleaned_cell(column, make_plain); }

std::string ScopusReader::list_cell(Column column) { return cleaned_cell(column, clean_text); }

bool ScopusReader::next(Publication& out) {
  do {
    if (!rows_.next()) {
      if (read_ == 0 && odd_ > 0)
        fail(
            "{}: line {}: has {} fields where line 1 has {}, and so has no other line as many; get "
            "the file again",
            name(), rows_.line(), rows_.fields().size(), fields_);
      if (rows_.seems_cut_off()) note(kNoLineEnd);
      return false;
    }
    if (rows_.fields().size() == fields_) break;
    count("rows of another number of fields than the first line");
    ++odd_;
  } while (true);
  ++read_;
  out = {};
  out.id = cell(kEid);
  if (out.id.empty()) out.id = cell(kDoi);
  if (!read_doi(raw_cell(kDoi), out.doi)) count(kNoDoi);
  const bool readable = read_year(cell(kYear), out.year);
  if (!out.year) count(readable ? "records without year" : "years that are none");
  out.title = cell(kTitle);
  out.abstract = cell(kAbstract);
  if (out.abstract == "[No abstract available]") out.abstract.clear();
  for (const Column column : {kAuthorKeywords, kIndexKeywords}) {
    const std::string all = cell(column);
    for (const std::string_view one : list_parts(all, ';')) out.keywords.emplace_back(one);
  }
  keep_first(out.keywords);
  read_authors(out);
  return true;
}

void ScopusReader::read_authors(Publication& out) {
  std::string authors = list_cell(kAuthors), full = list_cell(kFullNames),
              with = list_cell(kWithAffiliations);
  const std::string ids = cell(kIds), all = list_cell(kAffiliations);
  const bool cut = take_list_end(authors), full_cut = take_list_end(full);
  if (cut || full_cut) {
    take_list_end(with);
    count(kCutShort);
  }
  const auto parts = list_parts(with, ';'), known = list_parts(all, ';');
  const KnownAffiliations told_apart(known);
  const auto numbers = list_parts(ids, ';'), full_names = list_parts(full, ';');
  auto names = scopus_names(authors, parts);
  const bool is_full = full_names.size() == names.size() || names.empty();
  if (!is_full && !full_names.empty()) count("records with other full names than authors");
  if (names.empty()) names = full_names;
  const bool has_ids = numbers.size() == names.size();
  if (!has_ids && !numbers.empty()) count("records with other ids than authors");
  const bool apart = parts.size() == names.size();
  if (!apart && !parts.empty() && names.size() > 1)
    count("records whose affiliations are not a part for each author");
  if (parts.empty() && !known.empty() && names.size() > 1)
    count("records whose affiliations cannot be told to belong to an author");
  for (std::size_t k = 0; k < names.size(); ++k) {
    Author author;
    author.position = static_cast<std::int64_t>(k);
    author.name = without_number(is_full ? full_names[k] : names[k]);
    unsigned mends = 0;
    if (is_nobody(author.name) || !clean_name(author.name, mends, &author.with_marks)) {
      count("authors without name");
      continue;
    }
    tell("names", mends);
    if (has_ids) author.id = numbers[k];
    std::vector<std::string> given;
    if (apart) {
      auto behind = behind_name(parts[k], names[k]);
      if (!behind && is_full) behind = behind_name(parts[k], without_number(full_names[k]));
      if (behind) {
        given = told_apart.in(parts[k].substr(*behind));
      } else {
        count("affiliations of another name than the author's");
      }
    } else if (names.size() == 1 && parts.empty()) {
      given.assign(known.begin(), known.end());
    }
    put_affiliations(
        given, [this](const std::string& what) { count(what); }, author.affiliations);
    out.authors.push_back(std::move(author));
  }
  if (out.authors.empty()) count("records without authors");
}

void ScopusReader::tell(const char* what, unsigned mends) {
  if (mends != 0) count_mends(mends, what, [this](const std::string& done) { count(done); });
}

}  // namespace cupel
