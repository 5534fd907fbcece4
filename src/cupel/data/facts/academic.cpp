#include "cupel/data/facts/academic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/text/characters.h"
#include "cupel/data/text/normal_form.h"

namespace cupel {
namespace {

enum Relation : Index { kCollaboration, kPartnership, kExpertise };
constexpr const char* kEntityCounts[] = {"scientists", "institutions", "capabilities"};
constexpr const char* kFactCounts[] = {"collaborations", "partnerships", "facts of expertise"};

}  // namespace

std::string compared_name(std::string_view name) {
  std::string lower, out;
  append_lower(nfc(name), lower);
  for (std::size_t at = 0; at < lower.size();) {
    const std::size_t space = space_at(lower, at);
    const bool blank = space > 0 || std::string_view(".,!?$").find(lower[at]) != std::string::npos;
    if (!blank) {
      out += lower[at++];
      continue;
    }
    if (!out.empty() && out.back() != ' ') out += ' ';
    at += std::max<std::size_t>(space, 1);
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::size_t academic_memory(const AcademicSize& size) {
  // While facts are put in order, or a year's facts are held against each other.
  const std::int64_t facts = std::max(32 * size.facts, 20 * size.facts + 28 * size.of_largest_year);
  const std::int64_t entities = 2 * size.name_bytes + 56 * size.entities,
                     others = size.other_bytes + 48 * size.other_names,
                     papers = size.id_bytes + 40 * size.papers + 16 * size.authorships;
  // Names are copied when facts are in order.
  const std::int64_t copied = 20 * size.facts + size.name_bytes + 9 * size.entities;
  constexpr double kOfHeap = 1.15;  // holes where lists have grown
  return static_cast<std::size_t>(
      kOfHeap * static_cast<double>(std::max(facts, copied) + entities + others + papers));
}

Index AcademicBuilder::Known::of(std::string_view key, std::string_view printed, bool counts) {
  const Index had = keys.size(), out = keys.id(key);
  const auto at = static_cast<std::size_t>(out);
  if (out == had) {
    names.add(one_line_name(printed));
    times.push_back(counts);
    return out;
  }
  std::string name;
  if (names[out] != printed) name = one_line_name(printed);
  if (name.empty() || names[out] == name) {
    times[at] += counts;
    return out;
  }
  name += fmt::format("\n{}", out);  // no name has the end of a line
  const Index others = other_names.size(), other = other_names.id(name);
  if (other == others) other_times.push_back(0);
  other_times[static_cast<std::size_t>(other)] += counts;
  return out;
}

TextTable AcademicBuilder::Known::take_names() {
  if (other_names.size() == 0) return std::move(names);
  const auto parts = [this](Index other) {
    const std::string_view both = other_names.texts()[other];
    const std::size_t end = both.rfind('\n');
    Index of = 0;
    std::from_chars(both.data() + end + 1, both.data() + both.size(), of);
    return std::pair(of, both.substr(0, end));
  };
  std::vector<Index> best(times.size(), -1);  // among the other names; -1: the first one
  for (Index other = 0; other < other_names.size(); ++other) {
    const auto [of, name] = parts(other);
    Index& had = best[static_cast<std::size_t>(of)];
    const std::int64_t now = other_times[static_cast<std::size_t>(other)],
                       before = had < 0 ? times[static_cast<std::size_t>(of)]
                                        : other_times[static_cast<std::size_t>(had)];
    const std::string_view had_name = had < 0 ? names[of] : parts(had).second;
    if (now > before || (now == before && name < had_name)) had = other;
  }
  TextTable out;
  for (Index k = 0; k < names.size(); ++k) {
    const Index other = best[static_cast<std::size_t>(k)];
    out.add(other < 0 ? names[k] : parts(other).second);
  }
  return out;
}

AcademicBuilder::AcademicBuilder(AcademicSettings settings)
    : settings_(std::move(settings)),
      finder_(settings_.keywords),
      told_(settings_.persons.empty() ? ToldPersons() : ToldPersons(settings_.persons)),
      capability_(settings_.keywords.size(), -1) {}

void AcademicBuilder::find_keywords(const Publication& paper) {
  text_ = paper.title;
  text_ += ' ';
  text_ += paper.abstract;
  for (const std::string& keyword : paper.keywords) {
    text_ += ' ';
    text_ += keyword;
  }
  // Letters that stand in parts, as texts out of PDFs have them. No part is below U+0300.
  const auto may_be_part = [](char c) { return static_cast<unsigned char>(c) >= 0xcc; };
  if (std::ranges::any_of(text_, may_be_part)) text_ = nfc(text_);
  lower_.clear();
  append_lower(text_, lower_);
  finder_.find(lower_, matched_);
}

// Counts why a paper gives nothing.
bool AcademicBuilder::counts_at_all(const Publication& paper) {
  count("papers read");
  const char* reason = nullptr;
  if (paper.authors.empty()) {
    reason = "papers without an author, left out";
  } else if (!paper.year) {
    reason = "papers without a year, left out";
  } else if (*paper.year < settings_.first_year || *paper.year > settings_.last_year) {
    reason = "papers of other years, left out";
  } else if (std::ssize(paper.authors) > settings_.most_authors) {
    reason = "papers of too many authors, left out";
  } else {
    find_keywords(paper);
    if (matched_.empty()) count("papers without a keyword");
    if (matched_.empty() && settings_.filter == PaperFilter::kMatched)
      reason = "papers without a keyword, left out";
  }
  if (reason == nullptr) {
    if (settings_.this_year > 0 && *paper.year > settings_.this_year)
      count("papers of a year that is to come");
    return true;
  }
  count(reason);
  return false;
}

void AcademicBuilder::count_several(std::string_view name) {
  const auto has = [name](std::string_view part) { return name.find(part) != name.npos; };
  if (has(" and ") || has(" & "))
    count("names with 'and' or '&', which may be two, left as they are");
  if (has(";") || has("；")) count("names with ';', which may be several, left as they are");
}

std::string AcademicBuilder::id_of(const Publication& paper) const {
  return paper.id.empty() ? fmt::format("#{}", papers_) : one_line_name(paper.id);
}

Index AcademicBuilder::scientist(const Author& author, std::string_view source,
                                 std::string_view person) {
  const bool by_id = settings_.identity == Identity::kId && !author.id.empty();
  const bool marked = settings_.keep_marks && !author.with_marks.empty();
  const std::string& given = marked ? author.with_marks : author.name;
  if (!person.empty())
    return known_[kScientist].of(fmt::format("p{}", person), given.empty() ? author.id : given,
                                 !given.empty());
  const std::string name = by_id ? "" : compared_name(given);
  if (!by_id && name.empty()) return -1;
  if (settings_.identity == Identity::kId && !by_id)
    count(fmt::format("{}{}authors without an id, known by name", source,
                      source.empty() ? "" : ": "));
  return known_[kScientist].of(by_id ? fmt::format("i{} {}", source, author.id) : "n" + name,
                               given.empty() ? author.id : given, !given.empty());
}

Index AcademicBuilder::institution(const std::string& name) {
  const std::string key = compared_name(name);
  return key.empty() ? -1 : known_[kInstitution].of(key, name, true);
}

// Numbers of a file are ids as well, and those of two files may be the same.
Index AcademicBuilder::number_of(const std::string& id, std::int32_t year, std::size_t begin) {
  const std::span<const Index> rows(graph_.authorships.entity), authors = rows.subspan(begin);
  const auto is = [&](Index number) {
    const auto at = static_cast<std::size_t>(number);
    const std::size_t from = taken_[at].begin,
                      to = at + 1 < taken_.size() ? taken_[at + 1].begin : begin;
    return taken_[at].year == year && std::ranges::equal(rows.subspan(from, to - from), authors);
  };
  const auto made = [&](const std::string& name) {
    const Index out = papers_of_.id(name);
    if (out < std::ssize(taken_)) return Index{-1};
    taken_.push_back({begin, year});
    return out;
  };
  if (const Index out = made(id); out >= 0) return out;
  const Index first = papers_of_.find(id);
  std::uint64_t hash = static_cast<std::uint64_t>(first);
  const auto mix = [&](std::int64_t value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  mix(year);
  for (const Index author : authors) mix(author);
  const auto alike = others_.equal_range(hash);
  if (is(first) || std::any_of(alike.first, alike.second, [&](const auto& entry) {
        return entry.second.first == first && is(entry.second.paper);
      })) {
    count("papers with id, year and authors of an earlier one, taken as one");
    return -1;
  }
  count("papers with the id of another one, which get a number behind it");
  std::int64_t& of_id = of_one_id_.try_emplace(first, 1).first->second;
  while (true) {
    const Index out = made(fmt::format("{} ({})", id, ++of_id));
    if (out < 0) continue;
    others_.emplace(hash, Another{first, out});
    return out;
  }
}

void AcademicBuilder::leave_out(const Publication& paper, const std::string& reason) {
  ++papers_;
  count("papers read");
  count(reason);
  told_.leave_out(id_of(paper));
}

void AcademicBuilder::add(const Publication& paper, std::string_view source) {
  ++papers_;
  const std::string id = id_of(paper);
  if (!counts_at_all(paper)) {
    told_.leave_out(id);
    return;
  }
  authors_.clear(), standings_.clear(), told_lines_.clear();
  Authorships& rows = graph_.authorships;
  const std::size_t begin = rows.entity.size();
  for (std::size_t k = 0; k < paper.authors.size(); ++k) {
    const Author& author = paper.authors[k];
    const std::int64_t position =
        author.position < 0 ? static_cast<std::int64_t>(k) : author.position;
    const Index line = told_.find(id, position, author);
    if (line >= 0) told_lines_.push_back(line);
    count_several(author.name);
    const Index entity =
        scientist(author, source, line < 0 ? std::string_view() : told_.person(line));
    if (entity < 0) {
      count("authors without a name, left out");
      continue;
    }
    rows.position.push_back(static_cast<Index>(position));
    rows.entity.push_back(entity);
    if (entity >= std::ssize(last_paper_)) last_paper_.resize(entity + std::size_t{1}, {0, 0});
    auto& [last, place] = last_paper_[static_cast<std::size_t>(entity)];
    if (last == papers_) {
      count("authors who stand on a paper twice, taken once");
    } else {
      last = papers_, place = authors_.size();
      authors_.push_back(entity);
    }
    standings_.emplace_back(place, k);
  }
  const Index number = number_of(id, *paper.year, begin);
  const bool told_again = number < 0;
  for (const Index line : told_lines_)
    if (!told_again) told_.take(line, number);
  if (told_again) {
    rows.position.resize(begin), rows.entity.resize(begin);
  } else {
    rows.paper.resize(rows.entity.size(), number);
    count(authors_.empty() ? "papers without an author, left out" : "papers taken");
  }
  add_facts(paper, told_again);
}

void AcademicBuilder::add_facts(const Publication& paper, bool told_again) {
  TemporalFacts& facts = graph_.facts;
  const std::int64_t authors = std::ssize(authors_), before = facts.facts(), year = *paper.year;
  check_room(paper, (told_again ? 0 : authors * authors / 2) + authors * std::ssize(matched_));
  for (std::size_t i = 0; i < authors_.size() && !told_again; ++i) {
    for (std::size_t j = i + 1; j < authors_.size(); ++j)
      facts.push(authors_[i], kCollaboration, authors_[j], year);
  }
  // Who stands on the paper twice is at the institutions of both standings.
  std::ranges::sort(standings_);
  for (std::size_t at = 0; at < standings_.size(); ++at) {
    const auto [author, place] = standings_[at];
    const Index entity = authors_[author];
    if (at == 0 || standings_[at - 1].first != author) ++serial_;
    for (const std::string& name : paper.authors[place].affiliations) {
      const Index to = institution(name);
      if (to < 0) {
        count("affiliations without a name, left out");
        continue;
      }
      if (to >= std::ssize(last_author_)) last_author_.resize(to + std::size_t{1}, 0);
      if (last_author_[static_cast<std::size_t>(to)] != serial_)
        facts.push(entity, kPartnership, to, year);
      last_author_[static_cast<std::size_t>(to)] = serial_;
    }
  }
  for (const std::int32_t keyword : matched_) {
    const std::string& text = settings_.keywords[static_cast<std::size_t>(keyword)];
    Index& to = capability_[static_cast<std::size_t>(keyword)];
    if (to < 0) to = known_[kCapability].of(text, text, true);
  }
  for (const Index entity : authors_) {
    for (const std::int32_t keyword : matched_)
      facts.push(entity, kExpertise, capability_[static_cast<std::size_t>(keyword)], year);
  }
  std::int64_t& of_year = of_year_[year];
  of_year += facts.facts() - before;
  of_largest_year_ = std::max(of_largest_year_, of_year);
}

void AcademicBuilder::check_room(const Publication& paper, std::int64_t more) const {
  if (graph_.facts.facts() + more + (1 << 24) > kMostFacts)
    fail("with paper {} there are more than {} facts; build fewer years at once",
         in_quotes(paper.id), kMostFacts);
  if (most_bytes_ == 0) return;
  AcademicSize then = size();
  then.facts += more, then.of_largest_year += more;
  if (academic_memory(then) > most_bytes_)
    fail(
        "with paper {} the graph takes more than the {} of memory that are left for it; allow more "
        "with --memory, use a larger machine, or build fewer years at once",
        in_quotes(paper.id), byte_text(static_cast<double>(most_bytes_)));
}

AcademicSize AcademicBuilder::size() const {
  AcademicSize out;
  out.facts = graph_.facts.facts(), out.of_largest_year = of_largest_year_;
  const auto bytes = [](const TextTable& texts) {
    return static_cast<std::int64_t>(texts.bytes());
  };
  for (const Known& known : known_) {
    out.entities += known.names.size(), out.name_bytes += bytes(known.names);
    out.other_names += known.other_names.size();
    out.other_bytes += bytes(known.other_names.texts());
  }
  out.papers = papers_of_.size(), out.id_bytes = bytes(papers_of_.texts());
  out.authorships = std::ssize(graph_.authorships.entity);
  return out;
}

// Facts are in the order of time. What no pair says stands once a year, whatever the rule of pairs.
void AcademicBuilder::keep_first_of_year() {
  TemporalFacts& facts = graph_.facts;
  using Row = std::tuple<Index, Index, Index, std::uint32_t>;  // relation, both ends, place
  std::vector<Row> year;
  std::vector<bool> keep;
  std::size_t kept = 0;
  for (std::size_t from = 0, to = 0; from < facts.time.size(); from = to) {
    while (to < facts.time.size() && facts.time[to] == facts.time[from]) ++to;
    year.clear();
    for (std::size_t k = from; k < to; ++k) {
      const Index r = facts.relation[k], s = facts.source[k], o = facts.target[k];
      const bool either = r == kCollaboration;
      year.emplace_back(r, either ? std::min(s, o) : s, either ? std::max(s, o) : o,
                        static_cast<std::uint32_t>(k - from));
    }
    std::sort(year.begin(), year.end());
    keep.assign(to - from, true);
    for (std::size_t k = 1; k < year.size(); ++k) {
      const auto& [r, a, b, place] = year[k];
      const auto& [r0, a0, b0, place0] = year[k - 1];
      if (r == kCollaboration && settings_.pairs == PairRule::kPaper) continue;
      if (r == r0 && a == a0 && b == b0) keep[place] = false;
    }
    for (std::size_t k = from; k < to; ++k) {
      if (!keep[k - from]) continue;
      facts.source[kept] = facts.source[k], facts.relation[kept] = facts.relation[k];
      facts.target[kept] = facts.target[k], facts.time[kept] = facts.time[k];
      ++kept;
    }
  }
  const auto left_out = static_cast<std::int64_t>(facts.time.size() - kept);
  if (left_out > 0) count("facts told again in the same year, taken once", left_out);
  facts.source.resize(kept), facts.relation.resize(kept);
  facts.target.resize(kept), facts.time.resize(kept);
}

AcademicGraph AcademicBuilder::finish() && {
  told_.check();
  if (told_.taken() > 0) count("authorships of whom the table of persons tells", told_.taken());
  if (told_.left_out() > 0)
    count("lines of the table of persons about papers that are left out", told_.left_out());
  TemporalFacts& facts = graph_.facts;
  facts.types = {"scientist", "institution", "capability"};
  facts.time_unit = "year";
  facts.relations = {{"collaboration", kScientist, kScientist, true},
                     {"partnership", kScientist, kInstitution, false},
                     {"expertise", kScientist, kCapability, false}};
  sort_by_time(facts);
  keep_first_of_year();
  Index first[kTypes] = {};
  for (int type = 0; type < kTypes; ++type) {
    first[type] = facts.entities();
    const TextTable names = known_[type].take_names();
    for (Index k = 0; k < names.size(); ++k) facts.entity_names.add(names[k]);
    facts.entity_types.insert(facts.entity_types.end(), static_cast<std::size_t>(names.size()),
                              static_cast<std::uint8_t>(type));
    count(kEntityCounts[type], names.size());
    known_[type] = {};
  }
  std::array<std::int64_t, 3> per_relation{};
  for (std::size_t k = 0; k < facts.time.size(); ++k) {
    const Index r = facts.relation[k];
    facts.target[k] += first[facts.relations[static_cast<std::size_t>(r)].target_type];
    ++per_relation[static_cast<std::size_t>(r)];
  }
  for (std::size_t r = 0; r < per_relation.size(); ++r) count(kFactCounts[r], per_relation[r]);
  graph_.authorships.papers = std::move(papers_of_).take();
  return std::move(graph_);
}

}  // namespace cupel
