// Audit of facts over time: whether a forecast on them asks what it seems to ask.
//
// One file per check in facts/, which defines `extern const FactCheck fact_check_<file stem>`; the
// build lists them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/audit/finding.h"
#include "cupel/data/facts/columns.h"
#include "cupel/data/facts/fact_audit.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/time_split.h"

namespace cupel {

// How much of test is known from before: told in the account of every audit, and a finding where it
// is much.
struct TestShares {
  Repetition repetition;
  Offset nodes = 0;           // of test
  std::vector<Index> unseen;  // those that training does not have, ascending
};

// What is audited. `facts` must outlive it and be in the order of time.
struct FactSubject {
  const TemporalFacts& facts;
  FactColumns columns;
  std::vector<std::uint8_t> undirected;  // per relation
  // Training, validation and test by their places; nothing where the facts came in no such parts
  // and none were asked for, or where those parts lie in one another.
  std::optional<TimeParts> parts;
  std::optional<TestShares> shares;       // where there are parts
  bool parts_of_source = false;           // the files they came in, not asked for
  FactNotes notes;                        // what the reader met
  std::optional<std::int64_t> last_year;  // of the records that the facts were made of
  std::optional<std::int64_t> built;      // facts that were written, as who wrote them says
  std::int64_t this_year = 0;             // 0: not known
  Threads threads;
};

// `cuts`: parts that are asked for; nothing: those of the source, if it has training and test.
// Looks up what of test is known from before. Throws Error as parts_at() does.
[[nodiscard]] FactSubject fact_subject(const TemporalFacts& facts,
                                       const std::optional<TimeCuts>& cuts, Threads threads);

struct FactCheck {
  const char* name;  // "repeated-facts": the id of its finding
  const char* doc;   // one sentence, for listings
  void (*run)(const FactSubject& subject, std::vector<Finding>& findings);
};

// Sorted by file name.
[[nodiscard]] const std::vector<const FactCheck*>& fact_checks();

// Findings of all checks: errors first, then warnings, then infos. The same on any number of
// threads. Time: n log n in the facts. Memory beside them: 8 bytes for each training fact, 24 for
// each later one that is not in it, and 16 for each fact between two people.
[[nodiscard]] std::vector<Finding> audit_facts(const FactSubject& subject);

namespace fact_text {

// "'Ann Lee', 'Bo Li' and 12 more"
[[nodiscard]] std::string names(const TemporalFacts& facts, const std::vector<Index>& entities);
// The first of them, for programs: [{"entity": 7, "name": "Ann Lee"}].
[[nodiscard]] nlohmann::ordered_json examples(const TemporalFacts& facts,
                                              const std::vector<Index>& entities);
// "scientist Ann collaboration Bob at 2018"
[[nodiscard]] std::string fact(const FactSubject& subject, Offset place);

}  // namespace fact_text

// A fact that says the same as one before it in its step of time.
struct ToldAgain {
  Offset place, first;  // `first` is where that was said first
  friend bool operator==(const ToldAgain&, const ToldAgain&) = default;
};

// Those of [begin, end), which hold whole steps, by place; relations without direction say the same
// in either order.
[[nodiscard]] std::vector<ToldAgain> told_again(const FactSubject& subject, Offset begin,
                                                Offset end);

// Whether entities of this type have names that people gave them.
[[nodiscard]] bool has_names(const TemporalFacts& facts, const char* type);

}  // namespace cupel
