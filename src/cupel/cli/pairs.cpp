#include "cupel/cli/pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/cli/options.h"
#include "cupel/cli/stored_results.h"
#include "cupel/lab/results/load.h"

namespace cupel::cli {
namespace {

std::vector<std::string> alternatives(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// "gin-s+gcn-s,baseline-s".
EffectivenessRows parse_rows(const char* option, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos && text.find(',', comma + 1) == std::string::npos) {
    EffectivenessRows rows{alternatives(text.substr(0, comma)),
                           alternatives(text.substr(comma + 1))};
    if (!rows.gnn.empty() && !rows.baseline.empty()) return rows;
  }
  fail(
      "{}: '{}' is no pair of rows such as gin,mlp: a graph model and a baseline; the best of "
      "several is a+b,mlp",
      option, text);
}

// The rows named, none, or the usual ones if the results have them.
std::optional<EffectivenessRows> rows_or_default(const char* option, const std::string& text,
                                                 const EffectivenessRows& usual,
                                                 const std::vector<std::string>& known) {
  if (text == "none") return std::nullopt;
  if (!text.empty()) return parse_rows(option, text);
  for (const std::string& name : {usual.gnn[0], usual.baseline[0]}) {
    if (!std::count(known.begin(), known.end(), name)) return std::nullopt;
  }
  return usual;
}

}  // namespace

void add_pairs(Syntax& syntax, PairArguments& arguments) {
  add_stored_results(syntax, arguments.read);
  syntax.text(
      "--structure", "GNN,BASELINE", arguments.structure,
      "Rows that read only the structure; A+B,C is the best\nof A and B over C; none leaves "
      "them out (default:\ngin-s,baseline-s, where they are there)");
  syntax.text(
      "--attributes", "GNN,BASELINE", arguments.attributes,
      "The same for rows that read attributes (default:\ngin-a,baseline-a, where they are there)");
  syntax.text("--metric", "METRIC", arguments.metric,
              effectiveness_metrics("or") +
                  ": the table's\nmetric or one of its `also` (default: what the protocol\n"
                  "goes by)");
  syntax.text("--table", "ID", arguments.table,
              "Which table of the protocol (default: the first with\nruns of a data set)");
  add_list(syntax, "--datasets", arguments.datasets, "Only these data sets");
}

EffectivenessRequest request_of(const PairArguments& arguments, const Results& results) {
  const std::vector<std::string> rows = effectiveness_rows(results);
  EffectivenessRequest out;
  out.structure =
      rows_or_default("--structure", arguments.structure, {{"gin-s"}, {"baseline-s"}}, rows);
  out.attributes =
      rows_or_default("--attributes", arguments.attributes, {{"gin-a"}, {"baseline-a"}}, rows);
  out.metric = arguments.metric;
  out.table = arguments.table;
  out.datasets = split_list(arguments.datasets);
  return out;
}

std::string rows_text(const EffectivenessRows& rows) {
  const auto side = [](const std::vector<std::string>& names) {
    return names.size() == 1 ? names[0] : fmt::format("the best of {}", fmt::join(names, ", "));
  };
  return fmt::format("{} over {}", side(rows.gnn), side(rows.baseline));
}

}  // namespace cupel::cli
