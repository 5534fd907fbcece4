#include "cupel/api/pairs.h"

#include <algorithm>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/base/split_list.h"

namespace cupel {
namespace {

// The names on each side of commas. A backslash before a comma or plus makes it one of a name.
std::vector<std::vector<std::string>> sides_of(const std::string& text) {
  std::vector<std::vector<std::string>> sides = {{""}};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '\\' && (next == ',' || next == '+'))
      sides.back().back() += text[++at];
    else if (text[at] == ',')
      sides.push_back({""});
    else if (text[at] == '+')
      sides.back().emplace_back();
    else
      sides.back().back() += text[at];
  }
  for (std::vector<std::string>& side : sides) std::erase(side, "");
  return sides;
}

// "gin-s+gcn-s,baseline-s".
EffectivenessRows parse_rows(const char* option, const std::string& text) {
  const std::vector<std::vector<std::string>> sides = sides_of(text);
  if (sides.size() == 2 && !sides[0].empty() && !sides[1].empty()) return {sides[0], sides[1]};
  fail(
      "{}: '{}' is no pair of rows such as gin,mlp: a graph model and a baseline; the best of "
      "several is a+b,mlp, and a comma or plus of a name has a backslash before it",
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

EffectivenessRequest pairs_of(const PairsRequest& request, const Results& results) {
  const std::vector<std::string> rows = effectiveness_rows(results);
  EffectivenessRequest out;
  out.structure =
      rows_or_default("--structure", request.structure, {{"gin-s"}, {"baseline-s"}}, rows);
  out.attributes =
      rows_or_default("--attributes", request.attributes, {{"gin-a"}, {"baseline-a"}}, rows);
  out.metric = request.metric;
  out.table = request.table;
  out.datasets = split_list(request.datasets);
  return out;
}

}  // namespace cupel
