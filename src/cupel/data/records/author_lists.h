// Authors of a paper from lists that run beside each other: names, ids, affiliations.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/records/publication.h"

namespace cupel {

struct AuthorLists {
  std::vector<std::string> names;  // as printed, in the order of the paper
  std::vector<std::string> ids;    // empty, or all parts empty: not known
  // Those of each author; empty, or none of anybody: not known.
  std::vector<std::vector<std::string>> affiliations;
};

// All parts between the separators, empty ones too, without blanks at their ends; but an empty text
// has none, and one empty part at the end is no part ("A; B;") if `open_end`.
[[nodiscard]] std::vector<std::string> parts_between(std::string_view text, char separator,
                                                     bool open_end);

// Counts something by its words.
using CountWords = std::function<void(const std::string&)>;

// Names that stood between commas: what is none (Jr., III) goes to the name before it, with a
// comma.
[[nodiscard]] std::vector<std::string> with_suffixes(std::vector<std::string> parts);

// The parts of a text between any of the characters of `within`, without those that are empty.
[[nodiscard]] std::vector<std::string> parts_within(std::string_view text, std::string_view within);

// What readers count for affiliations that clean_affiliation() leaves nothing of.
inline constexpr const char* kNoAffiliation = "affiliations without a letter, left out";

// Affiliations of one author, cleaned (names.h), each once; those without a letter are left out and
// counted. Takes the texts out of `given`.
void put_affiliations(std::vector<std::string>& given, const CountWords& count,
                      std::vector<std::string>& out);

// The authors, in place of what `out` held. Names are cleaned (names.h); those without a letter are
// left out and counted; "et al." is nobody (list_ends.h). An "and" before a name that is not the
// first is taken off and counted. Ids, or affiliations, that are not as many as the names are not
// known, and counted: nothing tells who has which.
void put_authors(AuthorLists lists, const CountWords& count, std::vector<Author>& out);

// Title, abstract and keywords: without markup, entities and unseen characters.
void clean_texts(Publication& out, const CountWords& count);

}  // namespace cupel
