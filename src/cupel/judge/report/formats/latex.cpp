// LaTeX: a document that compiles, of table environments to copy from (booktabs).
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "cupel/base/utf8.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/report/latex.h"
#include "cupel/judge/report/plain_key.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

using namespace report;

using Written = std::pair<std::string_view, std::string_view>;

constexpr Written kInText[] = {{"–", "--"}, {"—", "---"}, {"‘", "`"},       {"’", "'"},
                               {"“", "``"}, {"”", "''"},  {"…", "\\dots{}"}};
constexpr Written kInFormulas[] = {
    {"±", "\\pm"},      {"−", "-"},       {"×", "\\times"},  {"·", "\\cdot"},
    {"°", "^\\circ"},   {"²", "^2"},      {"³", "^3"},       {"¹", "^1"},
    {"≤", "\\leq"},     {"≥", "\\geq"},   {"≠", "\\neq"},    {"≈", "\\approx"},
    {"∞", "\\infty"},   {"→", "\\to"},    {"←", "\\gets"},   {"↔", "\\leftrightarrow"},
    {"α", "\\alpha"},   {"β", "\\beta"},  {"γ", "\\gamma"},  {"δ", "\\delta"},
    {"ε", "\\epsilon"}, {"ζ", "\\zeta"},  {"η", "\\eta"},    {"θ", "\\theta"},
    {"ι", "\\iota"},    {"κ", "\\kappa"}, {"λ", "\\lambda"}, {"μ", "\\mu"},
    {"µ", "\\mu"},      {"ν", "\\nu"},    {"ξ", "\\xi"},     {"π", "\\pi"},
    {"ρ", "\\rho"},     {"σ", "\\sigma"}, {"τ", "\\tau"},    {"υ", "\\upsilon"},
    {"φ", "\\phi"},     {"χ", "\\chi"},   {"ψ", "\\psi"},    {"ω", "\\omega"},
    {"Γ", "\\Gamma"},   {"Δ", "\\Delta"}, {"Θ", "\\Theta"},  {"Λ", "\\Lambda"},
    {"Ξ", "\\Xi"},      {"Π", "\\Pi"},    {"Σ", "\\Sigma"},  {"Φ", "\\Phi"},
    {"Ψ", "\\Psi"},     {"Ω", "\\Omega"}};

std::string_view found_in(std::span<const Written> list, std::string_view character) {
  const auto at = std::ranges::find(list, character, &Written::first);
  return at == list.end() ? std::string_view() : at->second;
}

// First and last of the characters that T1 has and inputenc's utf8 knows: those of LaTeX's
// t1enc.dfu. Among the letters from U+00C0 on it lacks Ħ, ħ, ĸ, Ŀ, ŀ, ŉ, Ŧ, ŧ and ſ.
constexpr std::pair<char32_t, char32_t> kInT1[] = {
    {0xA0, 0xA1},     {0xA3, 0xA3},     {0xAB, 0xAB},     {0xAD, 0xAD},     {0xBB, 0xBB},
    {0xBF, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x125},    {0x128, 0x137},   {0x139, 0x13E},
    {0x141, 0x148},   {0x14A, 0x165},   {0x168, 0x17E},   {0x1C4, 0x1D4},   {0x1E2, 0x1E3},
    {0x1E6, 0x1EB},   {0x1F0, 0x1F0},   {0x1F4, 0x1F5},   {0x218, 0x21B},   {0x232, 0x233},
    {0x237, 0x237},   {0x2D9, 0x2D9},   {0x2DB, 0x2DB},   {0x1E02, 0x1E03}, {0x1E0D, 0x1E0D},
    {0x1E1E, 0x1E21}, {0x1E25, 0x1E25}, {0x1E30, 0x1E31}, {0x1E37, 0x1E37}, {0x1E43, 0x1E43},
    {0x1E45, 0x1E45}, {0x1E47, 0x1E47}, {0x1E5B, 0x1E5B}, {0x1E63, 0x1E63}, {0x1E6D, 0x1E6D},
    {0x1E8E, 0x1E91}, {0x1E9E, 0x1E9E}, {0x1EF2, 0x1EF3}, {0x200C, 0x200C}, {0x2010, 0x2015},
    {0x2018, 0x201A}, {0x201C, 0x201E}, {0x2030, 0x2031}, {0x2039, 0x203A}, {0x2423, 0x2423},
    {0xFB00, 0xFB06}};

bool is_in_t1(std::string_view character) {
  const char32_t value = utf8_char(character, 0).value;
  return std::ranges::any_of(kInT1, [&](const std::pair<char32_t, char32_t>& range) {
    return range.first <= value && value <= range.second;
  });
}

// What no table here knows stays as it is: a letter that is lost makes two names one.
std::string beyond_ascii(std::string_view character) {
  if (const std::string_view text = found_in(kInText, character); !text.empty())
    return std::string(text);
  if (const std::string_view formula = found_in(kInFormulas, character); !formula.empty())
    return fmt::format("${}$", formula);
  return std::string(character);
}

// Of a whole document: a comment, where it holds what only other programs than pdfLaTeX can print.
std::string advice_on_letters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    if (end > at + 1 && !is_in_t1(text.substr(at, end - at)))
      return "% Names here have letters that want XeLaTeX or LuaLaTeX, and a font that has them.\n";
    at = end;
  }
  return "";
}

std::string escaped(const std::string& text) {
  const std::string clean = replaced(printable(text), {{'\\', "\\textbackslash{}"},
                                                       {'&', "\\&"},
                                                       {'%', "\\%"},
                                                       {'$', "\\$"},
                                                       {'#', "\\#"},
                                                       {'_', "\\_"},
                                                       {'{', "\\{"},
                                                       {'}', "\\}"},
                                                       {'~', "\\textasciitilde{}"},
                                                       {'^', "\\textasciicircum{}"},
                                                       {'<', "\\textless{}"},
                                                       {'>', "\\textgreater{}"},
                                                       {'"', "\\textquotedbl{}"}});
  std::string result;
  for (std::size_t at = 0; at < clean.size();) {
    std::size_t end = at + 1;
    while (end < clean.size() && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) ++end;
    const std::string_view character = std::string_view(clean).substr(at, end - at);
    result += character.size() == 1 ? std::string(character) : beyond_ascii(character);
    at = end;
  }
  return result;
}

std::string mark(Verdict verdict, double gap) {
  switch (verdict) {
    case Verdict::kEquivalent:
      return "$=$";
    case Verdict::kDifferent:
      return gap > 0 ? "$\\uparrow$" : "$\\downarrow$";
    case Verdict::kUndecided:
      return "?";
    case Verdict::kNotComparable:
      return "$\\neq$";
    case Verdict::kNotTested:
    case Verdict::kNotPublished:
    case Verdict::kNoRuns:
      return "";
  }
  throw std::logic_error("verdict without a mark");
}

std::string row(const std::vector<std::string>& cells) {
  // Behind the end of a row, [ and * would be taken for its arguments.
  const bool apart = cells[0].starts_with('[') || cells[0].starts_with('*');
  return fmt::format("{}{} \\\\\n", apart ? "{}" : "", fmt::join(cells, " & "));
}

std::string grid_text(const Grid& grid, const std::string& caption_text) {
  std::string text = "\\begin{table}[htbp]\n  \\centering\\small\n";
  text += fmt::format("  \\caption{{{}}}\n", escaped(caption_text));
  text += fmt::format("  \\begin{{tabular}}{{l{}}}\n    \\toprule\n",
                      std::string(grid.head.size() - 1, 'r'));
  std::vector<std::string> cells;
  for (const std::string& name : grid.head) cells.push_back(escaped(name));
  text += "    " + row(cells) + "    \\midrule\n";
  for (const Grid::Row& line : grid.rows) {
    cells.clear();
    for (const std::string& cell : line.cells) cells.push_back(escaped(cell));
    if (line.section)
      cells = {fmt::format("\\multicolumn{{{}}}{{l}}{{\\emph{{{}}}}}", grid.head.size(), cells[0])};
    text += "    " + row(cells);
  }
  return text + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
}

// "tab:pitfalls-2a": letters, digits and hyphens, which no package minds.
std::string label(const Report& report, const ReportTable& table) {
  const std::string key = plain_key(table.id);
  return fmt::format("tab:{}-{}", plain_key(report.protocol),
                     key == table.id ? key : file_stem(table.id));
}

// The letters of a model among the others on one data set.
std::string letters_of(const ReportTable& table, const Cell& cell) {
  for (const Comparison& comparison : table.comparisons) {
    if (!(comparison.column == cell.column)) continue;
    const auto found = comparison.letters.find(cell.model);
    if (found != comparison.letters.end())
      return fmt::format("\\textsuperscript{{{}}}", found->second);
  }
  return "";
}

std::string table_text(const Report& report, const ReportTable& table) {
  const View view = view_of(table);
  if (view.columns.empty()) {
    return fmt::format("% {}: {}\n", printable(heading(table)), view.left_out);
  }
  if (table.kind == "readings") {
    const Grid grid = readings_grid(table);
    std::string said =
        fmt::format("{}. {} {} {}", heading(table), caption(table), tally(table), grid.note);
    if (const std::string note = conflict_note(table); !note.empty()) said += " " + note;
    return grid_text(grid, said);
  }
  std::string legend_text;
  for (const LegendLine& line : legend(table)) {
    legend_text += fmt::format(" {} {};", mark(line.verdict, line.gap), escaped(line.text));
  }
  if (!legend_text.empty()) legend_text.back() = '.';
  if (has_letters(table))
    legend_text +=
        " Models that share a superscript letter were not found different (paired t "
        "tests, Bonferroni).";
  std::string text = "\\begin{table}[htbp]\n  \\centering\\small\n";
  text += fmt::format("  \\caption{{{} {}{}{}}}\n  \\label{{{}}}\n", escaped(heading(table)) + ".",
                      escaped(caption(table)),
                      legend(table).empty() ? "" : " Below each mean, the published one;",
                      legend_text, label(report, table));
  text += fmt::format("  \\begin{{tabular}}{{l{}}}\n    \\toprule\n",
                      std::string(view.columns.size(), 'r'));
  std::vector<std::string> cells = {""};
  for (const std::size_t c : view.columns)
    cells.push_back(escaped(column_text(table, table.columns[c])));
  text += "    " + row(cells) + "    \\midrule\n";
  for (const std::size_t r : view.rows) {
    std::vector<std::string> ours = {escaped(row_text(table, r))}, published = {""}, runs = {""};
    bool any_published = false, any_runs = false;
    for (const std::size_t c : view.columns) {
      const Cell& cell = table.cell(r, c);
      std::string mean = cell.mean ? escaped(mean_text(cell)) : "--";
      if (is_best(table, r, c)) mean = "\\textbf{" + mean + "}";
      if (cell.mean) mean += letters_of(table, cell);
      // An empty slot of the same width keeps the numbers under each other.
      ours.push_back(
          fmt::format("{} \\makebox[0.8em]{{{}}}", mean, mark(cell.verdict, cell.gap.value_or(0))));
      const auto small = [](const std::string& s) {
        return s.empty() ? "" : "{\\footnotesize " + escaped(s) + "} \\makebox[0.8em]{}";
      };
      published.push_back(small(published_text(cell)));
      runs.push_back(small(runs_text(cell)));
      any_published = any_published || cell.published_mean;
      any_runs = any_runs || !runs_text(cell).empty();
    }
    text += "    " + row(ours);
    if (any_published) text += "    " + row(published);
    if (any_runs) text += "    " + row(runs);
  }
  text += "    \\bottomrule\n  \\end{tabular}\n";
  for (const std::string& note : table.notes)
    text += fmt::format("\n  {{\\footnotesize {}}}\n", escaped(note));
  text += "\\end{table}\n";
  for (const Grid& grid : grids_of(table)) text += "\n" + grid_text(grid, grid.title + ".");
  return text;
}

std::string tables_of(const Report& report) {
  std::string text;
  for (const ReportTable& table : report.tables) text += "\n" + table_text(report, table);
  return text;
}

std::string render_latex(const Report& report, const Results&) {
  const std::string tables = tables_of(report);
  const std::string title = escaped(report.title.empty() ? report.protocol : report.title);
  std::string text =
      advice_on_letters(title + tables) +
      "% The tables below need \\usepackage{booktabs}; copy them into a paper, or compile this.\n"
      "\\documentclass{article}\n"
      "\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n"
      "\\usepackage[a4paper,landscape,margin=1.5cm]{geometry}\n\\begin{document}\n";
  return text + fmt::format("\\section*{{{}}}\n{}\n\\end{{document}}\n", title, tables);
}

}  // namespace

std::string latex_fragment(const Report& report) {
  const std::string tables = tables_of(report);
  return advice_on_letters(tables) +
         "% For \\input; needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}.\n" + tables;
}

extern const Format format_latex;
const Format format_latex = {"latex", "tex", "booktabs tables in a document that compiles",
                             render_latex};

}  // namespace cupel
