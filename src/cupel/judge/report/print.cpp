#include "cupel/judge/report/print.h"

#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/tests.h"
#include "cupel/learn/score/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cupel::report {
namespace {

std::string mean_and_spread(const std::optional<double>& mean, const std::optional<double>& sd,
                            int decimals, int of_spread) {
  if (!mean) return "";
  if (!sd) return fixed(*mean, decimals);
  return fmt::format("{} ± {}", fixed(*mean, decimals), fixed(*sd, of_spread));
}

std::string spread_words(const std::string& kind) {
  if (kind == "sd_ddof1_pooled_runs") return "standard deviation over all runs";
  if (kind == "sd_over_inits") return "standard deviation over initialisations";
  if (kind == "se_over_inits") return "standard error over initialisations";
  if (kind == "sd_over_splits") return "standard deviation over splits";
  if (kind == "sd_ddof0_over_splits") return "population standard deviation over splits";
  if (kind == "ci95_bootstrap_pooled_runs")
    return "larger side of the 95 % bootstrap interval over all runs";
  if (kind == "ci95_bootstrap_over_inits")
    return "larger side of the 95 % bootstrap interval over initialisations";
  return kind;
}

// The words for some cells' spreads, each once.
template <class KindOf>
std::vector<std::string> spreads_of(const ReportTable& table, KindOf&& kind_of) {
  std::vector<std::string> out;
  for (const Cell& cell : table.cells) {
    const std::string words = spread_words(kind_of(cell));
    if (!words.empty() && std::find(out.begin(), out.end(), words) == out.end())
      out.push_back(words);
  }
  return out;
}

// What the ± of published values is of, where it is of something else than ours.
std::string published_sentence(const ReportTable& table) {
  const auto kinds = spreads_of(table, [](const Cell& cell) {
    const bool other = (cell.mean || cell.quoted) && cell.published_spread &&
                       cell.published_spread_kind != "none" &&
                       cell.published_spread_kind != cell.spread_kind;
    return other ? cell.published_spread_kind : "";
  });
  return kinds.empty()
             ? ""
             : fmt::format(" The ± of published values is the {}.", fmt::join(kinds, " or the "));
}

// The runs behind the cells that are complete; the others say theirs.
std::string runs_sentence(const ReportTable& table) {
  int fewest = 0, most = 0, splits = 0;
  bool same_splits = true;
  for (const Cell& cell : table.cells) {
    if (cell.n == 0 || cell.n != cell.expected_n) continue;
    same_splits = same_splits && (most == 0 || splits == cell.splits);
    fewest = most == 0 ? cell.n : std::min(fewest, cell.n);
    most = std::max(most, cell.n);
    splits = cell.splits;
  }
  if (most == 0) return "";
  const std::string runs =
      fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  std::string where;
  if (same_splits) where = fmt::format(" on {} split{}", splits, splits == 1 ? "" : "s");
  return fmt::format(" {} run{} per cell{}, unless a cell says otherwise.", runs,
                     most == 1 ? "" : "s", where);
}

}  // namespace

int decimals_of(double value) {
  const std::string text = fmt::format("{}", value);
  if (text.find('e') != std::string::npos) return 0;
  const std::size_t point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text;
}

std::string with_sign(double value, int decimals) {
  const std::string text = fixed(value, decimals);
  if (text[0] == '-') return "−" + text.substr(1);
  return "+" + text;
}

std::string p_number(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

std::string p_text(double p) { return (p < 0.001 ? "p " : "p = ") + p_number(p); }

std::string mean_text(const Cell& cell) {
  if (cell.column.measure == kRank && cell.mean && cell.interval)
    return fmt::format("{} [{}–{}]", fixed(*cell.mean, cell.decimals), fixed(cell.interval->low, 0),
                       fixed(cell.interval->high, 0));
  return mean_and_spread(cell.mean, cell.sd, cell.decimals, cell.decimals);
}

std::string published_text(const Cell& cell) {
  constexpr int kMore = 2;
  const int stated = decimals_of(cell.published_spread.value_or(0));
  return mean_and_spread(cell.published_mean, cell.published_spread, cell.decimals,
                         std::clamp(stated, cell.decimals, cell.decimals + kMore));
}

std::string gap_text(const Cell& cell) {
  if (!cell.gap) return "";
  if (cell.column.measure == kRank) return with_sign(*cell.gap, cell.decimals);
  const std::string gap = with_sign(*cell.gap, kGapDecimals);
  if (!cell.gap_interval) return gap;
  return fmt::format("{} ± {}", gap,
                     fixed((cell.gap_interval->high - cell.gap_interval->low) / 2, kGapDecimals));
}

std::string delta_text(const Cell& cell) {
  return cell.smallest_delta ? fixed(*cell.smallest_delta, kGapDecimals) : "";
}

std::string look_text(const Cell& cell) {
  return cell.looks > 0 ? fmt::format("{} of {} ({})", cell.look, cell.looks, cell.look_size) : "";
}

std::string runs_text(const Cell& cell) {
  return has_begun(cell) && cell.n != cell.expected_n
             ? fmt::format("{} of {}", cell.n, cell.expected_n)
             : "";
}

std::string trouble_text(const Cell& cell) {
  std::vector<std::string> parts;
  if (cell.failed) parts.push_back(fmt::format("{} failed", cell.failed));
  if (cell.timed_out) parts.push_back(fmt::format("{} timed out", cell.timed_out));
  if (cell.conflicts) parts.push_back(fmt::format("{} in conflict", cell.conflicts));
  if (cell.diverged) parts.push_back(fmt::format("{} diverged", cell.diverged));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string measure_words(const Measure& measure) {
  const auto known = find_metric(measure.metric);
  std::string name = known ? known->words() : measure.metric;
  if (!measure.group.empty()) name += " on " + measure.group;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string in_unit(const std::string& words, const MetricScale& scale) {
  return scale.in_percent() ? words + " in percent" : words;
}

bool is_of_ranks(const ReportTable& table) {
  return !table.columns.empty() && std::ranges::none_of(table.columns, [](const Column& column) {
    return scale_of(column.measure).in_percent();
  });
}

std::string column_text(const ReportTable& table, const Column& column) {
  if (table.kind == "relative") return measure_words(column.measure);
  const bool several = std::any_of(table.columns.begin(), table.columns.end(),
                                   [&](const Column& c) { return c.measure != column.measure; });
  return several ? column.dataset + " " + measure_words(column.measure) : column.dataset;
}

std::string row_text(const ReportTable& table, std::size_t row) {
  return table.models[row] + (table.is_quoted(row) ? " (quoted)" : "");
}

std::string heading(const ReportTable& table) {
  return table.title.empty() ? "Table " + table.id
                             : fmt::format("Table {}. {}", table.id, table.title);
}

std::string caption(const ReportTable& table) {
  const auto kinds =
      spreads_of(table, [](const Cell& cell) { return cell.sd ? cell.spread_kind : ""; });
  const std::string spread = kinds.empty() ? "" : fmt::format(" ± {}", fmt::join(kinds, " or "));
  if (table.kind == "relative") {
    return fmt::format(
        "Per split of each data set: score in percent of the best model's, and rank "
        "(1 = best); mean{}, from table {}.",
        spread, table.source);
  }
  if (table.kind == "ranks")
    return fmt::format(
        "Rank of each row by its mean on each data set (1 = best), from table {}; in brackets, "
        "its 95 % interval over the draw of splits (bootstrap).",
        table.source);
  // Those in percent first, so that it is said once.
  std::vector<std::string> fractions, others;
  for (const Column& column : table.columns) {
    const std::string name = measure_words(column.measure);
    auto& names = scale_of(column.measure).in_percent() ? fractions : others;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (!fractions.empty())
    others.insert(others.begin(), fmt::format("{} in percent", fmt::join(fractions, ", ")));
  return fmt::format("Test {}: mean{}.{}{}", fmt::join(others, ", "), spread, runs_sentence(table),
                     published_sentence(table));
}

std::string diverged_text(const ReportTable& table) {
  const bool any = (table.kind == "scores" || table.kind == "readings") &&
                   std::any_of(table.cells.begin(), table.cells.end(),
                               [](const Cell& c) { return c.diverged > 0; });
  return any ? "Diverged runs count with the parameters that their stopping rule restored; one "
               "without a score counts as missing."
             : "";
}

bool has_letters(const ReportTable& table) {
  return std::any_of(table.comparisons.begin(), table.comparisons.end(),
                     [](const Comparison& c) { return !c.letters.empty(); });
}

View view_of(const ReportTable& table) {
  // A row of the source may have runs, and none that count here.
  const char* const missing =
      table.kind == "relative" ? "No scores on the splits that count here" : "No runs yet";
  View view;
  std::vector<std::string> out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    bool used = false;
    for (std::size_t r = 0; r < table.models.size(); ++r)
      used = used || has_begun(table.cell(r, c));
    if (used) {
      view.columns.push_back(c);
    } else {
      out.push_back(column_text(table, table.columns[c]));
    }
  }
  for (std::size_t r = 0; r < table.models.size(); ++r) {
    bool used = false;
    for (const std::size_t c : view.columns) used = used || is_shown(table.cell(r, c));
    if (used) {
      view.rows.push_back(r);
    } else if (!view.columns.empty() && !table.is_quoted(r)) {
      out.push_back(table.models[r]);
    }
  }
  if (view.columns.empty()) {
    view.left_out = fmt::format("{}.", missing);
  } else if (!out.empty()) {
    view.left_out = fmt::format("{}: {}.", missing, fmt::join(out, ", "));
  }
  return view;
}

bool is_best(const ReportTable& table, std::size_t row, std::size_t column) {
  const Cell& mine = table.cell(row, column);
  int most = 0;
  for (std::size_t r = 0; r < table.models.size(); ++r) {
    if (table.cell(r, column).mean) most = std::max(most, table.cell(r, column).splits);
  }
  // A few splits win nothing over many; beyond that rows may have as many as they needed.
  const int enough = std::min(most, kFewestDraws);
  if (!mine.mean || mine.splits < enough) return false;
  for (std::size_t r = 0; r < table.models.size(); ++r) {
    const Cell& other = table.cell(r, column);
    if (!other.mean || other.splits < enough) continue;
    if (scale_of(mine.column.measure).is_better(*other.mean, *mine.mean) &&
        !is_tie(*other.mean, *mine.mean))
      return false;
  }
  return true;
}

std::string replaced(std::string_view text,
                     const std::vector<std::pair<char, std::string_view>>& replacements) {
  std::string result;
  for (const char c : text) {
    const auto found = std::find_if(replacements.begin(), replacements.end(),
                                    [&](const auto& r) { return r.first == c; });
    if (found == replacements.end()) {
      result += c;
    } else {
      result += found->second;
    }
  }
  return result;
}

std::string xml_escaped(std::string_view text) {
  return replaced(printable(text),
                  {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

}  // namespace cupel::report
