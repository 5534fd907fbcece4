#include "cupel/api/pairs.h"

#include <algorithm>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/base/split_list.h"

namespace cupel {
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
