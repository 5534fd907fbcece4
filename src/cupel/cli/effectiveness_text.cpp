// `cupel effectiveness` for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "cupel/cli/effectiveness.h"
#include "cupel/cli/pairs.h"
#include "cupel/cli/text.h"
#include "cupel/judge/report/print.h"

namespace cupel::cli {
namespace {

std::string four(const std::optional<double>& value) {
  return value ? report::fixed(*value, 4) : "–";
}

// Which of several stood for them: "gin-s on MUTAG, DD; kernel-s on NCI1".
std::string chosen_text(const EffectivenessReport& report,
                        std::optional<EffectivenessPart> DatasetEffectiveness::*part,
                        std::string EffectivenessPart::*side) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!(of.*part)) continue;
    const std::string& name = (*(of.*part)).*side;
    auto at =
        std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == name; });
    if (at == found.end()) at = found.insert(found.end(), {name, {}});
    at->second.push_back(of.dataset);
  }
  std::vector<std::string> out;
  for (const auto& [name, datasets] : found)
    out.push_back(fmt::format("{} on {}", name, fmt::join(datasets, ", ")));
  return fmt::format("{}", fmt::join(out, "; "));
}

// The same notes of several data sets once.
std::string notes_text(const EffectivenessReport& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (of.notes.empty()) continue;
    const std::string notes = fmt::format("{}", fmt::join(of.notes, ", "));
    auto at =
        std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == notes; });
    if (at == found.end()) at = found.insert(found.end(), {notes, {}});
    at->second.push_back(of.dataset);
  }
  std::string out;
  for (const auto& [notes, datasets] : found)
    out += wrap(fmt::format("{}: {}.", fmt::join(datasets, ", "), notes));
  return out;
}

// What errors speak of, each with its data sets where they differ.
std::string scopes_text(const EffectivenessReport& report) {
  std::vector<std::pair<ErrorScope, std::vector<std::string>>> found;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!of.p) continue;
    auto at = std::find_if(found.begin(), found.end(),
                           [&](const auto& f) { return f.first == of.scope; });
    if (at == found.end()) at = found.insert(found.end(), {of.scope, {}});
    at->second.push_back(of.dataset);
  }
  std::string out;
  for (const auto& [scope, datasets] : found) {
    const std::string on =
        found.size() == 1 ? "" : fmt::format(", on {}", fmt::join(datasets, ", "));
    const char* what =
        scope == ErrorScope::kOtherData
            ? "Errors{} speak of other data of the kind: they are corrected for the examples that "
              "training parts have in common (Nadeau and Bengio 2003)."
        : scope == ErrorScope::kRepetitions
            ? "Errors{} speak of this data set alone, of what other folds of it give: they are "
              "those of the means of whole repetitions."
            : "Errors{} speak of this data set alone, of what other splits of it give; examples "
              "that splits share are not accounted for.";
    out += wrap(fmt::format(fmt::runtime(what), on));
  }
  return out;
}

// "E goes with the gap ..."; "" where there are too few data sets to say so.
std::string correlations_text(const GapCorrelations& of) {
  std::vector<std::string> parts;
  for (const auto& [what, value] : {std::pair{"E_S and GAP_S", of.structure},
                                    {"E_A and GAP_A", of.attributes},
                                    {"E and the sum of gaps", of.both}})
    if (value) parts.push_back(fmt::format("{} of {}", report::with_sign(*value, 2), what));
  if (parts.empty()) return "";
  return wrap(fmt::format("Spearman's correlation over data sets: {}.", fmt::join(parts, ", ")));
}

std::string legend_text(const EffectivenessReport& report) {
  const EffectivenessRequest& request = report.request;
  std::string out;
  for (const auto& [letter, name, rows, part] :
       {std::tuple{"S", "structure", &request.structure, &DatasetEffectiveness::structure},
        {"A", "attributes", &request.attributes, &DatasetEffectiveness::attributes}}) {
    if (!*rows) continue;
    out += wrap(fmt::format("{}: {}, {}.", letter, name, rows_text(**rows)));
    for (const auto& [names, side] : {std::pair{&(*rows)->gnn, &EffectivenessPart::gnn},
                                      {&(*rows)->baseline, &EffectivenessPart::baseline}}) {
      const std::string chosen = chosen_text(report, part, side);
      if (names->size() > 1 && !chosen.empty()) out += wrap("Best: " + chosen + ".", 3);
    }
  }
  out += wrap(
      "GAP: graph model less baseline, in percentage points. λ: the room that the lower of the two "
      "scores leaves. E: |gap| / (lower score (|Y| - 1)) λ, summed over S and A, and the same from "
      "published means (Li et al. 2024, equation 1). E does not say who is ahead; the gap does.");
  if (std::any_of(report.datasets.begin(), report.datasets.end(),
                  [](const auto& of) { return of.interval.has_value(); }))
    out += wrap(
               "±: 95 % of a gap, paired over splits, Student's t. P: of no gap at all, Holm over "
               "S and A; "
               "P_S, P_A: of each. 95 %: of E, which begins at 0 where P is above 0.05. E is never "
               "below "
               "0, and above it by chance alone.") +
           scopes_text(report);
  return out;
}

using PartOf = std::optional<EffectivenessPart> DatasetEffectiveness::*;

// Letters and members of the parts that were asked for.
std::vector<std::pair<char, PartOf>> parts_of(const EffectivenessReport& report) {
  std::vector<std::pair<char, PartOf>> out;
  if (report.request.structure) out.emplace_back('S', &DatasetEffectiveness::structure);
  if (report.request.attributes) out.emplace_back('A', &DatasetEffectiveness::attributes);
  return out;
}

std::vector<Measure> measures_of(const EffectivenessReport& report) {
  std::vector<Measure> out;
  for (const DatasetEffectiveness& of : report.datasets)
    if (!std::count(out.begin(), out.end(), of.measure)) out.push_back(of.measure);
  return out;
}

std::string name_of(const EffectivenessReport& report, const DatasetEffectiveness& of) {
  return report::printable(measures_of(report).size() > 1
                               ? of.dataset + ", " + report::measure_words(of.measure)
                               : of.dataset);
}

// "+7.0 ± 5.1", percentage points.
std::string gap_text(const std::optional<EffectivenessPart>& part) {
  if (!part) return "–";
  std::string out = report::with_sign(part->value.gap * 100, 1);
  if (!part->evidence) return out;
  const Interval& interval = part->evidence->interval;
  return out + " ± " + report::fixed((interval.high - interval.low) * 50, 1);
}

std::string main_table(const EffectivenessReport& report) {
  const bool published =
      std::any_of(report.datasets.begin(), report.datasets.end(),
                  [](const auto& of) { return of.published.effectiveness.has_value(); });
  std::vector<std::string> head = {"DATA SET", "|Y|"};
  for (const auto& [letter, part] : parts_of(report)) head.push_back(fmt::format("GAP_{}", letter));
  for (const char* name : {"E", "95 %", "P"}) head.emplace_back(name);
  if (published) head.emplace_back("PUBL.");
  Columns columns("l" + std::string(head.size() - 1, 'r'));
  columns.row(head);
  for (const DatasetEffectiveness& of : report.datasets) {
    std::vector<std::string> cells = {name_of(report, of), std::to_string(of.classes)};
    for (const auto& [letter, part] : parts_of(report)) cells.push_back(gap_text(of.*part));
    cells.push_back(four(of.effectiveness));
    cells.push_back(
        of.interval ? fmt::format("{}–{}", four(of.interval->low), four(of.interval->high)) : "–");
    cells.push_back(of.p ? report::p_number(*of.p) : "–");
    if (published) cells.push_back(four(of.published.effectiveness));
    columns.row(std::move(cells));
  }
  return columns.text();
}

// How E comes from its parts.
std::string parts_table(const EffectivenessReport& report) {
  std::vector<std::string> head = {"DATA SET"};
  for (const auto& [letter, part] : parts_of(report))
    for (const char* name : {"λ", "E", "P"}) head.push_back(fmt::format("{}_{}", name, letter));
  Columns columns("l" + std::string(head.size() - 1, 'r'));
  columns.row(head);
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!of.effectiveness) continue;
    std::vector<std::string> cells = {name_of(report, of)};
    for (const auto& [letter, member] : parts_of(report)) {
      const std::optional<EffectivenessPart>& part = of.*member;
      cells.push_back(part ? report::fixed(part->value.factor, 2) : "–");
      cells.push_back(part ? four(part->value.effectiveness) : "–");
      cells.push_back(part && part->evidence ? report::p_number(part->evidence->p) : "–");
    }
    columns.row(std::move(cells));
  }
  return columns.text();
}

}  // namespace

std::string effectiveness_text(const EffectivenessReport& report) {
  const std::vector<Measure> measures = measures_of(report);
  const std::string by = measures.size() == 1 ? ", by " + report::measure_words(measures[0]) : "";
  std::string out = fmt::format("Effectiveness of data sets, {}{}\n\n{}\n{}\n{}",
                                report::printable(report.protocol), by, main_table(report),
                                parts_table(report), legend_text(report));
  out += correlations_text(report.correlations);
  const std::string notes = notes_text(report);
  return notes.empty() ? out : out + "\n" + notes;
}

}  // namespace cupel::cli
