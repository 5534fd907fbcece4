// GitHub-flavoured Markdown.
#include <fmt/format.h>

#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

using namespace report;

std::string escaped(const std::string& text) {
  return replaced(printable(text), {{'\\', "\\\\"},
                                    {'|', "\\|"},
                                    {'*', "\\*"},
                                    {'_', "\\_"},
                                    {'`', "\\`"},
                                    {'$', "\\$"},
                                    {'~', "\\~"},
                                    {'<', "&lt;"},
                                    {'>', "&gt;"},
                                    {'&', "&amp;"},
                                    {'[', "\\["}});
}

// Within tags, where a backslash is one: the same characters as references of HTML.
std::string in_tags(const std::string& text) {
  constexpr std::string_view kMarks = "\\|*_`$~<>&[";
  std::string out;
  for (const char c : printable(text))
    out += kMarks.find(c) != kMarks.npos ? fmt::format("&#{};", static_cast<int>(c))
                                         : std::string(1, c);
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string header(const std::vector<std::string>& names, std::size_t left = 1) {
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < names.size(); ++i) rule.push_back(i < left ? "---" : "---:");
  return row(names) + row(rule);
}

std::string cell_text(const ReportTable& table, std::size_t r, std::size_t c) {
  const Cell& cell = table.cell(r, c);
  if (cell.quoted && cell.published_mean) return fmt::format("({})", published_text(cell));
  if (!cell.mean) return runs_text(cell).empty() ? "–" : fmt::format("– ({})", runs_text(cell));
  std::string text = mean_text(cell);
  if (is_best(table, r, c)) text = "**" + text + "**";
  if (cell.published_mean)
    text += fmt::format("{}{} ({})", mark_of(cell.verdict, cell.gap.value_or(0)).empty() ? "" : " ",
                        mark_of(cell.verdict, cell.gap.value_or(0)), published_text(cell));
  if (!runs_text(cell).empty()) text += fmt::format(" [{}]", runs_text(cell));
  return text;
}

std::string grid_text(const Grid& grid) {
  const std::vector<std::string> head = [&] {
    std::vector<std::string> names;
    for (const std::string& name : grid.head) names.push_back(escaped(name));
    return names;
  }();
  std::string text = header(head);
  for (const Grid::Row& line : grid.rows) {
    std::vector<std::string> cells;
    for (const std::string& cell : line.cells) cells.push_back(escaped(cell));
    if (line.section) cells[0] = "**" + cells[0] + "**";
    cells.resize(head.size());
    text += row(cells);
  }
  return text;
}

// Readings stand side by side instead of below each other.
std::string readings_text(const ReportTable& table) {
  const Grid grid = readings_grid(table);
  std::string text =
      escaped(caption(table)) + "\n\n" + grid_text(grid) + "\n" + escaped(tally(table)) + "\n";
  // The grid's note is ours alone, and has code in it.
  for (const std::string& sentence :
       {escaped(power_text(table)), escaped(open_text(table)), escaped(looks_text(table)),
        grid.note, escaped(diverged_text(table)), escaped(method(table))}) {
    if (!sentence.empty()) text += "\n" + sentence + "\n";
  }
  for (const std::string& note : table.notes) text += "\n" + escaped(note) + "\n";
  return text;
}

// The evidence cell by cell.
std::string details(const ReportTable& table) {
  std::string text;
  for (const Cell& cell : table.cells) {
    if (!cell.gap_interval && trouble_text(cell).empty()) continue;
    text +=
        row({escaped(cell.column.dataset), escaped(cell.model), escaped(cell.column.measure.word()),
             mean_text(cell), fmt::format("{} of {}", cell.n, cell.expected_n), trouble_text(cell),
             published_text(cell), gap_text(cell), delta_text(cell),
             cell.p_corrected ? p_number(*cell.p_corrected) : "", to_text(cell.verdict)});
  }
  if (text.empty()) return "";
  return "\nCells beside a published value, or with runs that are not ok:\n\n" +
         header({"data set", "model", "metric", "ours", "runs", "not ok", "published", "gap",
                 "smallest δ", "p corrected", "verdict"},
                3) +
         text;
}

std::string letters_table(const ReportTable& table) {
  std::string text = escaped(letters_text(table)) + "\n\n";
  std::vector<std::string> names = {"model"};
  for (const Comparison& c : table.comparisons)
    names.push_back(escaped(column_text(table, c.column)));
  text += header(names);
  for (const std::size_t r : view_of(table).rows) {
    if (table.is_quoted(r)) continue;
    std::vector<std::string> cells = {escaped(table.models[r])};
    for (const Comparison& c : table.comparisons) {
      const auto found = c.letters.find(table.models[r]);
      cells.push_back(found == c.letters.end() ? "–" : found->second);
    }
    text += row(cells);
  }
  return text;
}

std::string comparison_text(const ReportTable& table) {
  std::string text = "\n### Models against each other, table " + escaped(table.id) + "\n\n";
  if (has_letters(table)) text += letters_table(table);
  for (const Comparison& c : table.comparisons) {
    if (!was_compared(c)) continue;
    text += fmt::format("\n<details><summary>All pairs on {}</summary>\n\n",
                        in_tags(column_text(table, c.column)));
    text += header({"pair", "outcome", "difference, 90 %", "smallest δ", "splits",
                    "splits to decide", "p", "p corrected", "p Wilcoxon", "p for data like this"},
                   2);
    for (const RowPair& pair : c.pairs) {
      if (!pair.p) {
        text += row({escaped(pair.a) + " – " + escaped(pair.b), outcome(pair), "", "",
                     std::to_string(pair.splits), "", "", "", "", ""});
        continue;
      }
      text += row({escaped(pair.a) + " – " + escaped(pair.b), escaped(outcome(pair)),
                   fmt::format("{} [{}, {}]", with_sign(*pair.difference, kGapDecimals),
                               with_sign(pair.interval->low, kGapDecimals),
                               with_sign(pair.interval->high, kGapDecimals)),
                   fixed(*pair.smallest_delta, kGapDecimals), std::to_string(pair.splits),
                   pair.splits_to_decide ? std::to_string(*pair.splits_to_decide) : "",
                   p_number(*pair.p), p_number(*pair.p_corrected), p_number(*pair.p_wilcoxon),
                   pair.p_general ? p_number(*pair.p_general) : "–"});
    }
    text += "\n</details>\n";
  }
  return text;
}

std::string render_markdown(const Report& report, const Results&) {
  std::string text =
      fmt::format("# {}\n", escaped(report.title.empty() ? report.protocol : report.title));
  for (const ReportTable& table : report.tables) {
    text += fmt::format("\n## {}\n\n", escaped(heading(table)));
    const View view = view_of(table);
    if (view.columns.empty()) {
      text += view.left_out + "\n";
      continue;
    }
    if (table.kind == "readings") {
      text += readings_text(table);
      continue;
    }
    text += escaped(caption(table)) + (method(table).empty()
                                           ? " Best in bold.\n\n"
                                           : " Best in bold; published values in parentheses.\n\n");
    std::vector<std::string> names = {"model"};
    for (const std::size_t c : view.columns) {
      names.push_back(escaped(column_text(table, table.columns[c])));
    }
    text += header(names);
    for (const std::size_t r : view.rows) {
      std::vector<std::string> cells = {escaped(row_text(table, r))};
      for (const std::size_t c : view.columns) cells.push_back(cell_text(table, r, c));
      text += row(cells);
    }
    text += "\n";
    if (!tally(table).empty()) text += escaped(tally(table)) + "\n\n";
    for (const LegendLine& line : legend(table)) {
      text += fmt::format("- {} {}\n", mark_of(line.verdict, line.gap), escaped(line.text));
    }
    for (const std::string& sentence :
         {power_text(table), open_text(table), looks_text(table), diverged_text(table),
          method(table), field_text(table), view.left_out}) {
      if (!sentence.empty()) text += "\n" + escaped(sentence) + "\n";
    }
    for (const std::string& note : table.notes) text += "\n" + escaped(note) + "\n";
    text += details(table);
    for (const Grid& grid : grids_of(table))
      text += "\n### " + escaped(grid.title) + "\n\n" + grid_text(grid);
    if (std::ranges::any_of(table.comparisons, was_compared)) text += comparison_text(table);
  }
  return text;
}

}  // namespace

extern const Format format_markdown;
const Format format_markdown = {"markdown", "md", "tables for a web page or a pull request",
                                render_markdown};

}  // namespace cupel
