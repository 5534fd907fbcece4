#include "cupel/api/protocol_json.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/data/formats/text.h"
#include "cupel/lab/protocol/extend.h"
#include "cupel/lab/protocol/of_program.h"
#include "cupel/lab/protocol/section.h"
#include "cupel/lab/protocol/write_toml.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// Deeper than any protocol: what is deeper is a mistake, and would be recursed into.
constexpr int kDeepest = 16;

std::string value_text(const std::string& where, const Json& value, int depth);

// "KEY = VALUE" of each key, in the order in which they are said.
std::vector<std::string> entries_of(const std::string& where, const Json& json, int depth) {
  std::vector<std::string> out;
  for (const auto& [key, value] : json.items()) {
    if (key.find('\0') != std::string::npos)
      fail("{}: is a name with a zero byte; give another", in_quotes(key));
    out.push_back(toml_key(key) + " = " +
                  value_text(where.empty() ? key : where + "." + key, value, depth));
  }
  return out;
}

std::string nested_text(const std::string& where, const Json& value, int depth) {
  if (depth > kDeepest) fail("{}: is nested too deeply for a protocol; leave it out", where);
  if (value.is_object())
    return fmt::format("{{ {} }}", fmt::join(entries_of(where, value, depth), ", "));
  std::vector<std::string> parts;
  for (const Json& one : value) parts.push_back(value_text(where, one, depth));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string value_text(const std::string& where, const Json& value, int depth) {
  switch (value.type()) {
    case Json::value_t::object:
    case Json::value_t::array:
      return nested_text(where, value, depth + 1);
    case Json::value_t::string:
      return toml_value(value.get_ref<const std::string&>());
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
      return std::to_string(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      if (value.get<std::uint64_t>() > INT64_MAX)
        fail("{}: {} is too large for a protocol", where, value.get<std::uint64_t>());
      return std::to_string(value.get<std::int64_t>());
    case Json::value_t::number_float:
      return toml_value(value.get<double>());
    default:
      fail("{}: is None, which a protocol cannot say; leave the key out", where);
  }
}

// The tree that an object says, each node of which knows its place; `where` is that of its keys.
toml::table table_of(const std::string& name, const std::string& where, const std::string& json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) fail("{}: is no table of keys and values", name);
  return toml_of(name, fmt::format("{}\n", fmt::join(entries_of(where, object, 0), "\n")));
}

// The table of `parent` that is called `name`; an empty one stands in for what is no table.
toml::table& table_in(toml::table& parent, const std::string& name) {
  if (!parent[name].is_table()) parent.insert_or_assign(name, toml::table());
  return *parent[name].as_table();
}

// However the row is spelled.
void erase_row(toml::table& rows, const std::string& name) {
  for (auto at = rows.begin(); at != rows.end();)
    at = same_name(std::string(at->first.str()), name) ? rows.erase(at) : std::next(at);
}

}  // namespace

Protocol protocol_of_json(const std::string& name, const std::string& json) {
  // The line stands last, so that the lines before it are those of the table.
  const std::string text = write_toml(table_of(name, "", json));
  return parse_source({.name = name,
                       .label = name,
                       .text = text + std::string(kOfProgram),
                       .published = std::nullopt,
                       .folder = current_folder(),
                       .place = ""});
}

Protocol with_text(const Protocol& protocol, std::string text) {
  if (is_of_program(protocol.text) && !is_of_program(text)) text += kOfProgram;
  const auto published = protocol.published_text.empty()
                             ? std::nullopt
                             : std::optional<std::string>(protocol.published_text);
  return parse_protocol(protocol.name, protocol.name, text, published, protocol.folder);
}

Protocol with_search(const Protocol& protocol, const std::string& json) {
  toml::table file = toml_of(protocol.name, protocol.text);
  toml::table& tune = table_in(file, "tune");
  toml::table given = table_of("tune", "tune", json);
  // Nodes are moved, as a copy does not know where it stood.
  for (auto&& [key, node] : given) {
    const std::string name(key.str());
    if (toml::table* spaces = node.as_table()) {
      toml::table& rows = table_in(tune, name);
      for (const auto& [row, space] : *spaces) erase_row(rows, std::string(row.str()));
      for (auto&& [row, space] : *spaces) rows.insert(row, std::move(space));
    } else {
      tune.insert_or_assign(name, std::move(node));
    }
  }
  return with_text(protocol, write_toml(file));
}

}  // namespace cupel
