#include "cupel/data/records/web_of_science.h"

#include <algorithm>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/list_ends.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"
#include "cupel/data/records/record_years.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

constexpr std::size_t kLargestRecord = std::size_t{16} << 20;
constexpr const char* kTags[] = {"AB", "AF", "AU", "C1", "DE", "DI", "EA",
                                 "EY", "ID", "OI", "PY", "RI", "TI", "UT"};

bool is_tag_character(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// "PT J", "ER", "AU Smith, J"
bool is_field(std::string_view line) {
  return line.size() >= 2 && is_tag_character(line[0]) && is_tag_character(line[1]) &&
         (line.size() == 2 || line[2] == ' ');
}

bool is_more(std::string_view line) { return line.starts_with("   "); }

constexpr std::string_view kAnonymous = "[Anonymous]";

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = row.find('\t');
    out.push_back(trimmed_text(row.substr(0, end)));
    if (end == std::string_view::npos) return out;
    row.remove_prefix(end + 1);
  }
}

// Addresses in a cell, which have semicolons between them, as the names in their brackets do.
std::vector<std::string_view> addresses_in(std::string_view cell) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  bool in_brackets = false;
  for (std::size_t k = 0; k <= cell.size(); ++k) {
    const char c = k < cell.size() ? cell[k] : ';';
    if (c == '[' || c == ']') in_brackets = c == '[';
    if (k < cell.size() && (c != ';' || in_brackets)) continue;
    const std::string_view one = trimmed_text(cell.substr(begin, k - begin));
    if (!one.empty()) out.push_back(one);
    begin = k + 1;
  }
  return out;
}

bool is_list(std::string_view tag) { return tag == "AF" || tag == "AU" || tag == "C1"; }

// The lines that tagged text has of a field.
std::vector<std::string_view> lines_in(std::string_view tag, std::string_view cell) {
  if (!is_list(tag)) return {cell};
  return tag == "C1" ? addresses_in(cell) : list_parts(cell, ';');
}

// Takes the quotes away that spreadsheets put around a cell, doubling those in it; false where
// there are none.
bool take_quotes(std::string& cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return false;
  std::string out;
  for (std::size_t at = 1; at + 1 < cell.size(); ++at) {
    if (cell[at] == '"' && (cell[++at] != '"' || at + 1 == cell.size())) return false;
    out += cell[at];
  }
  cell = std::move(out);
  return true;
}

std::string cleaned_name(std::string_view name) {
  std::string out(name);
  unsigned mends = 0;
  return clean_name(out, mends) ? out : std::string();
}

std::string lower_name(std::string_view name) {
  std::string out;
  append_lower(cleaned_name(name), out);
  return out;
}

// "lee, a" of "lee, ann b."; empty where there is no first name behind a comma.
std::string_view with_initial(std::string_view lower) {
  const std::size_t comma = lower.find(", ");
  if (comma == std::string_view::npos || comma + 2 >= lower.size()) return {};
  return lower.substr(0, comma + 2 + character_at(lower, comma + 2).size);
}

// The authors of a paper by name, in any case. People give their ids with a name of their own
// choice, of which the paper may print the initial alone.
class NamedAuthors {
 public:
  void add(std::string_view name, std::size_t author) {
    const std::string lower = lower_name(name);
    put(by_name_[lower], author);
    if (const auto initial = with_initial(lower); !initial.empty())
      put(by_initial_[std::string(initial)], author);
  }
  // `lower`: lower_name() of it.
  const std::vector<std::size_t>& find(const std::string& lower) const {
    static const std::vector<std::size_t> none;
    if (const auto at = by_name_.find(lower); at != by_name_.end()) return at->second;
    const auto at = by_initial_.find(with_initial(lower));
    return at == by_initial_.end() ? none : at->second;
  }

 private:
  using Authors = std::map<std::string, std::vector<std::size_t>, std::less<>>;
  static void put(std::vector<std::size_t>& all, std::size_t author) {
    if (std::ranges::find(all, author) == all.end()) all.push_back(author);
  }
  Authors by_name_, by_initial_;
};

}  // namespace

WebOfScienceReader::WebOfScienceReader(const std::filesystem::path& path, ReadProgress progress)
    : lines_(path, std::move(progress)) {}

std::string WebOfScienceReader::place() const {
  return fmt::format("{}: line {}", name(), first_line_);
}

bool WebOfScienceReader::read_line() {
  if (held_) {
    held_ = false;
    return true;
  }
  if (!lines_.next(line_)) return false;
  line_ = without_byte_order_mark(line_);
  if (!any_ && !trimmed_text(line_).empty()) check_begin();
  if (!is_utf8(line_)) lines_.fail_here("is not UTF-8; save the file as UTF-8");
  return true;
}

void WebOfScienceReader::check_begin() const {
  if (line_.substr(0, 4).find('\0') != std::string_view::npos)
    lines_.fail_here("is UTF-16; save the file as UTF-8");
  if (trimmed_text(line_).find('\r') != std::string_view::npos) lines_.fail_here(kCarriageReturns);
  for (const char* begin : {"FN ", "PT ", "VR ", "PT\t"}) {
    if (line_.starts_with(begin)) return;
  }
  if (line_.starts_with("\xff\xfe") || line_.starts_with("\xfe\xff"))
    lines_.fail_here("is UTF-16; save the file as UTF-8");
  lines_.fail_here(
      fmt::format("begins with {} where exports of Web of Science begin with FN or PT; export the "
                  "records as 'Plain text file' or 'Tab delimited file'",
                  in_quotes(line_)));
}

void WebOfScienceReader::begin_record() {
  for (const char* tag : kTags) fields_[tag] = {};
  within_ = true, broken_ = false, open_ = nullptr;
  bytes_ = 0, first_line_ = lines_.line_number();
}

void WebOfScienceReader::begin_field(std::string_view tag, std::string_view rest) {
  open_ = nullptr;
  const auto found = fields_.find(tag);
  if (found == fields_.end()) return;
  if (found->second.given) broken_ = true;
  found->second.given = true;
  open_ = &found->second.lines;
  open_->emplace_back(trimmed_text(rest));
}

// The fields of the next record that can be read; false at the end of the file.
bool WebOfScienceReader::read_record() {
  return !columns_.empty() || begins_table() ? read_row() : read_tagged();
}

bool WebOfScienceReader::begins_table() {
  while (!any_ && !held_ && read_line()) {
    if (trimmed_text(line_).empty()) continue;
    if (line_.starts_with("PT\t")) {
      any_ = true;
      read_columns();
      return true;
    }
    held_ = true;
  }
  return false;
}

void WebOfScienceReader::read_columns() {
  begin_record();
  std::vector<std::string_view> tags = cells_of(line_);
  if (tags.back().empty()) tags.pop_back();  // a tab may end the line, and each row
  for (const std::string_view tag : tags) {
    const auto found = fields_.find(tag);
    columns_.push_back(found == fields_.end() ? nullptr : &*found);
    if (columns_.back() != nullptr && std::ranges::count(columns_, columns_.back()) > 1)
      lines_.fail_here(fmt::format("two columns are called {}; rename one of them", tag));
  }
  const auto has = [this](const char* tag) {
    return std::ranges::count(columns_, &*fields_.find(std::string_view(tag))) == 1;
  };
  if (!has("AF") && !has("AU"))
    lines_.fail_here(
        "has no column AF or AU, which hold the authors; export the records with their authors");
  within_ = false;
}

bool WebOfScienceReader::read_row() {
  while (read_line()) {
    if (trimmed_text(line_).empty()) continue;
    std::vector<std::string_view> cells = cells_of(line_);
    if (cells.size() == columns_.size() + 1 && cells.back().empty()) cells.pop_back();
    if (cells.size() != columns_.size()) {
      count("rows of another number of fields than the first line");
      continue;
    }
    begin_record();
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (columns_[k] == nullptr || cells[k].empty()) continue;
      auto& [tag, field] = *columns_[k];
      std::string cell(cells[k]);
      if (take_quotes(cell)) count("fields in quotation marks, taken out of them");
      unsigned mends = 0;
      if (is_list(tag)) undo_entities(cell, mends);  // whose semicolons part nothing
      tell("lists", mends);
      const auto lines = lines_in(tag, cell);
      field.lines.assign(lines.begin(), lines.end());
    }
    return true;
  }
  if (lines_.ends_within_line()) note(kNoLineEnd);
  return false;
}

bool WebOfScienceReader::read_tagged() {
  while (read_line()) {
    if (trimmed_text(line_).empty()) continue;
    any_ = true;
    bytes_ += line_.size();
    if (within_ && bytes_ > kLargestRecord)
      lines_.fail_here(fmt::format("a record has over {} MiB; it began in line {}, end it by ER",
                                   kLargestRecord >> 20, first_line_));
    if (is_more(line_)) {
      if (!within_) count("lines outside of records");
      if (open_ != nullptr) open_->emplace_back(trimmed_text(line_));
      continue;
    }
    if (!is_field(line_)) {
      count(within_ ? "lines without tag" : "lines outside of records");
      open_ = nullptr;
      continue;
    }
    const std::string_view tag = line_.substr(0, 2);
    const bool outside = tag == "PT" || tag == "EF" || tag == "FN";
    if (within_ && outside) {
      count("records without ER");
      within_ = false;
    }
    ended_ = tag == "EF" || (ended_ && tag != "PT");
    if (tag == "EF" || tag == "FN" || tag == "VR") {
      open_ = nullptr;
    } else if (tag == "ER") {
      open_ = nullptr;
      if (!within_) {
        count("lines outside of records");
        continue;
      }
      within_ = false;
      if (!broken_) return true;
      count("records with a field twice");
    } else if (tag == "PT") {
      begin_record();
    } else if (within_) {
      begin_field(tag, line_.substr(std::min<std::size_t>(3, line_.size())));
    } else {
      count("lines outside of records");
      open_ = nullptr;
    }
  }
  if (within_)
    fail("{}: line {}: the file ends within the record that begins here; get it again", name(),
         first_line_);
  if (!any_) fail("{}: has no line; export the records again", name());
  if (!ended_) {
    count("files without EF at their end");
    ended_ = true;
  }
  return false;
}

const std::vector<std::string>& WebOfScienceReader::lines_of(const char* tag) const {
  return fields_.find(std::string_view(tag))->second.lines;
}

void WebOfScienceReader::tell(const char* what, unsigned mends) {
  if (mends != 0) count_mends(mends, what, [this](const std::string& done) { count(done); });
}

std::string WebOfScienceReader::joined(const char* tag) const {
  return fmt::format("{}", fmt::join(lines_of(tag), " "));
}

std::string WebOfScienceReader::text_of(const char* tag) {
  std::string text = joined(tag);
  unsigned mends = 0;
  make_plain(text, mends);
  tell("texts", mends);
  return text;
}

void WebOfScienceReader::read_keywords(const char* tag, std::vector<std::string>& out) {
  const std::string all = text_of(tag);
  for (const std::string_view one : list_parts(all, ';')) out.emplace_back(one);
}

// A paper that is in no issue yet has no PY, but the year in which it appeared ahead of it.
std::optional<int> WebOfScienceReader::year_of_record() {
  std::string text = text_of("PY");
  const bool early = text.empty();
  if (early) text = text_of("EY");
  if (text.empty()) {
    text = text_of("EA");
    text.erase(0, text.rfind(' ') + 1);
  }
  std::optional<int> year;
  if (!read_year(text, year)) {
    count("years that are none");
  } else if (!year) {
    count("records without year");
  } else if (early) {
    count("years of early access, as there is no other");
  }
  return year;
}

bool WebOfScienceReader::next(Publication& out) {
  if (!read_record()) return false;
  out = {};
  out.id = text_of("UT");
  if (out.id.empty()) out.id = text_of("DI");
  if (!read_doi(joined("DI"), out.doi)) count(kNoDoi);
  out.year = year_of_record();
  out.title = text_of("TI");
  out.abstract = text_of("AB");
  read_keywords("DE", out.keywords);
  read_keywords("ID", out.keywords);
  keep_first(out.keywords);
  read_authors(out);
  return true;
}

// "et al." is the last line of the names, or the last of a line.
void WebOfScienceReader::take_list_ends() {
  bool cut = false;
  for (const char* tag : {"AF", "AU"}) {
    std::vector<std::string>& names = fields_[tag].lines;
    if (names.empty() || !take_list_end(names.back())) continue;
    cut = true;
    if (names.back().empty()) names.pop_back();
  }
  if (cut) count(kCutShort);
}

void WebOfScienceReader::read_authors(Publication& out) {
  take_list_ends();
  const std::vector<std::string>&full = lines_of("AF"), &brief = lines_of("AU");
  if (!full.empty() && !brief.empty() && full.size() != brief.size())
    count("records with other full names than authors");
  const std::vector<std::string>& given = full.size() >= brief.size() ? full : brief;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const std::string& line = given[k];
    Author author;
    author.name = line;
    author.position = static_cast<std::int64_t>(k);
    unsigned mends = 0;
    if (line == kAnonymous || !clean_name(author.name, mends, &author.with_marks)) {
      count("authors without name");
      continue;
    }
    tell("names", mends);
    out.authors.push_back(std::move(author));
  }
  if (out.authors.empty()) count("records without authors");
  read_addresses(out);
  read_ids(out);
}

void WebOfScienceReader::read_ids(Publication& out) {
  if (lines_of("OI").empty() && lines_of("RI").empty()) return;
  NamedAuthors authors;
  for (std::size_t k = 0; k < out.authors.size(); ++k) authors.add(out.authors[k].name, k);
  if (const auto& brief = lines_of("AU"); brief.size() == out.authors.size())
    for (std::size_t k = 0; k < brief.size(); ++k) authors.add(brief[k], k);
  for (const char* tag : {"OI", "RI"}) {
    std::vector<std::string> ids(out.authors.size());
    const std::string all = text_of(tag);
    for (const std::string_view one : list_parts(all, ';')) {
      const std::size_t slash = one.find('/');
      const std::string name = lower_name(one.substr(0, slash));
      const std::string_view id = trimmed_text(one.substr(one.rfind('/') + 1));
      if (slash == std::string_view::npos || name.empty() || id.empty()) {
        count("ids of authors that stand behind no name");
        continue;
      }
      const std::vector<std::size_t>& found = authors.find(name);
      if (found.size() != 1) {
        count("ids of authors whose name is not one author's");
      } else if (std::string& known = ids[found[0]]; known.empty()) {
        known = id;
      } else if (known != id) {
        count("ids of authors who have another one of that kind");
      }
    }
    for (std::size_t k = 0; k < ids.size(); ++k)
      if (out.authors[k].id.empty()) out.authors[k].id = std::move(ids[k]);
  }
}

void WebOfScienceReader::read_addresses(Publication& out) {
  // Names in brackets are those of AF, and those of AU where there is no AF.
  std::map<std::string, std::vector<std::size_t>, std::less<>> places;
  const auto place = [&](const std::vector<std::string>& names) {
    if (names.size() != out.authors.size()) return;
    for (std::size_t k = 0; k < names.size(); ++k) {
      std::vector<std::size_t>& known = places[cleaned_name(names[k])];
      if (known.empty() || known.back() != k) known.push_back(k);
    }
  };
  for (std::size_t k = 0; k < out.authors.size(); ++k) places[out.authors[k].name].push_back(k);
  place(lines_of("AU"));
  const std::vector<std::string>& lines = lines_of("C1");
  const bool stops = columns_.empty() && std::ranges::any_of(lines, [](const auto& line) {
                       return line.ends_with('.');
                     });
  for (const std::string& line : lines) {
    // In tagged text, fields whose own tag was lost go on here: references do not end so.
    if (stops && !line.ends_with('.')) {
      count("lines among addresses that are none");
      continue;
    }
    std::string address = line;
    if (address.ends_with('.')) address.pop_back();
    unsigned mends = 0;
    const bool named = clean_affiliation(address, mends);
    tell("affiliations", mends);
    if (!named) {
      if (!address.empty()) count(kNoAffiliation);
      continue;
    }
    const std::size_t close = address.starts_with('[') ? address.find(']') : std::string::npos;
    if (close == std::string::npos) {
      if (out.authors.size() != 1) {
        count("addresses without names of authors");
      } else {
        out.authors[0].affiliations.push_back(std::move(address));
      }
      continue;
    }
    const std::string_view whole = address;
    const std::string where(trimmed_text(whole.substr(close + 1)));
    if (!has_letter(where)) {
      if (!where.empty()) count(kNoAffiliation);
      continue;
    }
    for (const std::string_view who : list_parts(whole.substr(1, close - 1), ';')) {
      const auto found = places.find(cleaned_name(who));
      const auto one_name = [&](const std::vector<std::size_t>& of) {
        return std::ranges::all_of(
            of, [&](std::size_t k) { return out.authors[k].name == out.authors[of[0]].name; });
      };
      // Who stands on the paper twice is at the address twice.
      if (found == places.end() || !one_name(found->second)) {
        count("names at addresses that are not one author's");
        continue;
      }
      for (const std::size_t k : found->second) out.authors[k].affiliations.push_back(where);
    }
  }
  for (Author& author : out.authors) keep_first(author.affiliations);
}

}  // namespace cupel
