#include "cupel/data/catalog/recipe_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>

#include "cupel/base/error.h"

namespace cupel {
namespace {

// A table that knows its place in the file, for messages.
struct Section {
  std::string where;
  const toml::table& table;

  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : table) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
        fail("{}: key '{}' is unknown; known are {}", where, key.str(), fmt::join(keys, ", "));
      }
    }
  }
  std::string text(std::string_view key, bool required = false) const {
    const toml::node* node = table.get(key);
    if (!node && !required) return "";
    if (!node || !node->is_string()) fail("{}: '{}' must be a text", where, key);
    return node->as_string()->get();
  }
  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> all;
    const toml::node* node = table.get(key);
    if (!node) return all;
    if (!node->is_array()) fail("{}: '{}' must be a list of texts", where, key);
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_string()) fail("{}: '{}' must be a list of texts", where, key);
      all.push_back(item.as_string()->get());
    }
    return all;
  }
  std::vector<std::string> text_or_texts(std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node && node->is_string()) return {node->as_string()->get()};
    return texts(key);
  }
  bool flag(std::string_view key) const {
    const toml::node* node = table.get(key);
    if (!node) return false;
    if (!node->is_boolean()) fail("{}: '{}' must be true or false", where, key);
    return node->as_boolean()->get();
  }
  std::vector<std::int64_t> integers(std::string_view key) const {
    std::vector<std::int64_t> all;
    const toml::node* node = table.get(key);
    if (!node) return all;
    if (!node->is_array()) fail("{}: '{}' must be a list of whole numbers", where, key);
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_integer()) fail("{}: '{}' must be a list of whole numbers", where, key);
      all.push_back(item.as_integer()->get());
    }
    return all;
  }
  std::int64_t integer(std::string_view key) const {
    const toml::node* node = table.get(key);
    if (!node) return 0;
    if (!node->is_integer()) fail("{}: '{}' must be a whole number", where, key);
    return node->as_integer()->get();
  }
};

Facts parse_facts(const Section& parent, std::string_view key) {
  const toml::node* node = parent.table.get(key);
  if (!node) return {};
  if (!node->is_table()) fail("{}: '{}' must be a table", parent.where, key);
  const Section section{fmt::format("{}: [{}]", parent.where, key), *node->as_table()};
  section.allow({"graphs", "nodes", "arcs", "edges", "self_loops", "features", "feature_entries",
                 "node_attributes", "arc_attributes", "classes", "tasks", "splits", "facts",
                 "relations", "steps"});
  Facts facts;
  for (const auto& [name, value] : section.table) {
    facts[std::string(name.str())] = section.integer(name.str());
  }
  return facts;
}

RecipeFile parse_file(const Section& section) {
  section.allow({"name", "sha256", "bytes", "mirrors"});
  RecipeFile file;
  file.name = section.text("name", true);
  if (file.name.empty() || file.name.find('/') != std::string::npos || file.name[0] == '.') {
    fail("{}: '{}' is not a file name", section.where, file.name);
  }
  file.sha256 = section.text("sha256");
  if (!file.sha256.empty() &&
      (file.sha256.size() != 64 ||
       file.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    fail("{}: sha256 must be 64 lower-case hexadecimal digits", section.where);
  }
  file.bytes = section.integer("bytes");
  file.mirrors = section.texts("mirrors");
  return file;
}

}  // namespace

Recipe parse_recipe(std::string_view file, std::string_view text) {
  toml::table table;
  try {
    table = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    fail("{}: line {}: {}", file, error.source().begin.line, error.description());
  }
  const Section top{std::string(file), table};
  top.allow({"name", "aliases", "title", "description", "format", "any_format", "licence",
             "citation", "origin", "preparation", "content_hash", "checked_hash", "pattern_hash",
             "class_sizes", "files", "raw", "prepared"});
  Recipe recipe;
  recipe.name = top.text("name", true);
  recipe.aliases = top.texts("aliases");
  recipe.title = top.text("title", true);
  recipe.description = top.text("description", true);
  recipe.format = top.text("format", true);
  recipe.any_format = top.flag("any_format");
  recipe.licence = top.text("licence", true);
  recipe.citation = top.text("citation", true);
  recipe.origin = top.text("origin");
  recipe.preparation = top.texts("preparation");
  recipe.content_hash = top.text("content_hash");
  recipe.checked_hashes = top.text_or_texts("checked_hash");
  recipe.pattern_hash = top.text("pattern_hash");
  recipe.class_sizes = top.integers("class_sizes");
  recipe.raw_facts = parse_facts(top, "raw");
  recipe.facts = parse_facts(top, "prepared");
  const toml::node* files = table.get("files");
  if (!files || !files->is_array_of_tables()) fail("{}: there is no [[files]]", file);
  for (const toml::node& item : *files->as_array()) {
    recipe.files.push_back(parse_file({fmt::format("{}: [[files]]", file), *item.as_table()}));
  }
  return recipe;
}

}  // namespace cupel
