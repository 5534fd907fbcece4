#include "cupel/data/formats/build_account.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t kMostBytes = 1u << 24;
constexpr std::uint64_t kMostFacts = std::uint64_t{1} << 40;  // of a relation

std::string text_at(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::optional<int> year_of(std::string_view text) {
  int year = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), year);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole ? std::optional(year) : std::nullopt;
}

// One year is the last one.
std::optional<int> last_of_years(std::string_view years) {
  return year_of(years.substr(years.find('-') + 1));
}

std::optional<int> last_counted(const Json& json) {
  const auto counts = json.find("counts");
  if (counts == json.end() || !counts->is_object()) return {};
  for (const auto& [what, number] : counts->items())
    if (what.starts_with(kFactsOfLastYear))
      return year_of(std::string_view(what).substr(kFactsOfLastYear.size()));
  return {};
}

bool is_resolved(const Json& json) { return text_at(json, "command") == "resolve"; }

// Of all relations together.
std::optional<std::int64_t> facts_of(const Json& json) {
  constexpr std::array<std::string_view, 3> kBuilt = {"collaborations", "partnerships",
                                                      "facts of expertise"};
  const auto counts = json.find("counts");
  if (counts == json.end() || !counts->is_object()) return {};
  const bool resolved = is_resolved(json);
  std::int64_t sum = 0;
  std::size_t found = 0;
  for (const auto& [what, count] : counts->items()) {
    if (resolved ? !what.starts_with("facts: ") : std::ranges::find(kBuilt, what) == kBuilt.end())
      continue;
    if (!count.is_number_unsigned() || count.get<std::uint64_t>() > kMostFacts) return {};
    sum += count.get<std::int64_t>();
    ++found;
  }
  return found >= (resolved ? 1 : kBuilt.size()) ? std::optional(sum) : std::nullopt;
}

// The account of the build, which folders that were resolved one from the other hand on; an empty
// one where they do not.
const Json& account_of_build(const Json& json) {
  static const Json none = Json::object();
  const Json* out = &json;
  while (is_resolved(*out)) {
    const auto source = out->find("source");
    if (source == out->end() || !source->is_object()) return none;
    const auto before = source->find("provenance");
    if (before == source->end() || !before->is_object()) return none;
    out = &*before;
  }
  return *out;
}

}  // namespace

BuildAccount read_build_account(const fs::path& folder) {
  BuildAccount out;
  const fs::path path = folder / "provenance.json";
  std::error_code problem;
  if (!fs::exists(path, problem)) return out;
  out.damaged = true;
  if (!fs::is_regular_file(path, problem) || fs::file_size(path, problem) > kMostBytes) return out;
  std::ifstream in(path, std::ios::binary);
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) return out;
  out.damaged = false;
  out.recipe = text_at(json, "recipe");
  const Json& build = account_of_build(json);
  if (const auto settings = build.find("settings");
      settings != build.end() && settings->is_object()) {
    for (const auto& [name, value] : settings->items())
      if (value.is_primitive())
        out.settings[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  if (const auto inputs = build.find("inputs"); inputs != build.end() && inputs->is_array()) {
    for (const Json& input : *inputs)
      if (input.is_object()) out.files[text_at(input, "input")].push_back(text_at(input, "file"));
  }
  if (const auto years = out.settings.find("years"); years != out.settings.end())
    out.last_year = last_of_years(years->second);
  if (const auto year = last_counted(build)) out.last_year = year;
  out.facts = facts_of(json);
  return out;
}

}  // namespace cupel
