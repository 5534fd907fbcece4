// Plain text for a terminal, 100 columns wide.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

using namespace report;

constexpr std::size_t kWidth = 100, kGutter = 2;

// Width on screen: code points, as nothing here combines or is double-width.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t now = width_of(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

// A sentence folded at word ends. Names of a protocol stand in it, and nothing of them may steer.
std::string folded(const std::string& sentence, const std::string& indent = "") {
  const std::string text = printable(sentence);
  std::string result, line = indent;
  bool empty = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && width_of(line) + 1 + width_of(word) > kWidth) {
      result += line + "\n";
      line = std::string(indent.size(), ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
    at = end + 1;
  }
  return result + line + "\n";
}

// One line per kind of fact of a row; a line that no cell has anything for is left out.
struct Line {
  std::string label;
  std::vector<std::string> cells;
};

// Columns per block: as few blocks as fit the width, of nearly equal size.
std::size_t block_size(const std::vector<std::size_t>& widths, std::size_t label_width) {
  for (std::size_t count = 1; count < widths.size(); ++count) {
    const std::size_t size = (widths.size() + count - 1) / count;
    bool fits = true;
    for (std::size_t first = 0; first < widths.size(); first += size) {
      std::size_t width = label_width;
      for (std::size_t c = first; c < std::min(first + size, widths.size()); ++c) {
        width += kGutter + widths[c];
      }
      fits = fits && width <= kWidth;
    }
    if (fits) return size;
  }
  return 1;
}

// Column-aligned lines, in as many side-by-side blocks as the width asks for. Groups of lines
// belong to one row of the table; a blank line parts groups of more than one line.
std::string blocks(const std::vector<std::string>& header,
                   const std::vector<std::vector<Line>>& groups) {
  std::size_t label_width = 0;
  std::vector<std::size_t> widths;
  for (const std::string& text : header) widths.push_back(width_of(text));
  bool tall = false;
  for (const auto& group : groups) {
    tall = tall || group.size() > 1;
    for (const Line& line : group) {
      label_width = std::max(label_width, width_of(line.label));
      for (std::size_t c = 0; c < line.cells.size(); ++c) {
        widths[c] = std::max(widths[c], width_of(line.cells[c]));
      }
    }
  }
  const std::size_t size = block_size(widths, label_width);

  std::string text;
  for (std::size_t first = 0; first < header.size(); first += size) {
    const std::size_t last = std::min(first + size, header.size());
    const auto put = [&](const std::string& label, const std::vector<std::string>& cells) {
      std::string line = padded(label, label_width);
      for (std::size_t c = first; c < last; ++c) {
        line += std::string(kGutter, ' ') + padded(cells[c], widths[c]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    };
    if (first > 0) text += "\n";
    put("", header);
    std::vector<std::string> rules;
    for (const std::size_t width : widths) {
      std::string rule;
      for (std::size_t i = 0; i < width; ++i) rule += "─";
      rules.push_back(rule);
    }
    std::string corner;
    for (std::size_t i = 0; i < label_width; ++i) corner += "─";
    put(corner, rules);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      bool shown = false;
      for (std::size_t i = 0; i < groups[g].size(); ++i) {
        const Line& line = groups[g][i];
        const bool any = std::any_of(line.cells.begin() + static_cast<std::ptrdiff_t>(first),
                                     line.cells.begin() + static_cast<std::ptrdiff_t>(last),
                                     [](const std::string& cell) { return !cell.empty(); });
        if (i > 0 && !any) continue;
        if (!shown && g > 0 && tall) text += "\n";
        shown = true;
        put(line.label, line.cells);
      }
    }
  }
  return text;
}

// Aligned, each column as wide as its widest cell; sections stand alone.
std::string grid_text(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (const std::string& name : grid.head) widths.push_back(width_of(name));
  for (const Grid::Row& row : grid.rows) {
    if (row.section) continue;
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      widths[c] = std::max(widths[c], width_of(printable(row.cells[c])));
  }
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += std::string(kGutter, ' ');
      line += padded(printable(cells[c]), widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::string text = line_of(grid.head);
  std::vector<std::string> rules;
  for (const std::size_t width : widths) {
    std::string rule;
    for (std::size_t i = 0; i < width; ++i) rule += "─";
    rules.push_back(rule);
  }
  text += line_of(rules);
  bool first = true;
  for (const Grid::Row& row : grid.rows) {
    if (row.section) {
      text += (first ? "" : "\n") + printable(row.cells[0]) + "\n";
    } else {
      text += line_of(row.cells);
    }
    first = false;
  }
  return text;
}

std::string table_text(const ReportTable& table) {
  const std::string title = printable(heading(table));
  std::string text = title + "\n";
  for (std::size_t i = 0; i < width_of(title); ++i) text += "═";
  text += "\n";
  const View view = view_of(table);
  if (view.columns.empty()) return text + view.left_out + "\n";
  text += folded(caption(table)) + "\n";
  if (table.kind == "readings") {
    const Grid grid = readings_grid(table);
    text += grid_text(grid) + "\n" + folded(tally(table)) + folded(grid.note);
    for (const std::string& sentence : {power_text(table), open_text(table), looks_text(table),
                                        diverged_text(table), method(table)}) {
      if (!sentence.empty()) text += folded(sentence);
    }
    for (const std::string& note : table.notes) text += folded(note);
    return text;
  }

  std::vector<std::string> header;
  for (const std::size_t c : view.columns)
    header.push_back(printable(column_text(table, table.columns[c])));
  std::vector<std::vector<Line>> groups;
  for (const std::size_t r : view.rows) {
    std::vector<Line> lines = {{printable(row_text(table, r)), {}},
                               {"  published", {}},
                               {"  gap", {}},
                               {"  smallest δ", {}},
                               {"  look", {}},
                               {"  runs", {}},
                               {"  failed", {}},
                               {"  timed out", {}},
                               {"  diverged", {}}};
    // Marks stand in a column of their own, whatever the width of the numbers.
    std::size_t mean_width = 0;
    for (const Cell& cell : table.cells) {
      mean_width = std::max(mean_width, width_of(mean_text(cell)));
    }
    for (const std::size_t c : view.columns) {
      const Cell& cell = table.cell(r, c);
      const std::string mark = mark_of(cell.verdict, cell.gap.value_or(0));
      std::string mean = cell.mean ? mean_text(cell) : "no score";
      if (!cell.mean && runs_text(cell).empty()) mean = "–";
      if (!mark.empty()) mean = padded(mean, mean_width) + " " + mark;
      lines[0].cells.push_back(mean);
      lines[1].cells.push_back(published_text(cell));
      lines[2].cells.push_back(gap_text(cell));
      lines[3].cells.push_back(delta_text(cell));
      lines[4].cells.push_back(look_text(cell));
      lines[5].cells.push_back(runs_text(cell));
      lines[6].cells.push_back(cell.failed ? std::to_string(cell.failed) : "");
      lines[7].cells.push_back(cell.timed_out ? std::to_string(cell.timed_out) : "");
      lines[8].cells.push_back(cell.diverged ? std::to_string(cell.diverged) : "");
    }
    groups.push_back(std::move(lines));
  }
  text += blocks(header, groups) + "\n";

  const std::string counts = tally(table);
  if (!counts.empty()) text += folded(counts);
  for (const LegendLine& line : legend(table)) {
    text += folded(line.text, "  " + mark_of(line.verdict, line.gap) + "  ");
  }
  for (const std::string& sentence :
       {power_text(table), open_text(table), looks_text(table), diverged_text(table), method(table),
        field_text(table), view.left_out}) {
    if (!sentence.empty()) text += folded(sentence);
  }
  for (const std::string& note : table.notes) text += folded(note);
  return text;
}

std::string letters_table(const ReportTable& table) {
  std::vector<std::string> header;
  std::vector<std::vector<Line>> groups;
  const View view = view_of(table);
  std::vector<std::size_t> rows;
  for (const std::size_t r : view.rows)
    if (!table.is_quoted(r)) rows.push_back(r);
  for (const std::size_t r : rows) groups.push_back({{printable(table.models[r]), {}}});
  for (const Comparison& comparison : table.comparisons) {
    if (comparison.letters.empty()) continue;
    header.push_back(printable(column_text(table, comparison.column)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto found = comparison.letters.find(table.models[rows[i]]);
      groups[i][0].cells.push_back(found == comparison.letters.end() ? "–" : found->second);
    }
  }
  return "\nModels against each other, table " + printable(table.id) + "\n" +
         folded(letters_text(table)) + "\n" + blocks(header, groups);
}

std::string render_text(const Report& report, const Results&) {
  std::string title = report.protocol;
  if (!report.title.empty()) title = fmt::format("{} ({})", report.title, report.protocol);
  std::string text = printable(title) + "\n";
  for (const ReportTable& table : report.tables) {
    text += "\n" + table_text(table);
    for (const Grid& grid : grids_of(table))
      text += "\n" + printable(grid.title) + "\n\n" + grid_text(grid);
    if (has_letters(table)) text += letters_table(table);
  }
  return text;
}

}  // namespace

extern const Format format_text;
const Format format_text = {"text", "txt", "aligned, for a terminal", render_text};

}  // namespace cupel
