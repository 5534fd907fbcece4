#include "cupel/data/formats/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

using nlohmann::json;

constexpr int kDeepest = 8;  // destroying very deep values may need as deep a stack
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;

template <class Json>
Json parse(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, typename Json::parse_event_t event, Json& value) {
    if (depth > kDeepest) fail("{}: is nested too deeply; see docs/formats.md", name);
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key &&
        !keys.back().insert(value.template get<std::string>()).second)
      fail("{}: key {} is given twice in one object; give it once", name,
           in_quotes(value.template get<std::string>()));
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const typename Json::exception& problem) {
    fail("{}: is not valid JSON ({}); correct it", name, problem.what());
  }
}

template <class Json>
Json read(const std::filesystem::path& path) {
  return parse<Json>(read_small_file(path, kMostBytes), path.string());
}

// A short list of plain values is shown, as what is wrong with a pair is one of its two.
template <class Json>
std::string shown(const Json& value) {
  constexpr std::size_t kShown = 4;
  const bool plain = value.is_array() && value.size() <= kShown &&
                     std::ranges::none_of(value, [](const Json& item) {
                       return item.is_structured() || item.is_string();
                     });
  if (value.is_structured() && !plain) return value.is_array() ? "a list" : "an object";
  return in_quotes(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

json read_strict_json(const std::filesystem::path& path) { return read<json>(path); }
json parse_strict_json(std::string_view text, const std::string& name) {
  return parse<json>(text, name);
}
nlohmann::ordered_json read_strict_json_in_order(const std::filesystem::path& path) {
  return read<nlohmann::ordered_json>(path);
}

std::string shown_json(const json& value) { return shown(value); }
std::string shown_json(const nlohmann::ordered_json& value) { return shown(value); }

void check_keys(const json& value, const std::string& where,
                std::initializer_list<const char*> known) {
  if (!value.is_object()) fail("{}: {} where an object is needed", where, shown_json(value));
  for (const auto& [key, unused] : value.items()) {
    if (std::ranges::find(known, key) == known.end())
      fail("{}: unknown key {}; known are {}", where, in_quotes(key), fmt::join(known, ", "));
  }
}

}  // namespace cupel
