#include "cupel/data/records/records_table.h"

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/file_bytes.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"
#include "cupel/data/records/record_years.h"
#include "cupel/data/records/records_rows.h"

namespace cupel {
namespace {

// '{' or '[' of JSON, or anything else; '\0' of an empty file.
char first_character(const std::filesystem::path& path) {
  constexpr std::string_view kBlanks = " \t\r\n";
  FileBytes bytes(path, Threads{1});
  for (std::string_view block; bytes.next(block);) {
    for (const char c : block) {
      if (kByteOrderMark.find(c) == std::string_view::npos && kBlanks.find(c) == kBlanks.npos)
        return c;
    }
  }
  return '\0';
}

}  // namespace

RecordsReader::RecordsReader(const std::filesystem::path& path, RecordsColumns columns,
                             ReadProgress progress)
    : columns_(std::move(columns)) {
  if (columns_.within.find(columns_.separator) != std::string::npos)
    fail("'{}' cannot stand both between authors and between the affiliations of one; set another",
         columns_.separator);
  const RecordsNames names(columns_);
  ids_are_dois_ = names.ids_are_dois();
  const char first = first_character(path);
  if (first == '\0')
    fail("{}: is empty; give a table with names of columns, or JSON Lines", path.string());
  rows_ = first == '{' || first == '[' ? read_records_json(path, names, std::move(progress))
                                       : read_records_csv(path, names, std::move(progress));
}

RecordsReader::~RecordsReader() = default;

std::string RecordsReader::place() const { return rows_->place(); }
const std::string& RecordsReader::name() const { return rows_->name(); }
std::uint64_t RecordsReader::file_bytes() const { return rows_->file_bytes(); }
const std::string& RecordsReader::sha256() const { return rows_->sha256(); }

std::optional<int> RecordsReader::year_of_row() {
  const std::string& text = rows_->values[Rows::kYear].text;
  std::optional<int> year;
  if (!read_year(text, year))
    rows_->fail_here(
        fmt::format("the year is {}; write it like 2019 or 2019-05-03, or leave it "
                    "empty",
                    in_quotes(text)));
  return year;
}

std::vector<std::string> RecordsReader::list(int column, bool open_end) {
  RecordsValue& value = rows_->values[static_cast<std::size_t>(column)];
  if (value.list) return std::move(*value.list);
  unsigned mends = 0;
  undo_entities(value.text, mends);  // whose semicolons part nothing
  count_mends(mends, "lists", [this](const std::string& what) { count(what); });
  return parts_between(value.text, columns_.separator, open_end);
}

std::vector<std::vector<std::string>> RecordsReader::affiliations(bool open_end) {
  auto& given = rows_->values[Rows::kAffiliations].by_author;
  if (given) return std::move(*given);
  std::vector<std::vector<std::string>> out;
  for (const std::string& of_author : list(Rows::kAffiliations, open_end)) {
    out.push_back(parts_within(of_author, columns_.within));
    if (out.back().size() > 1)
      count(fmt::format("affiliations of one author that are taken apart at one of '{}'",
                        columns_.within));
  }
  return out;
}

void RecordsReader::take_authors(Publication& out) {
  const RecordsValue& authors = rows_->values[Rows::kAuthors];
  const bool ends = !authors.list && trimmed_text(authors.text).ends_with(columns_.separator);
  AuthorLists lists;
  lists.names = list(Rows::kAuthors, true);
  if (!authors.list && columns_.separator == ',')
    lists.names = with_suffixes(std::move(lists.names));
  const std::string only = !authors.list && lists.names.size() == 1 ? lists.names[0] : "";
  if (columns_.separator != ',' && only.find(',') != std::string::npos)
    count(fmt::format("lists of authors without '{}' but with commas, read as one name",
                      columns_.separator));
  if (only.find_first_of("|/\n") != std::string::npos)
    count(fmt::format(
        "lists of authors without '{}' but with '|', '/' or line ends, read as one name",
        columns_.separator));
  lists.ids = list(Rows::kAuthorIds, ends);
  lists.affiliations = affiliations(ends);
  put_authors(
      std::move(lists), [this](const std::string& what) { count(what); }, out.authors);
  if (out.authors.empty()) count("papers without authors");
}

bool RecordsReader::next(Publication& out) {
  if (!rows_->next()) {
    if (rows_->seems_cut_off) note(kNoLineEnd);
    return false;
  }
  for (const int column :
       {Rows::kId, Rows::kAuthors, Rows::kAuthorIds, Rows::kAffiliations, Rows::kKeywords}) {
    std::string& text = rows_->values[static_cast<std::size_t>(column)].text;
    if (text.empty() || !says_none(text)) continue;
    text.clear();
    count("fields that say there is none, as 'NA', taken as empty");
  }
  out.id = rows_->values[Rows::kId].text;
  if (!read_doi(rows_->values[ids_are_dois_ ? Rows::kId : Rows::kDoi].text, out.doi)) count(kNoDoi);
  out.year = year_of_row();
  out.title = rows_->values[Rows::kTitle].text;
  out.abstract = rows_->values[Rows::kAbstract].text;
  out.keywords = list(Rows::kKeywords, true);
  take_authors(out);
  clean_texts(out, [this](const std::string& what) { count(what); });
  return true;
}

}  // namespace cupel
