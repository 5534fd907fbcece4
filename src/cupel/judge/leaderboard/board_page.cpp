// The first page of a leaderboard's site.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cupel/base/words.h"
#include "cupel/judge/leaderboard/board.h"
#include "cupel/judge/report/page/document.h"
#include "cupel/judge/report/print.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

using report::xml_escaped;

constexpr std::size_t kShortVersion = 12;

constexpr const char* kStyle = R"(.grid .tier-0 { color: var(--good); font-weight: 600; }
.grid .tier-1 { color: var(--high); }
.grid .tier-3 { color: var(--soft); }
.grid .tier-4 { color: var(--low); }
.grid .fails, .fails { color: var(--low); }
.grid tr.fails .value { text-decoration: line-through; }
.grid a { color: var(--accent); }
.grid .history { padding: 0 .6rem .3rem 1.5rem; white-space: normal; }
.grid .history details { margin: 0; }
.grid .remarks { min-width: 22rem; text-align: left; white-space: normal; }
.sources .words { overflow-wrap: anywhere; white-space: normal; }
.sources th[scope="row"] { min-width: 14rem; }
)";

std::string cell(std::string_view kind, const std::string& html) {
  return kind.empty() ? fmt::format("<td>{}</td>", html)
                      : fmt::format("<td class=\"{}\">{}</td>", kind, html);
}

std::string head(std::string_view row) { return fmt::format("<thead><tr>{}</tr></thead>\n", row); }

// Pages are named by us, of plain letters; what is shown is not.
std::string link_to(const BoardSource& source) {
  if (source.page.empty()) return xml_escaped(source.name);
  return fmt::format("<a href=\"{}\">{}</a>", source.page, xml_escaped(source.name));
}

std::string signature_words(const BoardSource& source) {
  using State = SignatureCheck::State;
  if (source.submission || !source.signature) return "";
  const SignatureCheck& check = *source.signature;
  switch (check.state) {
    case State::kUnsigned:
      return "unsigned";
    case State::kTampered:
      return "<span class=\"fails\">tampered</span>";
    case State::kUnknown:
      return "somebody unknown, " + xml_escaped(check.key);
    case State::kSigned:
      break;
  }
  return xml_escaped(check.signer);
}

std::string runs_words(const Board& board, const BoardValue& value) {
  if (!value.source) return "";
  std::string out = value.n == value.expected_n
                        ? grouped(value.n)
                        : fmt::format("{} of {}", grouped(value.n), grouped(value.expected_n));
  if (value.source && board.sources[*value.source].said_deterministic)
    out += ", said to be deterministic";
  if (value.redone > value.same)
    out += fmt::format(", {} of {} the same", grouped(value.same), grouped(value.redone));
  else if (value.redone > 0)
    out += fmt::format(", {} again", grouped(value.redone));
  return out;
}

// All of a value but the model.
std::string value_cells(const Board& board, const BoardValue& value) {
  std::string out =
      cell("value", xml_escaped(value.text)) + cell("", runs_words(board, value)) +
      cell(fmt::format("words tier-{}", static_cast<int>(value.tier)), to_words(value.tier));
  if (!value.source) {
    const std::string teller =
        value.told_by ? ", as of " + link_to(board.sources[*value.told_by]) : "";
    return out + cell("", "") + cell("words", "publication" + teller) + cell("words", "");
  }
  const BoardSource& source = board.sources[*value.source];
  return out + cell("", xml_escaped(source.date)) + cell("words", link_to(source)) +
         cell("words", signature_words(source));
}

constexpr const char* kValueHead =
    "<th scope=\"col\">value</th><th scope=\"col\">runs</th><th scope=\"col\" "
    "class=\"words\">rests on</th><th scope=\"col\">date</th><th scope=\"col\" "
    "class=\"words\">from</th><th scope=\"col\" class=\"words\">signed by</th>";

constexpr int kColumns = 8;

// A submission whose model's name another row has says whose it is.
std::string row_name(const Board& board, const BoardRow& row) {
  std::string out = xml_escaped(row.value.model);
  if (row.shares_name)
    out += fmt::format(" <span class=\"soft\">of submission {}</span>",
                       xml_escaped(board.sources[*row.value.source].name));
  return out;
}

// The other values of a model, in a row below it.
std::string history(const Board& board, const BoardRow& row) {
  if (row.others.empty()) return "";
  std::string out = fmt::format(
      "<tr><td class=\"history words\" colspan=\"{}\"><details><summary>{} more of "
      "{}</summary><table class=\"grid\">{}<tbody>\n",
      kColumns, row.others.size(), xml_escaped(row.value.model), head(kValueHead));
  for (const BoardValue& value : row.others) out += "<tr>" + value_cells(board, value) + "</tr>\n";
  return out + "</tbody></table></details></td></tr>\n";
}

std::string table_html(const Board& board, const BoardTable& table) {
  const MetricScale scale = scale_of_metric(table.column.measure.metric);
  const std::string measure = report::in_unit(report::measure_words(table.column.measure), scale);
  std::string title = table.table_title.empty() ? "" : ": " + table.table_title;
  if (table.data) title += fmt::format(" (data {})", table.data->content.substr(0, kShortVersion));
  std::string out = fmt::format(
      "<h3>{} ({})</h3>\n<p class=\"soft\">Table {}{}</p>\n<div class=\"wide\"><table "
      "class=\"grid\">\n{}<tbody>\n",
      xml_escaped(table.column.dataset), xml_escaped(measure), xml_escaped(table.table),
      xml_escaped(title),
      head(fmt::format("<th scope=\"col\">model</th><th scope=\"col\">rank</th>{}", kValueHead)));
  for (const BoardRow& row : table.rows) {
    out += fmt::format("<tr{}><th scope=\"row\">{}</th>{}{}</tr>\n",
                       row.unranked == Unranked::kBroken ? " class=\"fails\"" : "",
                       row_name(board, row),
                       cell("", row.rank > 0 ? grouped(row.rank) : to_words(row.unranked)),
                       value_cells(board, row.value));
    out += history(board, row);
  }
  out += "</tbody></table></div>\n";
  for (const std::string& dispute : table.disputes)
    out += fmt::format("<p class=\"fails\">{}</p>\n", xml_escaped(dispute));
  return out;
}

// What there is to say of a source, in sentences.
std::string said_of(const BoardSource& source) {
  std::vector<std::string> out;
  for (const std::string& problem : source.problems)
    out.push_back(fmt::format("<span class=\"fails\">{}</span>", xml_escaped(problem)));
  if (source.signature && source.signature->state == SignatureCheck::State::kTampered)
    out.push_back(
        fmt::format("<span class=\"fails\">{}</span>", xml_escaped(source.signature->sentence)));
  for (const std::string& remark : source.remarks) out.push_back(xml_escaped(remark));
  if (!source.citation.empty()) out.push_back(xml_escaped(source.citation));
  return fmt::format("{}", fmt::join(out, "<br/>"));
}

std::string sources_html(const Board& board) {
  std::string out =
      "<h2>Stores and submissions</h2>\n<div class=\"wide\"><table class=\"grid sources\">\n" +
      head(
          "<th scope=\"col\">from</th><th scope=\"col\" class=\"words\">what</th><th "
          "scope=\"col\">date</th><th scope=\"col\">runs</th><th scope=\"col\">done again</th><th "
          "scope=\"col\" class=\"words\">signed by</th><th scope=\"col\" "
          "class=\"words\">remarks</th>") +
      "<tbody>\n";
  for (const BoardSource& source : board.sources)
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th>{}{}{}{}{}{}</tr>\n", link_to(source),
        cell("words", source.submission ? "submission" : "store"),
        cell("", xml_escaped(source.date)), cell("", grouped(source.runs)),
        cell("", source.redone == 0
                     ? std::string("none")
                     : fmt::format("{} of {} the same",
                                   grouped(static_cast<std::int64_t>(source.reproduced.size())),
                                   grouped(source.redone))),
        cell("words", signature_words(source)), cell("remarks", said_of(source)));
  return out + "</tbody></table></div>\n";
}

constexpr const char* kLegend =
    "<p class=\"soft\"><b>reproduced here</b>: who built this page did runs of it again, and all "
    "of "
    "them came out with the same bits. <b>recomputed from predictions</b>: who built this page "
    "scored predictions against the sealed labels. <b>recorded in a store</b>: a store keeps the "
    "runs, and none was done again here. <b>reported</b>: a publication has the number. <b>did not "
    "come out again</b>: runs of it were done again here, and some came out otherwise. A value has "
    "no rank if its store was changed or did not come out again, if stores differ in how its runs "
    "ended, if it has fewer runs than the protocol asks for, or if sources differ in what was "
    "published. Rows of one table answer one question: the same protocol, data and measure.</p>\n";

}  // namespace

std::string render_board(const Board& board) {
  std::string out =
      page::document_head("Leaderboard", page::style_of(kStyle), "", "cupel leaderboard");
  std::int64_t submissions = 0;
  for (const BoardSource& source : board.sources) submissions += source.submission;
  out +=
      fmt::format("<h1>Leaderboard</h1>\n<p>{} and {}</p>\n{}",
                  counted(static_cast<std::int64_t>(board.sources.size()) - submissions, "store"),
                  counted(submissions, "submission"), kLegend);
  std::string last;
  for (const BoardTable& table : board.tables) {
    const std::string which =
        fmt::format("{}@{}", table.protocol, table.version.substr(0, kShortVersion));
    if (which != last)
      out += fmt::format("<h2>{} <span class=\"soft\">{}</span></h2>\n",
                         xml_escaped(table.title.empty() ? table.protocol : table.title),
                         xml_escaped(which));
    last = which;
    out += table_html(board, table);
  }
  return out + sources_html(board) + "</body>\n</html>\n";
}

}  // namespace cupel
