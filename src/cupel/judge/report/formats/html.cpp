// One self-contained page: no script, no network, light and dark. Well-formed as XML too.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/figures/figures.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

using namespace report;

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--ink:#1f2328;--soft:#656d76;--line:#d8dee4;--ground:#fff;
--good:#1a7f37;--high:#0969da;--low:#cf222e;--odd:#9a6700;--tint:#ddf4e4}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#8d96a0;--line:#30363d;
--ground:#0d1117;--good:#3fb950;--high:#58a6ff;--low:#f85149;--odd:#d29922;--tint:#12301c}}
body{font:15px/1.5 system-ui,'Segoe UI',sans-serif;color:var(--ink);background:var(--ground);
max-width:76rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem}h3{font-size:1.05rem;margin-top:2rem}
p{max-width:60rem}p,li{color:var(--soft)}ul{list-style:none;padding:0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem 0}
th,td{padding:.3rem .5rem;text-align:right;border-bottom:1px solid var(--line);
white-space:nowrap;vertical-align:top}
thead th{border-bottom:2px solid var(--soft)}
th:first-child{text-align:left;font-weight:600}
th small,td small{display:block;color:var(--soft);font-size:.82em;font-weight:400}
td small{padding-right:1.35em}
td .best{font-weight:700}
.mark{display:inline-block;width:1.1em;text-align:center}
.equivalent{color:var(--good)}.different{color:var(--high)}.different.below{color:var(--low)}
.undecided,.not-comparable,td small.trouble{color:var(--odd)}
tr.section th{text-align:left;padding-top:1rem}td.printed{text-align:left;font-weight:600}
td.same{color:var(--soft)}td.apart{background:var(--tint)}
details{margin:.8rem 0}summary{cursor:pointer;color:var(--high)}
svg{max-width:100%;height:auto}
)";

std::string css_class(Verdict verdict, double gap) {
  std::string name = to_text(verdict);
  std::replace(name.begin(), name.end(), ' ', '-');
  return verdict == Verdict::kDifferent && gap < 0 ? name + " below" : name;
}

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : "<p>" + xml_escaped(text) + "</p>\n";
}

std::string small(const std::string& text, const char* kind = "") {
  if (text.empty()) return "";
  return fmt::format("<small{}>{}</small>", *kind ? fmt::format(" class=\"{}\"", kind) : "",
                     xml_escaped(text));
}

// What a reader sees on pointing at a cell.
std::string tooltip(const Cell& cell) {
  std::vector<std::string> parts = {to_text(cell.verdict),
                                    fmt::format("{} of {} runs", cell.n, cell.expected_n)};
  if (cell.interval) {
    parts.push_back(fmt::format("95 % interval of the mean {} to {}", fixed(cell.interval->low, 2),
                                fixed(cell.interval->high, 2)));
  }
  if (cell.p_corrected) parts.push_back(p_text(*cell.p_corrected) + " (corrected)");
  if (!cell.basis.empty()) parts.push_back(cell.basis);
  if (cell.choice && !cell.choice->chosen.empty()) parts.push_back(cell.choice->chosen);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string cell_html(const ReportTable& table, std::size_t r, std::size_t c) {
  const Cell& cell = table.cell(r, c);
  std::string inside;
  if (cell.mean) {
    const std::string mean = xml_escaped(mean_text(cell));
    inside = is_best(table, r, c) ? "<span class=\"best\">" + mean + "</span>" : mean;
    inside += fmt::format(" <span class=\"mark {}\">{}</span>",
                          css_class(cell.verdict, cell.gap.value_or(0)),
                          mark_of(cell.verdict, cell.gap.value_or(0)));
  } else {
    inside = "–";
  }
  inside += small(published_text(cell)) + small(gap_text(cell)) + small(delta_text(cell));
  inside += small(runs_text(cell), "trouble") + small(trouble_text(cell), "trouble");
  return fmt::format("<td title=\"{}\">{}</td>", xml_escaped(tooltip(cell)), inside);
}

std::string head(const std::vector<std::string>& names) {
  std::string html = "<thead><tr>";
  for (const std::string& name : names) html += "<th>" + xml_escaped(name) + "</th>";
  return html + "</tr></thead>\n";
}

std::string scores_html(const ReportTable& table, const View& view) {
  std::vector<std::string> names = {"model"};
  for (const std::size_t c : view.columns) names.push_back(column_text(table, table.columns[c]));
  std::string html = "<div class=\"wide\"><table>\n" + head(names) + "<tbody>\n";
  for (const std::size_t r : view.rows) {
    bool published = false, gap = false, judged = false;
    for (const std::size_t c : view.columns) {
      published = published || table.cell(r, c).published_mean;
      gap = gap || table.cell(r, c).gap;
      judged = judged || table.cell(r, c).smallest_delta;
    }
    html += "<tr><th>" + xml_escaped(table.models[r]) + small(published ? "published" : "") +
            small(gap ? "gap" : "") + small(judged ? "smallest δ" : "") + "</th>";
    for (const std::size_t c : view.columns) html += cell_html(table, r, c);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

// Differences of all pairs, row minus column, best model first.
std::string matrix_html(const ReportTable& table, const Comparison& comparison) {
  const std::size_t n = comparison.models.size();
  std::vector<std::string> names = {"row − column"};
  names.insert(names.end(), comparison.models.begin(), comparison.models.end());
  std::string html = fmt::format("<details><summary>All pairs on {}</summary>\n",
                                 xml_escaped(column_text(table, comparison.column)));
  html += "<div class=\"wide\"><table>\n" + head(names) + "<tbody>\n";
  for (std::size_t i = 0; i < n; ++i) {
    html += "<tr><th>" + xml_escaped(comparison.models[i]) + "</th>";
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) {
        html += "<td></td>";
        continue;
      }
      const std::size_t a = std::min(i, j), b = std::max(i, j);
      const Pair& pair = comparison.pairs[a * n - a * (a + 1) / 2 + (b - a - 1)];
      if (!pair.p) {
        html += "<td title=\"too few common splits\">–</td>";
        continue;
      }
      const double difference = i < j ? *pair.difference : -*pair.difference;
      html += fmt::format(
          "<td class=\"{}\" title=\"{}\">{}</td>",
          pair.verdict == Verdict::kDifferent ? "apart" : "same",
          xml_escaped(fmt::format(
              "{}; {} common splits; {} (corrected), {} (Wilcoxon, uncorrected)", outcome(pair),
              pair.splits, p_text(*pair.p_corrected), p_text(*pair.p_wilcoxon))),
          with_sign(difference, kGapDecimals));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div></details>\n";
}

std::string comparisons_html(const ReportTable& table, const View& view) {
  std::vector<std::string> names = {"model"};
  for (const Comparison& c : table.comparisons) names.push_back(column_text(table, c.column));
  std::string html = "<h3>Models against each other</h3>\n" + paragraph(letters_text(table));
  html += "<div class=\"wide\"><table>\n" + head(names) + "<tbody>\n";
  for (const std::size_t r : view.rows) {
    html += "<tr><th>" + xml_escaped(table.models[r]) + "</th>";
    for (const Comparison& c : table.comparisons) {
      const auto found = c.letters.find(table.models[r]);
      html += "<td>" + (found == c.letters.end() ? "–" : found->second) + "</td>";
    }
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  html += paragraph(fmt::format("Below: differences{}; shaded where different.",
                                is_of_ranks(table) ? "" : " in percent"));
  for (const Comparison& c : table.comparisons) {
    if (!c.letters.empty()) html += matrix_html(table, c);
  }
  return html;
}

std::string figures_html(const Results& results, const std::string& table) {
  std::string html;
  for (const TableResults& source : results.tables) {
    if (source.id != table) continue;
    const std::vector<BoxPanel> panels = box_panels(results, source);
    if (panels.empty()) continue;
    html += "<h3>Test scores of all runs</h3>\n<div class=\"wide\">" +
            box_svg(panels, Outliers::kHidden) + "</div>\n";
    for (const BoxPanel& panel : panels) {
      html += fmt::format("<details><summary>{} with outliers</summary>\n<div>{}</div></details>\n",
                          xml_escaped(panel.dataset), box_svg({&panel, 1}, Outliers::kShown));
    }
  }
  return html;
}

std::string grid_html(const Grid& grid) {
  std::string html = "<div class=\"wide\"><table>\n" + head(grid.head) + "<tbody>\n";
  for (const Grid::Row& row : grid.rows) {
    if (row.section) {
      html += fmt::format("<tr class=\"section\"><th colspan=\"{}\">{}</th></tr>\n",
                          grid.head.size(), xml_escaped(row.cells[0]));
      continue;
    }
    html += "<tr><th>" + xml_escaped(row.cells[0]) + "</th>";
    for (std::size_t c = 1; c < row.cells.size(); ++c) {
      const bool printed = grid.head[c] == "printed";
      html += fmt::format("<td{}>{}</td>", printed ? " class=\"printed\"" : "",
                          xml_escaped(row.cells[c]));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string readings_html(const ReportTable& table) {
  const Grid grid = readings_grid(table);
  std::string html = paragraph(caption(table)) + paragraph(tally(table)) + grid_html(grid);
  for (const std::string& sentence : {power_text(table), open_text(table), looks_text(table),
                                      grid.note, diverged_text(table), method(table)})
    html += paragraph(sentence);
  for (const std::string& note : table.notes) html += paragraph(note);
  return html;
}

std::string table_html(const ReportTable& table, const Results& results) {
  std::string html = "<h2>" + xml_escaped(heading(table)) + "</h2>\n";
  const View view = view_of(table);
  if (view.columns.empty()) return html + paragraph(view.left_out);
  if (table.kind == "readings") return html + readings_html(table);
  html += paragraph(caption(table) + " Best in bold.") + paragraph(tally(table));
  html += scores_html(table, view);
  if (!legend(table).empty()) {
    html += "<ul>\n";
    for (const LegendLine& line : legend(table)) {
      html += fmt::format("<li><span class=\"mark {}\">{}</span> {}</li>\n",
                          css_class(line.verdict, line.gap), mark_of(line.verdict, line.gap),
                          xml_escaped(line.text));
    }
    html += "</ul>\n";
  }
  for (const std::string& sentence :
       {power_text(table), open_text(table), looks_text(table), diverged_text(table), method(table),
        field_text(table), view.left_out}) {
    html += paragraph(sentence);
  }
  for (const std::string& note : table.notes) html += paragraph(note);
  for (const Grid& grid : grids_of(table))
    html += "<h3>" + xml_escaped(grid.title) + "</h3>\n" + grid_html(grid);
  html += figures_html(results, table.id);
  if (has_letters(table)) html += comparisons_html(table, view);
  return html;
}

std::string render_html(const Report& report, const Results& results) {
  const std::string title = xml_escaped(report.title.empty() ? report.protocol : report.title);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      title, kStyle, title);
  html += paragraph("Protocol " + report.protocol + ".");
  for (const ReportTable& table : report.tables) html += table_html(table, results);
  return html + "</body>\n</html>\n";
}

}  // namespace

extern const Format format_html;
const Format format_html = {"html", "html", "one self-contained page with figures", render_html};

}  // namespace cupel
