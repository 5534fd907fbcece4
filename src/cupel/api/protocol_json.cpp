#include "cupel/api/protocol_json.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cupel/api/toml_text.h"
#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/data/formats/text.h"
#include "cupel/lab/protocol/extend.h"
#include "cupel/lab/protocol/of_program.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// Deeper than any protocol: what is deeper is a mistake, and would be recursed into.
constexpr int kDeepest = 16;

template <class Put>
void put_value(const std::string& where, const Json& value, int depth, const Put& put);

toml::table table_of(const std::string& where, const Json& json, int depth) {
  if (depth > kDeepest) fail("{}: is nested too deeply for a protocol; leave it out", where);
  toml::table out;
  for (const auto& [key, value] : json.items()) {
    // What is written here is read again: neither form of TOML's quoted keys takes all of these.
    if (std::ranges::any_of(key, [](char c) { return (c >= 0 && c < ' ') || c == '\''; }))
      fail("{}: is a name with an apostrophe, a tab or an end of line; give another",
           in_quotes(key));
    put_value(where.empty() ? key : where + "." + key, value, depth,
              [&, &name = key](auto&& one) { out.insert(name, std::forward<decltype(one)>(one)); });
  }
  return out;
}

toml::array array_of(const std::string& where, const Json& json, int depth) {
  if (depth > kDeepest) fail("{}: is nested too deeply for a protocol; leave it out", where);
  toml::array out;
  for (const Json& value : json)
    put_value(where, value, depth,
              [&](auto&& one) { out.push_back(std::forward<decltype(one)>(one)); });
  return out;
}

template <class Put>
void put_value(const std::string& where, const Json& value, int depth, const Put& put) {
  switch (value.type()) {
    case Json::value_t::object:
      return put(table_of(where, value, depth + 1));
    case Json::value_t::array:
      return put(array_of(where, value, depth + 1));
    case Json::value_t::string:
      return put(value.get<std::string>());
    case Json::value_t::boolean:
      return put(value.get<bool>());
    case Json::value_t::number_integer:
      return put(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      if (value.get<std::uint64_t>() > INT64_MAX)
        fail("{}: {} is too large for a protocol", where, value.get<std::uint64_t>());
      return put(value.get<std::int64_t>());
    case Json::value_t::number_float:
      return put(value.get<double>());
    default:
      fail("{}: is None, which a protocol cannot say; leave the key out", where);
  }
}

Json object_of(const std::string& name, const std::string& json) {
  Json out = Json::parse(json, nullptr, false);
  if (!out.is_object()) fail("{}: is no table of keys and values", name);
  return out;
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
  const std::string text = toml_text(table_of("", object_of(name, json), 0));
  return parse_source({.name = name,
                       .label = name,
                       .text = text + std::string(kOfProgram),
                       .published = std::nullopt,
                       .folder = current_folder(),
                       .place = ""});
}

Protocol with_text(const Protocol& protocol, const std::string& text) {
  const auto published = protocol.published_text.empty()
                             ? std::nullopt
                             : std::optional<std::string>(protocol.published_text);
  return parse_protocol(protocol.name, protocol.name, text, published, protocol.folder);
}

Protocol with_search(const Protocol& protocol, const std::string& json) {
  toml::table file = toml::parse(std::string_view(protocol.text));
  toml::table& tune = table_in(file, "tune");
  const toml::table given = table_of("tune", object_of("tune", json), 0);
  for (const auto& [key, node] : given) {
    const std::string name(key.str());
    if (const toml::table* spaces = node.as_table()) {
      toml::table& rows = table_in(tune, name);
      for (const auto& [row, space] : *spaces) erase_row(rows, std::string(row.str()));
      for (const auto& [row, space] : *spaces) rows.insert(row, space);
    } else {
      tune.insert_or_assign(name, node);
    }
  }
  return with_text(protocol, toml_text(file));
}

}  // namespace cupel
