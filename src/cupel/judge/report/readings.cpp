// Models as designed and as released beside one published value: which of the two was it?
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/build.h"

namespace cupel::report {
namespace {

std::string printed_of(const Cell& designed, const Cell& released) {
  if (!designed.published_mean) return "not published";
  const Verdict d = designed.verdict, r = released.verdict;
  const auto decided = [](Verdict v) {
    return v == Verdict::kEquivalent || v == Verdict::kDifferent;
  };
  if (!decided(d) || !decided(r)) return "undecided";
  if (d == r) return d == Verdict::kEquivalent ? "both" : "neither";
  return d == Verdict::kEquivalent ? "designed" : "released";
}

}  // namespace

ReportTable readings_table(const Results& results, const TableResults& table) {
  const TableResults& source = source_of(results, table);
  ReportTable report;
  report.id = table.id;
  report.title = table.title;
  report.kind = table.kind;
  report.source = table.source;
  report.shares_published = true;
  std::vector<std::pair<std::string, std::string>> pairs;  // designed, released
  for (const std::string& designed : table.models) {
    report.models.push_back(designed);
    for (const std::string& row : source.models) {
      const auto reading = results.reading_of.find(row);
      if (reading == results.reading_of.end() || reading->second != designed) continue;
      report.models.push_back(row);
      pairs.emplace_back(designed, row);
    }
  }
  for (const std::string& dataset : table.datasets)
    report.columns.push_back({dataset, measure_on(source, dataset)});
  fill_cells(report, results, source);
  for (const Column& column : report.columns) {
    for (const auto& [designed, released] : pairs) {
      const Cell& d = *report.find(designed, column);
      const Cell& r = *report.find(released, column);
      if (!has_begun(d) && !has_begun(r)) continue;
      report.readings.push_back({column, designed, released, printed_of(d, r)});
    }
  }
  if (std::string note = conflict_note(report); !note.empty()) report.notes.push_back(note);
  for (std::string& note : choice_notes(report)) report.notes.push_back(std::move(note));
  return report;
}

}  // namespace cupel::report
