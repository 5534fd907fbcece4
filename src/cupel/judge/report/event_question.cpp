#include "cupel/judge/report/event_question.h"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace cupel::report {
namespace {

using Json = nlohmann::json;

double holdout_of(const std::string& split) {
  constexpr std::string_view kName = " holdout=";
  const std::size_t at = split.find(kName);
  return at == std::string::npos ? 0 : std::strtod(split.c_str() + at + kName.size(), nullptr);
}

}  // namespace

std::string EventQuestion::text(const char* name) const {
  const auto found = settings.find(name);
  return found == settings.end() || !found->is_string() ? "" : found->get<std::string>();
}

std::int64_t EventQuestion::number(const char* name) const {
  const auto found = settings.find(name);
  return found == settings.end() || !found->is_number_integer() ? 0 : found->get<std::int64_t>();
}

std::optional<EventQuestion> event_question(const RunRecord& record) {
  const Json identity = Json::parse(record.identity, nullptr, false);
  const Json::json_pointer settings("/family/task/settings"), kind("/family/task/kind"),
      split("/family/split");
  if (identity.is_discarded() || !identity.contains(settings) || !identity.contains(kind) ||
      identity.at(kind) != "events")
    return std::nullopt;
  EventQuestion out{identity.at(settings)};
  if (identity.contains(split) && identity.at(split).is_string())
    out.holdout = holdout_of(identity.at(split).get<std::string>());
  return out;
}

}  // namespace cupel::report
