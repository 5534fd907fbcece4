// What verdicts mean and rest on, in words that all readable formats share.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "cupel/judge/report/print.h"

namespace cupel::report {
namespace {

std::string_view p_words(const Friedman& test) {
  if (test.p_is == FriedmanP::kCounted) return "counted over all orders of the ranks";
  if (test.p_is == FriedmanP::kF) return "by the F distribution";
  return test.alike ? "the chance of that" : "the chance of these ranks, whichever model has which";
}

bool is_judged(const Cell& cell) { return cell.gap_interval.has_value(); }

bool any_judged(const ReportTable& table) {
  return std::any_of(table.cells.begin(), table.cells.end(), is_judged);
}

// "1 point", "0.5 points"; "2 ranks" where the table has nothing else.
std::string points(double value, const ReportTable& table) {
  const std::string number = fmt::format("{}", value);
  return fmt::format("{} {}{}", number, is_of_ranks(table) ? "rank" : "point",
                     number == "1" ? "" : "s");
}

std::string ranks_tally(const ReportTable& table) {
  int published = 0, same = 0, near = 0;
  for (const Cell& cell : table.cells) {
    if (cell.verdict != Verdict::kNotTested) continue;
    ++published;
    same += *cell.gap == 0;
    near += *cell.gap != 0 && std::abs(*cell.gap) <= 1;
  }
  if (published == 0) return "";
  return fmt::format("{} published ranks here: {} the same, {} one apart, {} further.", published,
                     same, near, published - same - near);
}

std::string readings_tally(const ReportTable& table) {
  std::vector<std::string> parts;
  for (const char* outcome : {"released", "designed", "both", "neither", "undecided"}) {
    const auto count =
        std::count_if(table.readings.begin(), table.readings.end(),
                      [&](const Reading& reading) { return reading.printed == outcome; });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, outcome));
  }
  return parts.empty()
             ? ""
             : fmt::format("What the publication printed, by cell: {}.", fmt::join(parts, ", "));
}

std::string meaning(Verdict verdict, double gap, const ReportTable& table) {
  switch (verdict) {
    case Verdict::kEquivalent:
      return fmt::format("equivalent: the interval of the gap lies within ± {} (δ)",
                         points(table.delta, table));
    case Verdict::kDifferent:
      return fmt::format("different, ours {}: the gap is not 0 (p ≤ {} after correction)",
                         gap > 0 ? "higher" : "lower", kAlpha);
    case Verdict::kUndecided:
      return "cannot tell: neither is shown";
    case Verdict::kNotComparable:
      return "not comparable: the published value covers other data sets or models than the runs";
    default:
      return "";
  }
}

}  // namespace

std::string tally(const ReportTable& table) {
  if (table.kind == "ranks") return ranks_tally(table);
  if (table.kind == "readings") return readings_tally(table);
  int published = 0;
  std::vector<std::string> parts;
  for (const Verdict verdict : kVerdicts) {
    if (verdict == Verdict::kNotPublished || verdict == Verdict::kNoRuns) continue;
    const auto count = std::count_if(table.cells.begin(), table.cells.end(),
                                     [&](const Cell& cell) { return cell.verdict == verdict; });
    published += static_cast<int>(count);
    if (count == 0) continue;
    parts.push_back(verdict == Verdict::kUndecided ? fmt::format("{} undecided", count)
                                                   : fmt::format("{} {}", count, to_text(verdict)));
  }
  if (published == 0) return "";
  return fmt::format(
      "{} {}{} with {}: {}.", published, table.shares_published ? "comparison" : "published value",
      published == 1 ? "" : "s", table.shares_published ? "a published value" : "runs here",
      fmt::join(parts, ", "));
}

std::string method(const ReportTable& table) {
  if (!any_judged(table)) return "";
  const bool drawless = std::ranges::any_of(table.cells, &Cell::drawless);
  return fmt::format(
      "Gap: ours − published, ± half its 90 % interval. Smallest δ: the margin within which two "
      "one-sided tests at 5 % show the cell equivalent; the table asks for {}. Different: Welch's "
      "test at 5 %, corrected by Bonferroni for the {} comparison{} that the protocol makes with "
      "published values of this table. Below {} independent draws nothing is concluded.{}",
      points(table.delta, table), table.family, table.family == 1 ? "" : "s", kFewestDraws,
      drawless
          ? " Where neither side draws anything, the interval is the rounding of the published "
            "value, and a gap beyond it is not 0."
          : "");
}

std::string looks_text(const ReportTable& table) {
  bool any = false, more = false;
  for (const Cell& cell : table.cells) {
    any = any || cell.looks > 0;
    more = more || cell.beyond_look;
  }
  if (!any) return "";
  return fmt::format(
      "Look: a cell's runs ended at the look at which it was decided, of so many planned, after so "
      "many splits (or initialisations of stored splits), or at which it was plain that later ones "
      "would not decide it; intervals and levels hold although one looked before (alpha spending, "
      "linear).{}",
      more ? " Where a store has more runs of a cell, its mean is of all of them, and its gap, "
             "interval and verdict are of those of the look."
           : "");
}

std::string power_text(const ReportTable& table) {
  std::vector<double> gaps;
  for (const Cell& cell : table.cells) {
    if (cell.detectable_gap) gaps.push_back(*cell.detectable_gap);
  }
  if (gaps.empty()) return "";
  std::sort(gaps.begin(), gaps.end());
  const std::string range =
      gaps.size() == 1
          ? fixed(gaps[0], kGapDecimals)
          : fmt::format("{} to {}, median {}", fixed(gaps.front(), kGapDecimals),
                        fixed(gaps.back(), kGapDecimals), fixed(quantile(gaps, 0.5), kGapDecimals));
  return fmt::format("Smallest gap that would have been called different with probability {}: {}.",
                     kPower, range);
}

std::string open_text(const ReportTable& table) {
  int open = 0, within_reach = 0, bounded = 0, ended = 0;
  // By model and data set: cells by several metrics are of the same runs.
  std::map<std::pair<std::string, std::string>, double> missing;
  std::vector<std::string> options;
  for (const Cell& cell : table.cells) {
    if (cell.verdict != Verdict::kUndecided) continue;
    ++open;
    bounded += !cell.sharper.empty();
    ended += cell.no_more_runs;
    if (!cell.sharper.empty() &&
        std::find(options.begin(), options.end(), cell.sharper) == options.end())
      options.push_back(cell.sharper);
    if (!cell.runs_to_decide) continue;
    ++within_reach;
    double& runs = missing[{cell.model, cell.column.dataset}];
    runs = std::max(runs, *cell.runs_to_decide);
  }
  if (open == 0) return "";
  double runs = 0;
  for (const auto& [cell, more] : missing) runs += more;
  const auto of_them = [&](int count) {
    return count == open ? open == 1 ? std::string("it") : std::string("all of them")
                         : fmt::format("{} of them", count);
  };
  std::string text = fmt::format("Open: {} cell{}.", open, open == 1 ? "" : "s");
  if (within_reach > 0)
    text += fmt::format(" If the gaps stay as they are, about {:.0f} more runs decide {}.", runs,
                        of_them(within_reach));
  if (bounded > 0) {
    const std::string whose = bounded < open ? fmt::format("The error of {} of them", bounded)
                                             : std::string(open == 1 ? "Its error" : "Their error");
    text += fmt::format(" {} is an upper bound; {} gives a sharper one.", whose,
                        fmt::join(options, " or "));
  }
  if (ended > 0)
    text += fmt::format(
        " There are no more runs of {}: the model draws nothing, and the splits are stored.",
        of_them(ended));
  if (const int rest = open - within_reach - bounded - ended; rest > 0)
    text += fmt::format(
        " No number of runs decides {}: the error of the published mean alone is too large, or "
        "not known.",
        rest == open ? (open == 1 ? "it" : "them")
                     : fmt::format("the other{}", rest == 1 ? "" : "s"));
  return text;
}

std::vector<LegendLine> legend(const ReportTable& table) {
  std::vector<LegendLine> lines;
  for (const Verdict verdict : kVerdicts) {
    for (const double side : {1.0, -1.0}) {
      const std::string mark = mark_of(verdict, side);
      const bool occurs =
          std::any_of(table.cells.begin(), table.cells.end(), [&](const Cell& cell) {
            return cell.verdict == verdict && mark_of(cell.verdict, cell.gap.value_or(0)) == mark;
          });
      const bool said =
          !lines.empty() && lines.back().verdict == verdict && verdict != Verdict::kDifferent;
      if (occurs && !mark.empty() && !said)
        lines.push_back({verdict, side, meaning(verdict, side, table)});
    }
  }
  return lines;
}

std::string friedman_text(const FieldTest& test) {
  const Friedman& friedman = test.friedman;
  const std::string seen = friedman.alike
                               ? fmt::format("all {} data sets rank them alike", test.datasets)
                               : fmt::format("F = {:.2f} after Iman and Davenport", friedman.f);
  return fmt::format("Friedman's test of {} models over {} data sets: {}, {} ({})", test.models(),
                     test.datasets, seen, p_text(friedman.p), p_words(friedman));
}

std::string field_text(const ReportTable& table) {
  if (!table.field) return "";
  const FieldTest& f = *table.field;
  return fmt::format(
      "{}; at 5 % two mean ranks over data sets differ if they are more than {:.2f} apart "
      "(Nemenyi){}.",
      friedman_text(f), f.critical_difference,
      f.critical_difference > (f.models() - 1) / 2.0
          ? ", more than half of all there is: so few data sets separate few models"
          : "");
}

std::string letters_text(const ReportTable& table) {
  bool few = false;
  for (const Comparison& comparison : table.comparisons)
    for (const RowPair& pair : comparison.pairs) few = few || pair.splits < kFewestDraws;
  std::string out = fmt::format(
      "On each data set, models that share a letter were not found different; a goes to the best "
      "and its equals. Sharing a letter shows no equality: pairs are different, equivalent within "
      "± {}, or cannot be told. Paired t tests over common splits, 5 %, Bonferroni over the pairs "
      "of the protocol's rows; they speak of this data set, not of others like it.",
      points(table.delta, table));
  if (few) out += fmt::format(" Below {} common splits nothing is concluded.", kFewestDraws);
  return out;
}

std::string outcome(const RowPair& pair) {
  if (!pair.p) return "too few common splits";
  switch (pair.verdict) {
    case Verdict::kDifferent:
      return fmt::format("{} {} {}", pair.a, *pair.difference > 0 ? ">" : "<", pair.b);
    case Verdict::kEquivalent:
      return "equivalent";
    default:
      return "cannot tell";
  }
}

}  // namespace cupel::report
