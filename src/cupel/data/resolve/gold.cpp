#include "cupel/data/resolve/gold.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/acl_anthology.h"
#include "cupel/data/resolve/name_variants.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

std::uint64_t place_key(Index paper, std::int64_t position) {
  return static_cast<std::uint64_t>(paper) << 32 | static_cast<std::uint32_t>(position);
}

// A type of entities by its name; nothing if the facts have none.
std::optional<std::uint8_t> type_called(const TemporalFacts& facts, std::string_view name) {
  const auto found = std::find(facts.types.begin(), facts.types.end(), name);
  if (found == facts.types.end()) return {};
  return static_cast<std::uint8_t>(found - facts.types.begin());
}

using Place = std::optional<std::size_t>;

Place column_of(const CsvReader& csv, std::string_view name) {
  const auto found = std::find(csv.header().begin(), csv.header().end(), name);
  if (found == csv.header().end()) return {};
  return static_cast<std::size_t>(found - csv.header().begin());
}

std::string_view filled(const CsvReader& csv, std::size_t column) {
  const std::string_view out = csv.fields()[column];
  if (out.empty())
    csv.fail_here(fmt::format("has nothing in column {}", in_quotes(csv.header()[column])));
  return out;
}

void read_places(CsvReader& csv, std::size_t paper, std::size_t position, std::size_t person,
                 Gold& gold) {
  gold.unlisted_are_persons = false;
  while (csv.next()) {
    std::int64_t number = 0;
    if (!whole_number(csv.fields()[position], number) || number < 0 || number > kMostFacts)
      csv.fail_here(fmt::format("{} is no position; authors of a paper are counted from 0",
                                in_quotes(csv.fields()[position])));
    if (!gold.add_place(one_line_name(filled(csv, paper)), number, filled(csv, person)))
      csv.fail_here(fmt::format("another line gives author {} of paper {} to another person",
                                number, in_quotes(csv.fields()[paper])));
    ++gold.counts["gold: authorships listed"];
  }
}

void read_names(CsvReader& csv, std::size_t name, std::size_t person, Gold& gold) {
  while (csv.next()) {
    if (!gold.add_name(filled(csv, name), filled(csv, person)))
      ++gold.counts["gold: names of several, persons of their own"];
    ++gold.counts["gold: names listed"];
  }
}

// Lines chain: with (a, b) and (b, c) all three are one's.
void read_aliases(CsvReader& csv, std::size_t alias, std::size_t name, Gold& gold) {
  TextIds names;  // as they are compared
  std::vector<Index> parents;
  const auto number = [&](std::string_view text) {
    const Index out = names.id(compared_name(one_line_name(text)));
    if (out == std::ssize(parents)) parents.push_back(out);
    return out;
  };
  const auto parent = [&](Index at) -> Index& { return parents[static_cast<std::size_t>(at)]; };
  const auto root = [&](Index at) {
    while (parent(at) != at) at = parent(at) = parent(parent(at));
    return at;
  };
  while (csv.next()) {
    const Index one = root(number(filled(csv, alias))), other = root(number(filled(csv, name)));
    parent(one) = other;
    ++gold.counts["gold: names listed"];
  }
  for (Index k = 0; k < names.size(); ++k)
    (void)gold.add_name(names.texts()[k], names.texts()[root(k)]);
}

Gold read_table(const fs::path& path) {
  CsvReader csv(path);
  const Place paper = column_of(csv, "paper"), position = column_of(csv, "position"),
              person = column_of(csv, "person"), name = column_of(csv, "name");
  if (paper && position && person) {
    Gold out;
    read_places(csv, *paper, *position, *person, out);
    return out;
  }
  if (name && person) {
    Gold out;
    read_names(csv, *name, *person, out);
    return out;
  }
  if (const Place alias = column_of(csv, "alias"); alias && name) {
    Gold out;
    read_aliases(csv, *alias, *name, out);
    return out;
  }
  const Place of = column_of(csv, "org_name"), canonical = column_of(csv, "canonical_org_name");
  if (of && canonical) {
    Gold out(Gold::Of::kInstitutions);
    read_aliases(csv, *of, *canonical, out);
    return out;
  }
  csv.fail_here(
      fmt::format("the columns {} are no gold; there are paper,position,person and name,person and "
                  "alias,name and org_name,canonical_org_name, and name_variants.yaml",
                  quoted_list(csv.header())));
}

Gold read_variants(const fs::path& path) {
  Gold out;
  std::int64_t number = 0;
  read_name_variants(path, [&](const NamedPerson& person, const std::string&) {
    const std::string key =
        person.id.empty() ? fmt::format("entry {}", ++number) : "id " + person.id;
    for (const std::string& name : person.names) {
      ++out.counts["gold: names listed"];
      if (!out.add_name(name, key)) ++out.counts["gold: names of several, persons of their own"];
    }
    ++out.counts["gold: persons listed"];
  });
  return out;
}

}  // namespace

bool Gold::add_name(std::string_view name, std::string_view person) {
  const Index whose = persons_.id(person);
  const Index had = names_.size(), at = names_.id(compared_name(one_line_name(name)));
  if (at == had) {
    person_of_name_.push_back(whose);
    return true;
  }
  Index& known = person_of_name_[static_cast<std::size_t>(at)];
  if (known == whose) return true;
  known = kSeveral;
  return false;
}

bool Gold::add_place(std::string_view paper, std::int64_t position, std::string_view person) {
  const Index whose = persons_.id(person);
  return person_of_place_.emplace(place_key(papers_.id(paper), position), whose).first->second ==
         whose;
}

Index Gold::person_of_place(Index paper, Index position) const {
  if (paper < 0) return -1;
  const auto found = person_of_place_.find(place_key(paper, position));
  return found == person_of_place_.end() ? -1 : found->second;
}

// `names`: whether the facts have each; `places`: those that the authorships have, of papers that
// are listed.
void Gold::tell_absent(const std::vector<bool>& names, std::vector<std::uint64_t> places,
                       Mentions& out) const {
  std::sort(places.begin(), places.end());
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [place, person] : person_of_place_) {
    if (std::binary_search(places.begin(), places.end(), place)) continue;
    ++out.absent_places;
    first = std::min(first, place);
  }
  out.absent_names = std::count(names.begin(), names.end(), false);
  if (out.absent_places > 0) {
    out.first_absent = fmt::format("author {} of paper {}", static_cast<std::uint32_t>(first),
                                   in_quotes(papers_.texts()[static_cast<Index>(first >> 32)]));
  } else if (out.absent_names > 0) {
    const auto name = std::find(names.begin(), names.end(), false) - names.begin();
    out.first_absent = in_quotes(names_.texts()[static_cast<Index>(name)]);
  }
}

Gold::Mentions Gold::mentions(const TemporalFacts& facts, const Authorships& authorships) const {
  Mentions out;
  const bool scientists = of_ == Of::kScientists;
  const std::optional<std::uint8_t> type =
      type_called(facts, scientists ? "scientist" : "institution");
  // Of each entity: its person by its name. Those of names that are not listed follow the listed.
  std::vector<Index> person(static_cast<std::size_t>(facts.entities()), -1);
  std::vector<bool> listed(person.size());
  TextIds own;
  std::vector<bool> there(static_cast<std::size_t>(names_.size()));  // names
  for (Index k = 0; k < facts.entities(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (!type || facts.entity_types[at] != *type) continue;
    const std::string name = compared_name(facts.entity_name(k));
    const Index found = names_.find(name);
    const Index whose = found < 0 ? -1 : person_of_name_[static_cast<std::size_t>(found)];
    listed[at] = whose >= 0;
    if (found >= 0) there[static_cast<std::size_t>(found)] = true;
    if (whose >= 0) {
      person[at] = whose;
    } else if (unlisted_are_persons) {
      person[at] = persons_.size() + own.id(name);
    }
  }
  const auto add = [&](Index entity, Index by_place) {
    const auto at = static_cast<std::size_t>(entity);
    if (!type || facts.entity_types[at] != *type) return;
    const Index whose = by_place >= 0 ? by_place : person[at];
    out.person.push_back(whose);
    out.entity.push_back(entity);
    ++(by_place >= 0 ? out.by_place
       : whose < 0   ? out.unknown
       : listed[at]  ? out.by_name
                     : out.by_own_name);
  };
  std::vector<std::uint64_t> places;
  if (scientists) {
    std::vector<Index> paper(static_cast<std::size_t>(authorships.papers.size()));
    for (std::size_t k = 0; k < paper.size(); ++k)
      paper[k] = papers_.find(authorships.papers[static_cast<Index>(k)]);
    for (std::size_t k = 0; k < authorships.paper.size(); ++k) {
      const Index of = paper[static_cast<std::size_t>(authorships.paper[k])];
      if (of >= 0) places.push_back(place_key(of, authorships.position[k]));
      add(authorships.entity[k], person_of_place(of, authorships.position[k]));
    }
  } else {
    for (std::size_t k = 0; k < facts.time.size(); ++k) {
      add(facts.source[k], -1);
      add(facts.target[k], -1);
    }
  }
  tell_absent(there, std::move(places), out);
  return out;
}

Gold read_gold(const fs::path& path) {
  return is_name_variants(path) ? read_variants(path) : read_table(path);
}

void add_anthology_ids(Gold& gold, const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".xml") || name.ends_with(".xml.gz")) files.push_back(entry.path());
  }
  if (problem) fail("{}: cannot be read ({})", folder.string(), problem.message());
  if (files.empty()) fail("{}: holds no file *.xml of the Anthology", folder.string());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    AclAnthologyReader reader(file);
    for (Publication paper; reader.next(paper);) {
      for (const Author& author : paper.authors) {
        if (author.id.empty() || paper.id.empty()) continue;
        const bool fresh =
            gold.add_place(one_line_name(paper.id), author.position, "id " + author.id);
        ++gold.counts[fresh ? "gold: authorships with an id"
                            : "gold: authorships with an id of a paper that is there twice"];
      }
    }
  }
}

}  // namespace cupel
