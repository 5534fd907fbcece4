// A leaderboard as JSON, and what it is in a word.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cupel/api/leaderboard.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const Board& board, const BoardValue& value) {
  return {{"model", value.model},
          {"tier", to_words(value.tier)},
          {"mean", value.mean ? Json(*value.mean) : Json()},
          {"text", value.text},
          {"runs", value.n},
          {"runs_asked", value.expected_n},
          {"done_again", value.redone},
          {"same", value.same},
          {"source", value.source ? Json(board.sources[*value.source].name) : Json()},
          {"said_deterministic", value.source && board.sources[*value.source].said_deterministic},
          {"told_by", value.told_by ? Json(board.sources[*value.told_by].name) : Json()}};
}

}  // namespace

bool holds(const Board& board) {
  return std::ranges::all_of(board.sources, [](const BoardSource& one) { return holds(one); }) &&
         std::ranges::all_of(board.tables,
                             [](const BoardTable& table) { return table.disputes.empty(); });
}

const char* signature_word(const BoardSource& source) {
  if (source.submission || !source.signature) return "none";
  return to_word(source.signature->state);
}

Json board_json(const Board& board, const std::string& site) {
  Json sources = Json::array(), tables = Json::array();
  for (const BoardSource& source : board.sources)
    sources.push_back({{"name", source.name},
                       {"kind", source.submission ? "submission" : "store"},
                       {"date", source.date},
                       {"runs", source.runs},
                       {"done_again", source.redone},
                       {"same", source.reproduced.size()},
                       {"signature", signature_word(source)},
                       {"signer", source.signature ? source.signature->signer : ""},
                       {"holds", holds(source)},
                       {"problems", source.problems},
                       {"remarks", source.remarks},
                       {"page", source.page}});
  for (const BoardTable& table : board.tables) {
    Json rows = Json::array();
    for (const BoardRow& row : table.rows) {
      Json one = {{"rank", row.rank == 0 ? Json() : Json(row.rank)},
                  {"unranked", to_words(row.unranked)},
                  {"shares_name", row.shares_name}};
      one.update(value_json(board, row.value));
      one["others"] = Json::array();
      for (const BoardValue& value : row.others) one["others"].push_back(value_json(board, value));
      rows.push_back(std::move(one));
    }
    tables.push_back({{"protocol", table.protocol},
                      {"version", table.version},
                      {"table", table.table},
                      {"dataset", table.column.dataset},
                      {"metric", table.column.measure.word()},
                      {"content", table.data ? Json(table.data->content) : Json()},
                      {"rows", rows},
                      {"disputes", table.disputes}});
  }
  return {{"kind", "leaderboard"}, {"site", site}, {"sources", sources}, {"tables", tables}};
}

}  // namespace cupel
