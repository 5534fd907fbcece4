#include "cupel/data/audit/facts_audit.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/fact_times.h"
#include "cupel/data/facts/seen.h"
#include "cupel/data/formats/text.h"

namespace cupel {

#include "fact_check_registry.inc"

namespace {

// The source's parts by their places, where none has a time before the end of the one before it: a
// step that two of them share stands in the order in which they came. Validation may be missing.
std::optional<TimeParts> parts_of_source(const TemporalFacts& facts) {
  const std::vector<FactPart>& parts = facts.parts;
  std::vector<std::string_view> names;
  for (const FactPart& part : parts) names.push_back(part.name);
  using Names = std::vector<std::string_view>;
  if (names != Names{"train", "valid", "test"} && names != Names{"train", "test"})
    return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].facts == 0) return std::nullopt;
    if (i > 0 && parts[i - 1].last > parts[i].first) return std::nullopt;
  }
  const Offset train = parts.front().facts, valid = facts.facts() - parts.back().facts;
  return TimeParts{train, valid, facts.facts()};
}

TestShares shares_of(const FactSubject& subject) {
  TestShares out;
  out.repetition = repetition(subject.columns, *subject.parts, subject.undirected, subject.threads);
  const NodeSet train(subject.parts->train(subject.columns), subject.threads),
      test(subject.parts->test(subject.columns), subject.threads);
  out.nodes = test.size();
  for (Index node = 0; node < subject.columns.nodes; ++node)
    if (test.has(node) && !train.has(node)) out.unseen.push_back(node);
  return out;
}

}  // namespace

FactSubject fact_subject(const TemporalFacts& facts, const std::optional<TimeCuts>& cuts,
                         Threads threads) {
  FactSubject out{.facts = facts,
                  .columns = columns_of(facts),
                  .undirected = undirected_of(facts),
                  .parts = {},
                  .shares = {},
                  .notes = {},
                  .last_year = {},
                  .built = {},
                  .threads = threads};
  if (cuts) {
    out.parts = parts_at(out.columns, *cuts, facts.name);
  } else {
    out.parts = parts_of_source(facts);
    out.parts_of_source = out.parts.has_value();
  }
  if (out.parts) out.shares = shares_of(out);
  return out;
}

const std::vector<const FactCheck*>& fact_checks() {
  static const std::vector<const FactCheck*> all = fact_check_registry();
  return all;
}

std::vector<Finding> audit_facts(const FactSubject& subject) {
  std::vector<Finding> findings;
  for (const FactCheck* check : fact_checks()) check->run(subject, findings);
  sort_findings(findings);
  return findings;
}

std::string fact_text::names(const TemporalFacts& facts, const std::vector<Index>& entities) {
  std::vector<std::string> shown;
  for (const Index entity : audit_text::examples(entities))
    shown.push_back(in_quotes(facts.entity_name(entity)));
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     audit_text::more(entities.size(), shown.size()));
}

nlohmann::ordered_json fact_text::examples(const TemporalFacts& facts,
                                           const std::vector<Index>& entities) {
  auto out = nlohmann::ordered_json::array();
  for (const Index entity : audit_text::examples(entities))
    out.push_back({{"entity", entity}, {"name", facts.entity_name(entity)}});
  return out;
}

std::string fact_text::fact(const FactSubject& subject, Offset place) {
  const auto at = static_cast<std::size_t>(place);
  const FactColumns& columns = subject.columns;
  const auto relation = static_cast<std::size_t>(columns.relation_of(place));
  const auto& relations = subject.facts.relations;
  return fmt::format("({}, {}, {}) at {}", in_quotes(subject.facts.entity_name(columns.source[at])),
                     relation < relations.size() ? in_quotes(relations[relation].name) : "0",
                     in_quotes(subject.facts.entity_name(columns.target[at])),
                     time_text(columns.time[at], subject.facts.time_unit));
}

std::vector<ToldAgain> told_again(const FactSubject& subject, Offset begin, Offset end) {
  const FactColumns& facts = subject.columns;
  using Row = std::tuple<Index, Index, Index, Offset>;  // relation, both ends, place
  std::vector<Row> step;
  std::vector<ToldAgain> out;
  for (Offset from = begin, to = begin; from < end; from = to) {
    step.clear();
    const std::int64_t time = facts.time[static_cast<std::size_t>(from)];
    for (; to < end && facts.time[static_cast<std::size_t>(to)] == time; ++to) {
      Index s = facts.source[static_cast<std::size_t>(to)],
            o = facts.target[static_cast<std::size_t>(to)];
      const Index r = facts.relation_of(to);
      if (is_undirected(subject.undirected, r) && s > o) std::swap(s, o);
      step.emplace_back(r, s, o, to);
    }
    std::sort(step.begin(), step.end());
    for (std::size_t k = 1, first = 0; k < step.size(); ++k) {
      const auto& [r, s, o, place] = step[k];
      const auto& [r0, s0, o0, place0] = step[first];
      if (r == r0 && s == s0 && o == o0)
        out.push_back({place, place0});
      else
        first = k;
    }
  }
  std::ranges::sort(out, {}, &ToldAgain::place);
  return out;
}

bool has_names(const TemporalFacts& facts, const char* type) {
  return !facts.entity_names.empty() &&
         std::find(facts.types.begin(), facts.types.end(), type) != facts.types.end();
}

}  // namespace cupel
