#include "cupel/data/records/author_lists.h"

#include <algorithm>

#include "cupel/data/records/list_ends.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

// Makes a list empty that says nothing, or not about whom.
template <class Part>
void keep_known(std::vector<Part>& parts, std::size_t names, const char* problem,
                const CountWords& count) {
  if (std::ranges::all_of(parts, [](const Part& part) { return part.empty(); })) {
    parts.clear();
  } else if (parts.size() != names) {
    count(problem);
    parts.clear();
  }
}

// "et al." may have nothing beside it.
void pad_at_list_end(AuthorLists& lists) {
  const std::size_t names = lists.names.size();
  std::string last = names == 0 ? std::string() : lists.names.back();
  if (!take_list_end(last) || !last.empty()) return;
  if (lists.ids.size() + 1 == names) lists.ids.emplace_back();
  if (lists.affiliations.size() + 1 == names) lists.affiliations.emplace_back();
}

// What stands behind a name and a comma, and is none: "Jr.", "III".
bool is_suffix(std::string_view part) {
  if (part.ends_with('.')) part.remove_suffix(1);
  std::string word(part);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return word == "jr" || word == "sr" || word == "ii" || word == "iii" || word == "iv" ||
         word == "2nd" || word == "3rd";
}

// Of "and Cy Poe" in "Ann Lee; and Cy Poe".
void drop_joint(Author& author, const CountWords& count) {
  for (const std::string_view joint : {"and ", "& "}) {
    if (!author.name.starts_with(joint)) continue;
    author.name.erase(0, joint.size());
    if (author.with_marks.starts_with(joint)) author.with_marks.erase(0, joint.size());
    count("names behind 'and' or '&', which is taken off");
  }
}

}  // namespace

std::vector<std::string> parts_between(std::string_view text, char separator, bool open_end) {
  std::vector<std::string> out;
  if (trimmed_text(text).empty()) return out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.emplace_back(trimmed_text(text.substr(at, end - at)));
    at = end + 1;
  }
  if (open_end && out.back().empty()) out.pop_back();
  return out;
}

std::vector<std::string> with_suffixes(std::vector<std::string> parts) {
  std::vector<std::string> out;
  for (std::string& part : parts) {
    if (is_suffix(part) && !out.empty())
      out.back() += ", " + part;
    else
      out.push_back(std::move(part));
  }
  return out;
}

std::vector<std::string> parts_within(std::string_view text, std::string_view within) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(within, at), text.size());
    if (const std::string_view one = trimmed_text(text.substr(at, end - at)); !one.empty())
      out.emplace_back(one);
    at = end + 1;
  }
  return out;
}

void put_affiliations(std::vector<std::string>& given, const CountWords& count,
                      std::vector<std::string>& out) {
  for (std::string& one : given) {
    unsigned mends = 0;
    const bool named = clean_affiliation(one, mends);
    count_mends(mends, "affiliations", count);
    if (named) {
      out.push_back(std::move(one));
    } else if (!one.empty()) {
      count(kNoAffiliation);
    }
  }
  keep_first(out);
}

void put_authors(AuthorLists lists, const CountWords& count, std::vector<Author>& out) {
  out.clear();
  const std::size_t names = lists.names.size();
  pad_at_list_end(lists);
  keep_known(lists.ids, names, "papers with more or fewer ids than authors: ids not known", count);
  keep_known(lists.affiliations, names,
             "papers with more or fewer affiliations than authors: affiliations not known", count);
  bool cut = false;
  for (std::size_t k = 0; k < names; ++k) {
    Author author;
    author.name = std::move(lists.names[k]);
    author.position = static_cast<std::int64_t>(k);
    unsigned mends = 0;
    const bool empty = author.name.empty(),
               named = clean_name(author.name, mends, &author.with_marks);
    if (!named) {
      count(empty ? "empty names of authors, left out"
                  : "names of authors without a letter, left out");
      continue;
    }
    if (!is_somebody(author, cut)) continue;
    if (k > 0) drop_joint(author, count);
    count_mends(mends, "names of authors", count);
    if (!lists.ids.empty()) author.id = std::move(lists.ids[k]);
    if (!lists.affiliations.empty())
      put_affiliations(lists.affiliations[k], count, author.affiliations);
    out.push_back(std::move(author));
  }
  if (cut) count(kCutShort);
}

void clean_texts(Publication& out, const CountWords& count) {
  unsigned mends = 0;
  make_plain(out.title, mends);
  make_plain(out.abstract, mends);
  for (std::string& keyword : out.keywords) make_plain(keyword, mends);
  std::erase(out.keywords, "");
  keep_first(out.keywords);
  count_mends(mends, "papers with titles, abstracts or keywords", count);
}

}  // namespace cupel
