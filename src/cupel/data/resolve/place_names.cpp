#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "cupel/base/sort_unique.h"
#include "cupel/data/resolve/compare_names.h"
#include "cupel/data/resolve/fold_letters.h"
#include "cupel/data/resolve/places.h"
#include "cupel/data/resolve/word_lists.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

// A word, and what is written for it. "-": left out.
constexpr std::string_view kWritten = R"(
university univ universite universitat universitaet universita universidad universidade universiteit universitet universitetet universiti univerzita uniwersytet uni
institute inst institut instituto istituto instytut
technology tech technol
technical technische tecnica technique polytechnic politecnico polytechnique politecnica
laboratory lab labs laboratories laboratorio laboratoire
department dept dep departement departamento dipartimento dpt
school sch schl
center centre centro ctr zentrum
academy acad academie accademia
science sci sciences
engineering eng engn
research res recherche
national natl nacional nationale nazionale
college coll
corporation corp
faculty fac facultad faculte fakultat
usa us
- the of for and de der di du la le les del des d et und y e at in zu inc ltd llc gmbh co plc limited company
)";

constexpr auto kDepartments =
    std::to_array<std::string_view>({"department", "school", "faculty", "laboratory", "center",
                                     "group", "division", "chair", "unit", "section", "team"});
constexpr auto kOrganisations =
    std::to_array<std::string_view>({"university", "institute", "academy", "college", "inria",
                                     "cnrs", "corporation", "hospital", "eth", "mit"});
constexpr auto kCountries = std::to_array<std::string_view>(
    {"usa",       "uk",      "china",   "germany",     "france",   "italy",   "spain",
     "japan",     "korea",   "india",   "canada",      "israel",   "russia",  "brazil",
     "australia", "austria", "belgium", "switzerland", "sweden",   "norway",  "denmark",
     "finland",   "ireland", "poland",  "portugal",    "greece",   "turkey",  "iran",
     "singapore", "taiwan",  "mexico",  "netherlands", "qatar",    "vietnam", "egypt",
     "czechia",   "romania", "hungary", "ukraine",     "pakistan", "thailand"});

const std::unordered_map<std::string_view, std::string_view>& written() {
  static const auto all = [] {
    std::unordered_map<std::string_view, std::string_view> out;
    each_piece(kWritten, "\n", [&](std::string_view line) {
      const std::string_view head = line.substr(0, line.find(' '));
      each_piece(line, " ", [&](std::string_view word) { out.emplace(word, head); });
    });
    return out;
  }();
  return all;
}

std::string_view first_letter(std::string_view word) {
  return word.substr(0, character_at(word, 0).size);
}

struct Segment {
  std::vector<std::string> words;
  bool department = false, organisation = false, country = false;
};

Segment segment_of(std::string_view text, PlaceName& name) {
  Segment out;
  const std::string folded = fold_letters(text);
  each_piece(folded, " -", [&](std::string_view word) {
    const auto found = written().find(word);
    const std::string_view one = found == written().end() ? word : found->second;
    if (one == "-") return;
    name.initials += first_letter(one);
    out.words.emplace_back(one);
    out.department = out.department || is_one_of(one, kDepartments);
    out.organisation = out.organisation || is_one_of(one, kOrganisations);
  });
  out.country = out.words.size() == 1 && is_one_of(out.words[0], kCountries);
  return out;
}

// Whether both lists are equal but for words of one each.
bool slip_between(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() != b.size()) return false;
  std::vector<std::string> mine, yours;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(mine));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(yours));
  constexpr std::size_t kLeast = 7;  // shorter names of places differ in a letter and are two
  return mine.size() == 1 && yours.size() == 1 &&
         std::min(mine[0].size(), yours[0].size()) >= kLeast && one_slip(mine[0], yours[0]);
}

}  // namespace

PlaceName place_name(std::string_view printed) {
  PlaceName out;
  std::vector<Segment> segments;
  each_piece(printed, ",;/|()", [&](std::string_view text) {
    Segment one = segment_of(text, out);
    if (!one.words.empty()) segments.push_back(std::move(one));
  });
  const bool organised = std::any_of(segments.begin(), segments.end(), [](const Segment& one) {
    return one.organisation && !one.department;
  });
  const auto add = [](const Segment& one, std::vector<std::string>& words, std::string& order) {
    for (const std::string& word : one.words) {
      words.push_back(word);
      order.append(word).append(" ");
    }
  };
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const Segment& one = segments[k];
    const bool country = one.country && k > 0;
    add(one, out.all, out.order);
    if (country) out.country = one.words[0];
    if (!country && !(one.department && organised)) add(one, out.core, out.core_order);
  }
  sort_unique(out.all), sort_unique(out.core);
  return out;
}

PlaceRelation compare_places(const PlaceName& a, const PlaceName& b) {
  if (a.all.empty() || b.all.empty()) return PlaceRelation::kUnlike;
  const bool in_order = a.order == b.order || a.core_order == b.core_order;
  if (a.all == b.all) return in_order ? PlaceRelation::kSame : PlaceRelation::kReordered;
  if (a.core == b.core) return in_order ? PlaceRelation::kSameCore : PlaceRelation::kReordered;
  if (slip_between(a.core, b.core)) return PlaceRelation::kSlip;
  const auto initials = [](const PlaceName& one, const PlaceName& other) {
    return one.all.size() == 1 && one.all[0] != first_letter(one.all[0]) &&
           one.all[0] == other.initials;
  };
  if (initials(a, b) || initials(b, a)) return PlaceRelation::kInitials;
  const auto& fewer = a.core.size() < b.core.size() ? a.core : b.core;
  const auto& more = a.core.size() < b.core.size() ? b.core : a.core;
  const bool within = std::includes(more.begin(), more.end(), fewer.begin(), fewer.end());
  return within && more.size() == fewer.size() + 1 && fewer.size() >= 2 ? PlaceRelation::kMore
                                                                        : PlaceRelation::kUnlike;
}

}  // namespace cupel
