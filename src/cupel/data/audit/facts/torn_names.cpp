// Names that look like one scientist or institution torn into several.
//
// Two rules: equal but for accents, marks between letters and what is printed first ("José García",
// "Garcia, Jose"); and initials where there is one full name that they can stand for, each at its
// place ("J. Doe" and "Jane Doe", but not where there is "John Doe", too). Two who have a fact
// together are two, and so are two of one name, whom ids tell apart.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/facts/academic.h"
#include "cupel/data/resolve/first_name_first.h"
#include "cupel/data/resolve/fold_letters.h"
#include "cupel/data/resolve/word_lists.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

namespace text = audit_text;
using Groups = std::unordered_map<std::string, std::vector<Index>>;
using Pairs = std::vector<std::pair<Index, Index>>;

// The words, folded, with blanks between.
std::string folded(std::string_view name) {
  std::string out;
  each_piece(fold_letters(name), " -", [&](std::string_view word) {
    if (!out.empty()) out += ' ';
    out += word;
  });
  return out;
}

// "jane mary doe" by "j doe": what initials say of it. `initials`: every word but the last is one
// letter. Empty for a name of one word.
std::string by_initials(const std::string& name, bool& initials) {
  const std::size_t last = name.rfind(' ');
  initials = true;
  if (last == std::string::npos) return {};
  for (std::size_t at = 0; at < last;) {
    const std::size_t end = name.find(' ', at);
    initials = initials && end - at == character_at(name, at).size;
    at = end + 1;
  }
  return name.substr(0, character_at(name, 0).size) + name.substr(last);
}

// Whether each of the initials begins the word at its place: "j m doe" fits "jane mary doe", "j a
// doe" does not. Both are of one by_initials().
bool fits(std::string_view initials, std::string_view full) {
  while (true) {
    const std::size_t end = initials.find(' ');
    if (end == std::string_view::npos) return true;  // the last name
    const std::size_t full_end = full.find(' ');
    if (full_end == std::string_view::npos || !full.starts_with(initials.substr(0, end)))
      return false;
    initials.remove_prefix(end + 1), full.remove_prefix(full_end + 1);
  }
}

// Initials that stand for one full name alone, with it; those names in pairs.
Pairs initials_of(const Groups& by_fold) {
  using Name = std::pair<std::string_view, Index>;
  struct Of {
    std::vector<Name> full, initials;
  };
  std::map<std::string, Of> groups;
  for (const auto& [name, entities] : by_fold) {
    bool initials;
    const std::string key = by_initials(name, initials);
    if (key.empty()) continue;
    (initials ? groups[key].initials : groups[key].full).emplace_back(name, entities.front());
  }
  Pairs out;
  for (const auto& [key, of] : groups) {
    for (const Name& one : of.initials) {
      const auto fit = [&](const Name& full) { return fits(one.first, full.first); };
      const auto found = std::ranges::find_if(of.full, fit);
      if (found != of.full.end() && std::find_if(found + 1, of.full.end(), fit) == of.full.end())
        out.emplace_back(found->second, one.second);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Leaves out those whom `cupel build` would have made one if ids did not tell them apart.
void leave_out_namesakes(const TemporalFacts& facts, Pairs& pairs) {
  const auto name = [&](Index k) { return compared_name(facts.entity_name(k)); };
  std::erase_if(pairs, [&](const auto& pair) { return name(pair.first) == name(pair.second); });
}

// Leaves out those who have a fact together, as authors of one paper have.
void leave_out_joined(const TemporalFacts& facts, Pairs& pairs) {
  std::set<std::pair<Index, Index>> apart;
  for (const auto& [a, b] : pairs) apart.emplace(std::min(a, b), std::max(a, b));
  for (std::size_t k = 0; k < facts.time.size(); ++k) {
    const Index s = facts.source[k], o = facts.target[k];
    apart.erase({std::min(s, o), std::max(s, o)});
  }
  std::erase_if(pairs, [&](const auto& pair) {
    return !apart.contains({std::min(pair.first, pair.second), std::max(pair.first, pair.second)});
  });
}

void look_at(const FactSubject& subject, const char* type, bool people, Offset& count,
             std::vector<std::string>& shown, nlohmann::ordered_json& examples, Offset& accents) {
  const TemporalFacts& facts = subject.facts;
  if (!has_names(facts, type)) return;
  Groups by_fold;
  for (Index k = 0; k < facts.entities(); ++k) {
    if (facts.types[facts.entity_types[static_cast<std::size_t>(k)]] != type) continue;
    const std::string_view name = facts.entity_names[k];
    by_fold[people ? folded(first_name_first(name)) : folded(name)].push_back(k);
  }
  Pairs pairs;
  for (const auto& [name, entities] : by_fold)
    for (std::size_t i = 1; i < entities.size() && !name.empty(); ++i)
      pairs.emplace_back(entities.front(), entities[i]);
  std::sort(pairs.begin(), pairs.end());
  leave_out_namesakes(facts, pairs);
  leave_out_joined(facts, pairs);
  accents += std::ssize(pairs);
  if (people) {
    Pairs more = initials_of(by_fold);
    leave_out_joined(facts, more);
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  for (const auto& [a, b] : pairs) {
    ++count;
    if (shown.size() >= text::kExamples) continue;
    shown.push_back(
        fmt::format("{} and {}", fact_text::names(facts, {a}), fact_text::names(facts, {b})));
    examples.push_back({facts.entity_name(a), facts.entity_name(b)});
  }
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  Offset count = 0, accents = 0;
  std::vector<std::string> shown;
  auto examples = nlohmann::ordered_json::array();
  look_at(subject, "scientist", true, count, shown, examples, accents);
  look_at(subject, "institution", false, count, shown, examples, accents);
  if (count == 0) return;
  Finding out;
  out.id = "torn-names";
  out.severity = Severity::kInfo;
  out.count = count;
  out.title = fmt::format(
      "{} like one and the same",
      text::count(count, "pair") + text::verb(count, " of names looks", " of names look"));
  out.evidence = fmt::format(
      "{} differ in accents, case, signs between letters or what is printed first alone, {} in "
      "that "
      "one has initials for the only full name that they fit: {}{}.",
      text::number(accents), text::number(count - accents), fmt::join(shown, "; "),
      text::more(static_cast<std::size_t>(count), shown.size()));
  out.details = {{"accents", accents}, {"initials", count - accents}, {"examples", examples}};
  out.advice = "`cupel resolve` weighs such pairs by their co-authors and merges them.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_torn_names;
const FactCheck fact_check_torn_names = {"torn-names", "names that look torn into several", run};

}  // namespace cupel
