#include "cupel/lab/protocol/section.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/names.h"

namespace cupel {
namespace {

std::string type_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

}  // namespace

Section::Section(TextLabel file, std::string name, const toml::table& table)
    : file_(std::move(file)), name_(std::move(name)), table_(&table) {}

std::string Section::where(const toml::node& node) const {
  std::string text = file_.at(node.source().begin.line);
  if (!name_.empty()) text += ": " + name_;
  return text;
}

std::string Section::where(const char* key) const { return where(*table_->get(key)); }

const toml::node* Section::find(const char* key) {
  known_.insert(key);
  return table_->get(key);
}

void Section::wrong_type(const char* key, const toml::node& node, const char* wanted) const {
  fail("{}: '{}' must be {}, not {}", where(node), key, wanted, type_of(node));
}

std::optional<std::string> Section::text(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_string()) wrong_type(key, *node, "a text");
  return node->as_string()->get();
}

std::optional<std::string> Section::text(const char* key, const std::vector<std::string>& choices) {
  auto value = text(key);
  if (value && std::find(choices.begin(), choices.end(), *value) == choices.end())
    fail("{}: '{}' cannot be '{}'; it is one of {}", where(key), key, *value,
         fmt::join(choices, ", "));
  return value;
}

std::optional<std::int64_t> Section::integer(const char* key, std::int64_t min, std::int64_t max) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_integer()) wrong_type(key, *node, "a whole number");
  const std::int64_t value = node->as_integer()->get();
  if (value < min || value > max)
    fail("{}: '{}' is {}, outside [{}, {}]", where(*node), key, value, min, max);
  return value;
}

std::optional<double> Section::real(const char* key, double min, double max) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_number()) wrong_type(key, *node, "a number");
  const double value = real_number(*node);
  if (!(value >= min && value <= max))
    fail("{}: '{}' is {}, outside [{}, {}]", where(*node), key, value, min, max);
  return value;
}

std::optional<double> Section::positive(const char* key, double max) {
  const std::optional<double> value = real(key, 0, max);
  if (value && *value == 0) fail("{}: '{}' is 0; it must be above 0", where(key), key);
  return value;
}

std::optional<bool> Section::flag(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) wrong_type(key, *node, "true or false");
  return node->as_boolean()->get();
}

std::optional<std::vector<std::string>> Section::texts(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) wrong_type(key, *node, "a list of texts");
  std::vector<std::string> out;
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_string()) wrong_type(key, item, "a list of texts");
    const std::string& value = item.as_string()->get();
    if (value.empty()) fail("{}: '{}' has an empty text in its list", where(item), key);
    out.push_back(value);
  }
  return out;
}

const toml::table* Section::table(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) wrong_type(key, *node, "a table");
  return node->as_table();
}

const toml::array* Section::tables(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_array_of_tables())
    fail("{}: '{}' must be written as [[{}]]", where(*node), key, key);
  return node->as_array();
}

std::vector<std::pair<std::string, const toml::node*>> Section::rest() {
  std::vector<std::pair<std::string, const toml::node*>> out;
  for (const auto& [key, node] : *table_) {
    if (known_.contains(std::string(key.str()))) continue;
    out.emplace_back(std::string(key.str()), &node);
  }
  // The library sorts keys by name; users mean the order they wrote.
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    const auto at = [](const toml::node& node) {
      const auto& begin = node.source().begin;
      return std::pair(begin.line, begin.column);
    };
    return at(*a.second) < at(*b.second);
  });
  for (const auto& [key, node] : out) known_.insert(key);
  return out;
}

void Section::finish() const {
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (known_.contains(name)) continue;
    const std::vector<std::string> known(known_.begin(), known_.end());
    fail("{}: unknown key '{}'{}", where(node), name,
         near_text(name, known, fmt::format("known here are: {}", fmt::join(known, ", "))));
  }
}

toml::table toml_of(const TextLabel& label, const std::string& text) {
  try {
    return toml::parse(std::string_view(text), label.file());
  } catch (const toml::parse_error& error) {
    fail("{}: not valid TOML: {}", label.at(error.source().begin.line), error.description());
  }
}

double real_number(const toml::node& node) {
  const auto* whole = node.as_integer();
  return whole != nullptr ? static_cast<double>(whole->get()) : node.as_floating_point()->get();
}

OptionValue option_value(const std::string& where, const std::string& key, const toml::node& node) {
  if (node.is_boolean()) return node.as_boolean()->get();
  if (node.is_integer()) return node.as_integer()->get();
  if (node.is_floating_point()) {
    const double value = node.as_floating_point()->get();
    if (!std::isfinite(value)) fail("{}: '{}' is {}; it must be finite", where, key, value);
    return value;
  }
  if (node.is_string()) return node.as_string()->get();
  fail("{}: '{}' must be a number, a text, true or false, not {}", where, key, type_of(node));
}

}  // namespace cupel
