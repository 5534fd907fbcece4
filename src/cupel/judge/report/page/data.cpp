#include "cupel/judge/report/page/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cupel/base/json_text.h"
#include "cupel/base/visible.h"
#include "cupel/judge/report/print.h"

namespace cupel::page {
namespace {

// The lists of scores by split of a block, of each table that has any.
std::vector<Json*> score_lists(Json& block) {
  std::vector<Json*> out;
  for (Json& protocol : block["protocols"])
    for (Json& table : protocol["tables"])
      if (const auto found = table["runs"].find("scores"); found != table["runs"].end())
        out.push_back(&*found);
  return out;
}

std::size_t runs_in(const Json& scores) {
  std::size_t out = 0;
  for (const Json& split : scores) out += split.size();
  return out;
}

// Takes the scores of the cells with the most runs out of the block; false where there are none.
bool drop_most_scores(Json& block) {
  std::size_t most = 0;
  const std::vector<Json*> lists = score_lists(block);
  for (const Json* list : lists)
    for (const Json& scores : *list) most = std::max(most, runs_in(scores));
  for (Json* list : lists)
    for (Json& scores : *list)
      if (runs_in(scores) == most) scores = nullptr;
  return most > 0;
}

// Outside of strings JSON has none of these characters.
std::string text_of(const Json& block) {
  return report::replaced(json_text(block, -1),
                          {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
}

}  // namespace

Json number(const std::optional<double>& value) {
  if (!value) return nullptr;
  const double rounded = std::strtod(fmt::format("{:.6g}", *value).c_str(), nullptr);
  constexpr double kExact = 1e15;
  if (rounded ==
      static_cast<double>(static_cast<std::int64_t>(std::clamp(rounded, -kExact, kExact))))
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json text(const std::string& value) { return printable(value); }

Json texts(const std::vector<std::string>& values) {
  Json out = Json::array();
  for (const std::string& value : values) out.push_back(text(value));
  return out;
}

void Lists::add(const std::string& name, Json value) {
  for (auto& [known, list] : lists_) {
    if (known != name) continue;
    list.push_back(std::move(value));
    return;
  }
  lists_.emplace_back(name, Json::array({std::move(value)}));
}

Json Lists::json() const {
  Json out = Json::object();
  for (const auto& [name, list] : lists_) {
    const bool any =
        std::any_of(list.begin(), list.end(), [](const Json& value) { return !value.is_null(); });
    if (any) out[name] = list;
  }
  return out;
}

std::vector<std::size_t> Identities::add(const std::string& family) {
  const Json identity = Json::parse(family, nullptr, false);
  std::vector<std::size_t> places;
  if (!identity.is_object()) return places;
  for (const auto& [name, value] : identity.items()) {
    // As text: what its strings hold is written out, and stays so.
    const Json part = {text(name),
                       text(value.dump(-1, ' ', false, Json::error_handler_t::replace))};
    const auto [at, is_new] = place_.emplace(part.dump(), parts_.size());
    if (is_new) parts_.push_back(part);
    places.push_back(at->second);
  }
  return places;
}

std::int64_t largest_listed(std::span<const Results> protocols, std::int64_t budget) {
  std::vector<std::int64_t> sizes;
  for (const Results& results : protocols)
    for (const TableResults& table : results.tables)
      for (const CellResults& cell : table.cells)
        sizes.push_back(static_cast<std::int64_t>(cell.runs.size()));
  std::sort(sizes.begin(), sizes.end());
  std::int64_t total = 0, most = 0;
  // Cells of one size are listed all or none.
  for (auto from = sizes.begin(); from != sizes.end();) {
    const auto to = std::upper_bound(from, sizes.end(), *from);
    total += *from * (to - from);
    if (total > budget) break;
    most = *from;
    from = to;
  }
  return most;
}

std::string block_of(std::span<const Results> protocols, std::span<const CardAudit> audits,
                     std::size_t most_bytes) {
  Identities identities;
  const std::int64_t listed = largest_listed(protocols);
  Json json = {{"format", "cupel-page-1"}, {"protocols", Json::array()}};
  for (const Results& results : protocols)
    json["protocols"].push_back(protocol_json(results, identities, listed, audits));
  json["identities"] = identities.json();
  std::string out = text_of(json);
  while (out.size() >= most_bytes && drop_most_scores(json)) out = text_of(json);
  return out;
}

}  // namespace cupel::page
