#include "cupel/api/given_models.h"

#include <algorithm>
#include <utility>

#include "cupel/api/protocol_json.h"
#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/lab/protocol/section.h"
#include "cupel/lab/protocol/write_toml.h"

namespace cupel {
namespace {

bool names(const ModelRow& row, const ModelFunction& function) {
  return row.external && row.external->function == function.name;
}

bool is_bare_key(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

// Where a place of TOML++, a line and a column of characters, is among the bytes of `text`.
std::size_t byte_at(const std::string& text, const toml::source_position& place) {
  std::size_t at = text.size() - without_byte_order_mark(text).size();
  for (toml::source_index line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  for (toml::source_index column = 1; column < place.column; ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

// The text, in which no section can be added to `models` that is written in one line.
std::string open_text(const Protocol& protocol) {
  const toml::table file = toml_of(protocol.name, protocol.text);
  const toml::table* models = file["models"].as_table();
  return models != nullptr && models->is_inline() ? write_toml(file) : protocol.text;
}

// The tables of scores that list their rows take these as well.
std::string with_listed(const Protocol& protocol, const std::string& rows) {
  std::string text = open_text(protocol);
  const toml::table file = toml_of(protocol.name, text);
  const toml::array* tables = file["table"].as_array();
  if (tables == nullptr) return text;
  for (std::size_t t = tables->size(); t-- > 0;) {
    const toml::array* listed = (*tables)[t].as_table()->get_as<toml::array>("models");
    if (listed == nullptr || listed->empty() || protocol.tables.at(t).kind != "scores") continue;
    text.insert(byte_at(text, listed->back().source().end), rows);
  }
  return text;
}

}  // namespace

Protocol with_rows_of(const Protocol& protocol, const GivenModels& given) {
  std::vector<std::string> known, listed;
  std::string rows, sections;
  for (const auto& function : given) {
    const std::string& name = function->name;
    if (has_name(known, name)) fail("run: two models are called '{}'; give one another name", name);
    known.push_back(name);
    if (std::ranges::any_of(protocol.models,
                            [&](const auto& row) { return names(row, *function); }))
      continue;
    if (!is_bare_key(name))
      fail("run: a model is called '{}'; a name has letters, digits, '_' and '-'", name);
    if (protocol.find_model(name) != nullptr)
      fail(
          "run: protocol '{}' has a row '{}' that is another model; give the function another name",
          protocol.name, name);
    rows += fmt::format(", \"{}\"", name);
    sections += fmt::format("\n[models.{}]\nfunction = \"{}\"\n", name, name);
  }
  if (rows.empty()) return protocol;
  return with_text(protocol, with_listed(protocol, rows) + sections);
}

std::vector<std::string> rows_of(const Protocol& protocol, const GivenModels& given) {
  std::vector<std::string> out;
  for (const auto& function : given)
    for (const ModelRow& row : protocol.models)
      if (names(row, *function)) out.push_back(row.name);
  return out;
}

PlanSources with_given(PlanSources sources, const GivenModels& given) {
  sources.function = [given](const std::string& name) {
    const auto found =
        std::ranges::find(given, name, [](const auto& function) { return function->name; });
    return found == given.end() ? nullptr : *found;
  };
  return sources;
}

}  // namespace cupel
