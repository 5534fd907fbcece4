#include "cupel/data/records/paperlists.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

constexpr std::array<std::string_view, 4> kOut = {"reject", "withdraw", "workshop", "journal"};
constexpr std::array<std::string_view, 5> kIn = {"poster", "oral", "spotlight", "talk", "top-"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return out;
}

bool has_any(std::string_view text, const auto& words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// The paper is under review. An "interactive poster" was accepted.
bool is_active(std::string_view low) {
  constexpr std::string_view kActive = "active";
  for (std::size_t at = low.find(kActive); at != low.npos; at = low.find(kActive, at + 1))
    if (at == 0 || low[at - 1] < 'a' || low[at - 1] > 'z') return true;
  return false;
}

// Words of a status, for a count; long ones are all alike.
std::string status_shown(const std::string& status) {
  return status.size() <= 40 ? in_quotes(status) : "of over 40 bytes";
}

std::optional<int> year_in_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::optional<int> out;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && is_digit(name[end])) ++end;
    const std::string_view digits = std::string_view(name).substr(at, end - at);
    if (digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
      out = year_of(digits);
    at = std::max(end, at + 1);
  }
  return out;
}

}  // namespace

PaperlistsReader::PaperlistsReader(const std::filesystem::path& path, ReadProgress progress)
    : objects_(path, std::move(progress)), year_(year_in_name(path)) {}

std::string PaperlistsReader::text(const nlohmann::json& paper, const char* key) const {
  return json_field(paper, key, objects_);
}

// A list in a text. The semicolons of character references part nothing.
std::string PaperlistsReader::list(const nlohmann::json& paper, const char* key) {
  std::string out = text(paper, key);
  unsigned mends = 0;
  undo_entities(out, mends);
  count_mends(mends, "lists of " + std::string(key), [this](const std::string& w) { count(w); });
  return out;
}

bool PaperlistsReader::counts_as_paper(const nlohmann::json& paper) {
  const std::string status(trimmed_text(text(paper, "status"))), low = lower(status);
  if (has_any(low, kOut) || is_active(low)) {
    count("papers with status " + status_shown(status) + ", left out");
    return false;
  }
  if (!status.empty() && !has_any(low, kIn))
    count("papers with status " + status_shown(status) + ", which is not known, taken as accepted");
  return true;
}

std::optional<int> PaperlistsReader::year_of_paper(const nlohmann::json& paper) const {
  const std::string field(trimmed_text(text(paper, "year")));
  if (field.empty()) return year_;
  const std::optional<int> year = cupel::year_of(field);
  if (!year)
    objects_.fail_here(
        fmt::format("'year' holds {}, which is no year; write it like 2021", in_quotes(field)));
  return year;
}

void PaperlistsReader::take_authors(const nlohmann::json& paper, Publication& out) {
  const auto told = [this](const std::string& what) { count(what); };
  const char* key = paper.contains("author") ? "author" : "authors";
  AuthorLists lists;
  bool ends = false;  // with a semicolon behind the last name
  if (const auto found = paper.find(key); found != paper.end() && found->is_array()) {
    for (const nlohmann::json& one : *found) {
      if (!one.is_string())
        objects_.fail_here(fmt::format("{} holds {} where a name is needed; write a text",
                                       in_quotes(key), shown_json(one)));
      lists.names.push_back(one.get<std::string>());
    }
  } else {
    const std::string names = list(paper, key);
    const bool semicolons = names.find(';') != std::string::npos;
    ends = semicolons && trimmed_text(names).ends_with(';');
    lists.names = semicolons ? parts_between(names, ';', true)
                             : with_suffixes(parts_between(names, ',', true));
  }
  lists.ids = parts_between(list(paper, "authorids"), ';', ends);
  for (const std::string& of_author : parts_between(list(paper, "aff"), ';', ends))
    lists.affiliations.push_back(parts_within(of_author, "+"));
  put_authors(std::move(lists), told, out.authors);
  if (out.authors.empty()) count("papers without authors");
}

bool PaperlistsReader::next(Publication& out) {
  for (nlohmann::json paper; objects_.next(paper);) {
    any_ = true;
    if (!paper.contains("title") && !paper.contains("author") && !paper.contains("authors"))
      objects_.fail_here(
          "an object has neither 'title' nor 'author'; give a list of papers as Paperlists has it");
    if (!counts_as_paper(paper)) continue;
    out.id = text(paper, "id");
    out.year = year_of_paper(paper);
    out.title = text(paper, "title");
    out.abstract = text(paper, "abstract");
    out.keywords = parts_between(list(paper, "keywords"), ';', true);
    take_authors(paper, out);
    clean_texts(out, [this](const std::string& what) { count(what); });
    return true;
  }
  if (!any_) fail("{}: holds no paper; get the file again", name());
  return false;
}

}  // namespace cupel
