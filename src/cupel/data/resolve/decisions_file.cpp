#include "cupel/data/resolve/decisions_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/text_file.h"
#include "cupel/data/resolve/entity_finder.h"

namespace cupel {
namespace {

enum Column : std::size_t {
  kFirstId,
  kFirstName,
  kSecondId,
  kSecondName,
  kType,
  kNameScore,
  kGraphScore,
  kScore,
  kEvidence,
  kVerdict,
  kBy,
  kFirstAuthorship,
  kSecondAuthorship,
  kColumns
};
constexpr std::array<std::string_view, kColumns> kNames = {
    "first_id",         "first_name", "second_id", "second_name", "type", "name_score",
    "graph_score",      "score",      "evidence",  "verdict",     "by",   "first_authorship",
    "second_authorship"};
constexpr std::array<std::string_view, 3> kVerdicts = {"accept", "reject", "open"};
constexpr std::array<std::string_view, 2> kDeciders = {"automatic", "person"};

// Lines of the table as decisions about entities of the facts.
class Reader {
 public:
  Reader(const std::filesystem::path& path, const TemporalFacts& facts,
         const Authorships& authorships, const MergedNames& merged)
      : csv_(path), facts_(facts), finder_(facts, authorships, merged) {
    find_columns();
  }

  DecidedPairs read(const std::string& file) {
    DecidedPairs out;
    out.file = file;
    while (csv_.next()) {
      ++out.counts["lines of decisions"];
      DecidedPair pair;
      if (read_line(pair)) {
        out.pairs.push_back(std::move(pair));
      } else {
        ++out.counts["lines about entities that are merged already"];
      }
    }
    return out;
  }

 private:
  void find_columns() {
    at_.fill(-1);
    const auto& header = csv_.header();
    for (std::size_t k = 0; k < header.size(); ++k) {
      const auto found = std::find(kNames.begin(), kNames.end(), header[k]);
      if (found == kNames.end()) continue;
      std::ptrdiff_t& at = at_[static_cast<std::size_t>(found - kNames.begin())];
      if (at >= 0) csv_.fail_here(fmt::format("column {} is there twice", in_quotes(header[k])));
      at = static_cast<std::ptrdiff_t>(k);
    }
    for (const Column needed : {kFirstName, kSecondName, kVerdict}) {
      if (at_[needed] < 0)
        csv_.fail_here(fmt::format("there is no column {} among {}; fields have commas between",
                                   in_quotes(kNames[needed]), quoted_list(header)));
    }
  }

  std::string_view field(Column column) const {
    const std::ptrdiff_t at = at_[column];
    return at < 0 ? std::string_view() : csv_.fields()[static_cast<std::size_t>(at)];
  }

  template <std::size_t N>
  std::size_t choice(Column column, const std::array<std::string_view, N>& words) const {
    const auto found = std::find(words.begin(), words.end(), field(column));
    if (found == words.end())
      csv_.fail_here(fmt::format("{} is no {}; write {}", in_quotes(field(column)), kNames[column],
                                 fmt::join(words, " or ")));
    return static_cast<std::size_t>(found - words.begin());
  }

  double score(Column column) const {
    const std::string_view text = field(column);
    if (text.empty()) return 0;
    double out = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (problem != std::errc() || end != text.data() + text.size() || !(out >= 0 && out <= 1))
      csv_.fail_here(
          fmt::format("{} in column {} is no number from 0 to 1", in_quotes(text), kNames[column]));
    return out;
  }

  std::optional<std::uint8_t> type() const {
    const std::string_view text = field(kType);
    if (text.empty()) return {};
    const auto found = std::find(facts_.types.begin(), facts_.types.end(), text);
    if (found == facts_.types.end())
      csv_.fail_here(fmt::format("{} is no type of entities; there are {}", in_quotes(text),
                                 quoted_list(facts_.types)));
    return static_cast<std::uint8_t>(found - facts_.types.begin());
  }

  EntityFinder::Found entity(Column id_column, Column name_column, Column authorship_column,
                             std::optional<std::uint8_t> type) {
    std::optional<std::int64_t> id;
    const std::string_view text = field(id_column);
    if (std::int64_t number = 0; whole_number(text, number)) {
      id = number;
    } else if (!text.empty()) {
      csv_.fail_here(
          fmt::format("{} in column {} is no whole number", in_quotes(text), kNames[id_column]));
    }
    EntityFinder::Found out =
        finder_.find(id, one_line_name(field(name_column)), type, field(authorship_column));
    if (!out.problem.empty() && field(name_column).empty())
      out.problem = fmt::format("has nothing in column {}", in_quotes(kNames[name_column]));
    return out;
  }

  // Of a name that one has and another had: the other one, if it went into this end's partner.
  void settle(EntityFinder::Found& end, const EntityFinder::Found& partner) const {
    if (end.problem.empty()) return;
    if (end.former < 0 || end.former != partner.entity) csv_.fail_here(end.problem);
    end = {end.former, true, "", -1};
  }

  // No program rejects a pair, and nobody need have left one open.
  DecidedBy decider(MergeVerdict verdict) const {
    const bool said = !field(kBy).empty();
    const auto by = said ? static_cast<DecidedBy>(choice(kBy, kDeciders)) : DecidedBy::kPerson;
    if (verdict == MergeVerdict::kReject) return DecidedBy::kPerson;
    return !said && verdict == MergeVerdict::kOpen ? DecidedBy::kAutomatic : by;
  }

  // Whether the line tells its ends apart, as it does with namesakes, by more than names.
  bool names_two() const {
    const auto differ = [&](Column a, Column b) {
      return !field(a).empty() && !field(b).empty() && field(a) != field(b);
    };
    return differ(kFirstAuthorship, kSecondAuthorship) || differ(kFirstId, kSecondId);
  }

  // Whether the pair is two still.
  bool read_line(DecidedPair& out) {
    const std::optional<std::uint8_t> wanted = type();
    EntityFinder::Found first = entity(kFirstId, kFirstName, kFirstAuthorship, wanted);
    EntityFinder::Found second = entity(kSecondId, kSecondName, kSecondAuthorship, wanted);
    settle(first, second);
    settle(second, first);
    MergeDecision& decision = out.decision;
    decision.verdict = static_cast<MergeVerdict>(choice(kVerdict, kVerdicts));
    out.by = decider(decision.verdict);
    out.line = csv_.line();
    if (first.entity == second.entity) {
      if (!first.was_merged && !second.was_merged && !names_two())
        csv_.fail_here(fmt::format("entity {}, {}, stands there with itself", first.entity,
                                   in_quotes(facts_.entity_name(first.entity))));
      if (decision.verdict == MergeVerdict::kReject)
        csv_.fail_here(fmt::format(
            "keeps {} and {} apart, which are one entity in this folder; apply the decisions to "
            "the folder from before",
            in_quotes(field(kFirstName)), in_quotes(field(kSecondName))));
      return false;
    }
    const auto type_of = [&](Index k) {
      return facts_.types[facts_.entity_types[static_cast<std::size_t>(k)]];
    };
    if (type_of(first.entity) != type_of(second.entity))
      csv_.fail_here(
          fmt::format("entity {} is of type {} and entity {} of type {}; entities of "
                      "two types are never one",
                      first.entity, in_quotes(type_of(first.entity)), second.entity,
                      in_quotes(type_of(second.entity))));
    std::tie(decision.first, decision.second) = std::minmax(first.entity, second.entity);
    decision.name_score = score(kNameScore);
    decision.graph_score = score(kGraphScore);
    decision.score = score(kScore);
    decision.evidence = one_line_name(field(kEvidence));
    return true;
  }

  CsvReader csv_;
  const TemporalFacts& facts_;
  EntityFinder finder_;
  std::array<std::ptrdiff_t, kColumns> at_{};
};

// Of one pair, what counts most first, whatever lines they are on.
auto order_of(const DecidedPair& pair) {
  const MergeDecision& d = pair.decision;
  return std::make_tuple(d.first, d.second, d.verdict == MergeVerdict::kOpen,
                         pair.by == DecidedBy::kAutomatic, -d.score, -d.name_score, -d.graph_score,
                         std::string_view(d.evidence), pair.line);
}

bool of_one_pair(const DecidedPair& a, const DecidedPair& b) {
  return a.decision.first == b.decision.first && a.decision.second == b.decision.second;
}

// Sorts, and leaves one line for each pair.
void settle_pairs(DecidedPairs& all) {
  std::vector<DecidedPair>& pairs = all.pairs;
  std::sort(pairs.begin(), pairs.end(),
            [](const DecidedPair& a, const DecidedPair& b) { return order_of(a) < order_of(b); });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (kept > 0 && of_one_pair(pairs[kept - 1], pairs[k])) {
      const DecidedPair& before = pairs[kept - 1];
      const MergeVerdict verdict = pairs[k].decision.verdict;
      if (verdict != MergeVerdict::kOpen && verdict != before.decision.verdict) {
        const auto [early, late] = std::minmax(before.line, pairs[k].line);
        fail("{}: line {}: says the contrary of line {} about entities {} and {}; leave one",
             all.file, late, early, before.decision.first, before.decision.second);
      }
      ++all.counts["lines about a pair that another line has"];
      continue;
    }
    if (kept != k) pairs[kept] = std::move(pairs[k]);
    ++kept;
  }
  pairs.resize(kept);
}

}  // namespace

DecidedPairs read_decisions(const std::filesystem::path& path, const TemporalFacts& facts,
                            const Authorships& authorships, const MergedNames& merged) {
  DecidedPairs out = Reader(path, facts, authorships, merged).read(path.string());
  settle_pairs(out);
  return out;
}

DecidedPairs decided_pairs(std::vector<MergeDecision> proposals, DecidedPairs file) {
  DecidedPairs out;
  out.file = std::move(file.file);
  out.counts = std::move(file.counts);
  out.pairs.reserve(proposals.size() + file.pairs.size());
  const auto key = [](const MergeDecision& d) { return std::pair(d.first, d.second); };
  std::size_t at = 0;
  for (MergeDecision& proposal : proposals) {
    while (at < file.pairs.size() && key(file.pairs[at].decision) < key(proposal))
      out.pairs.push_back(std::move(file.pairs[at++]));
    DecidedPair pair;
    if (at < file.pairs.size() && key(file.pairs[at].decision) == key(proposal)) {
      const DecidedPair& said = file.pairs[at++];
      pair.line = said.line;
      const bool changed = said.decision.verdict != proposal.verdict;
      pair.by = changed ? DecidedBy::kPerson : said.by;
      proposal.verdict = said.decision.verdict;
    }
    pair.decision = std::move(proposal);
    out.pairs.push_back(std::move(pair));
  }
  while (at < file.pairs.size()) out.pairs.push_back(std::move(file.pairs[at++]));
  return out;
}

std::string decisions_csv(const TemporalFacts& facts, const Authorships& authorships,
                          std::span<const DecidedPair> pairs) {
  std::string out = fmt::format("{}\n", fmt::join(kNames, ","));
  std::vector<Index> first_row(static_cast<std::size_t>(facts.entities()), -1);
  for (std::size_t k = authorships.entity.size(); k-- > 0;)
    first_row[static_cast<std::size_t>(authorships.entity[k])] = static_cast<Index>(k);
  for (const DecidedPair& pair : pairs) {
    const MergeDecision& d = pair.decision;
    for (const Index entity : {d.first, d.second})
      out += fmt::format("{},{},", entity, csv_quoted(facts.entity_name(entity)));
    out +=
        fmt::format("{},{:.4f},{:.4f},{:.4f},{},{},{}",
                    csv_quoted(facts.types[facts.entity_types[static_cast<std::size_t>(d.first)]]),
                    d.name_score, d.graph_score, d.score, csv_quoted(one_line_name(d.evidence)),
                    kVerdicts[static_cast<std::size_t>(d.verdict)],
                    kDeciders[static_cast<std::size_t>(pair.by)]);
    for (const Index entity : {d.first, d.second}) {
      const Index row = first_row[static_cast<std::size_t>(entity)];
      out += ',';
      if (row >= 0) out += csv_quoted(authorship_text(authorships, static_cast<std::size_t>(row)));
    }
    out += '\n';
  }
  return out;
}

}  // namespace cupel
