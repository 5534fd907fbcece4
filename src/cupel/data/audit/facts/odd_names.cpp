// Scientists whose names are none: addresses, digits, lists of several, marks of footnotes, letters
// that were lost.
//
// One comma is the source's way to print names where more than one name in twenty has it.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/records/names.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

namespace text = audit_text;

enum Oddity : std::size_t {
  kAddress,
  kDigit,
  kComma,
  kSeveral,
  kOneLetter,
  kNoLetter,
  kNobody,
  kDamaged,
  kLatex,
  kFootnote,
  kOddities
};
constexpr const char* kWords[kOddities] = {"an address in place of a name",
                                           "with digits",
                                           "with a comma or semicolon",
                                           "of several people",
                                           "of one letter",
                                           "without a letter",
                                           "saying that there is none",
                                           "with letters that were lost or misread",
                                           "with commands of LaTeX",
                                           "with a mark of a footnote"};
constexpr const char* kKeys[kOddities] = {"address",   "digit",  "comma",   "several", "one_letter",
                                          "no_letter", "nobody", "damaged", "latex",   "footnote"};

// "Eric Nyberg, Jr." and "Eric Nyberg 3rd" are a person's names.
std::string_view without_suffix(std::string_view name) {
  for (const std::string_view suffix :
       {", Jr.", ", Jr", ", Sr.", ", Sr", ", II", ", III", ", IV", " 2nd", " 3rd"})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  return name;
}

// "Smith, John R.": the last name first.
bool is_turned(std::string_view name) {
  const std::size_t comma = name.find(',');
  return comma != std::string_view::npos && comma == name.rfind(',') &&
         name.find(';') == std::string_view::npos && has_letter(name.substr(0, comma)) &&
         has_letter(name.substr(comma));
}

bool has_footnote(std::string_view name) {
  std::string clean(name);
  unsigned mends = 0;
  (void)clean_name(clean, mends);
  return (mends & kMendedFootnotes) != 0;
}

// `turned`: the source prints last names first, as exports of some indexes do.
std::size_t oddity(std::string_view name, bool turned) {
  if (!has_letter(name)) return kNoLetter;
  if (name.find('@') != std::string_view::npos) return kAddress;
  const unsigned faults = name_faults(name);
  if ((faults & kLeftNone) != 0) return kNobody;
  if ((faults & (kLeftGaps | kLeftMisread)) != 0) return kDamaged;
  if ((faults & kLeftLatex) != 0) return kLatex;
  const std::string_view person = without_suffix(name);
  if (person.find_first_of("0123456789") != std::string_view::npos) return kDigit;
  if (person.find_first_of(",;") != std::string_view::npos && !(turned && is_turned(person)))
    return kComma;
  for (const std::string_view between : {" and ", " & ", " AND "})
    if (name.find(between) != std::string_view::npos) return kSeveral;
  std::size_t letters = 0;
  for (std::size_t at = 0; at < name.size(); at += character_at(name, at).size)
    letters += name[at] != '.' && name[at] != ' ';
  if (letters == 1) return kOneLetter;
  return has_footnote(name) ? kFootnote : kOddities;
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  const TemporalFacts& facts = subject.facts;
  if (!has_names(facts, "scientist")) return;
  constexpr Index kOneIn = 20;
  std::vector<Index> scientists, found;
  Index with_comma = 0;
  for (Index k = 0; k < facts.entities(); ++k) {
    if (facts.types[facts.entity_types[static_cast<std::size_t>(k)]] != "scientist") continue;
    scientists.push_back(k);
    with_comma += is_turned(without_suffix(facts.entity_names[k]));
  }
  const bool turned = with_comma * std::int64_t{kOneIn} > std::ssize(scientists);
  Offset counts[kOddities] = {};
  for (const Index k : scientists) {
    const std::size_t kind = oddity(facts.entity_names[k], turned);
    if (kind == kOddities) continue;
    ++counts[kind];
    found.push_back(k);
  }
  if (found.empty()) return;
  Finding out;
  out.id = "odd-names";
  out.severity = Severity::kWarning;
  out.count = std::ssize(found);
  out.title = fmt::format("{} no person's", text::count(out.count, "scientist") +
                                                text::verb(out.count, " has a name that looks like",
                                                           " have names that look like"));
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < kOddities; ++k) {
    if (counts[k] == 0) continue;
    parts.push_back(fmt::format("{} {}", text::number(counts[k]), kWords[k]));
    out.details[kKeys[k]] = counts[k];
  }
  out.evidence = fmt::format("{}: {}.", fmt::join(parts, ", "), fact_text::names(facts, found));
  out.details["examples"] = fact_text::examples(facts, found);
  out.advice =
      "Mend them in the source and build again; each of them is a scientist of its own, and hides "
      "the one who is meant.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_odd_names;
const FactCheck fact_check_odd_names = {"odd-names", "scientists whose names are none", run};

}  // namespace cupel
