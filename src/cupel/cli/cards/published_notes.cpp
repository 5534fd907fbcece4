// What is said of published values that are not what their place says.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"

namespace cupel::cli {

using Json = nlohmann::ordered_json;

std::string published_notes_text(const Protocol& protocol) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const PublishedValue& value : protocol.published) {
    if (value.note.empty()) continue;
    auto at = std::find_if(found.begin(), found.end(),
                           [&](const auto& one) { return one.first == value.note; });
    if (at == found.end()) at = found.insert(found.end(), {value.note, {}});
    std::string cell = fmt::format("{} on {}", value.model, value.dataset);
    if (value.measure != Measure{protocol.metric}) cell += ", " + value.measure.word();
    at->second.push_back(std::move(cell));
  }
  std::string out;
  for (const auto& [note, cells] : found)
    out += wrap(fmt::format("{}: {}", fmt::join(cells, "; "), note), 2);
  return out.empty() ? out : "\nPublished values that are not what they seem\n" + out;
}

Json published_notes_json(const Protocol& protocol) {
  Json out = Json::array();
  for (const PublishedValue& value : protocol.published)
    if (!value.note.empty())
      out.push_back({{"table", value.table},
                     {"dataset", value.dataset},
                     {"model", value.model},
                     {"metric", value.measure.word()},
                     {"note", value.note}});
  return out;
}

}  // namespace cupel::cli
