// A table of a TOML file, read key by key: every message has file, line and section, and a key that
// nobody asked for is an error.
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/options.h"
#include "cupel/lab/protocol/text_label.h"

namespace cupel {

class Section {
 public:
  // `name` as messages show it: "[split]"; empty for the file itself.
  Section(TextLabel file, std::string name, const toml::table& table);

  // Each marks the key as known and is empty if it is absent. Throws Error on a wrong type or
  // range.
  std::optional<std::string> text(const char* key);
  std::optional<std::string> text(const char* key, const std::vector<std::string>& choices);
  std::optional<std::int64_t> integer(const char* key, std::int64_t min, std::int64_t max);
  std::optional<double> real(const char* key, double min, double max);
  std::optional<double> positive(const char* key, double max);  // 0 is refused, too
  std::optional<bool> flag(const char* key);
  std::optional<std::vector<std::string>> texts(const char* key);
  const toml::table* table(const char* key);
  const toml::array* tables(const char* key);

  // All keys not asked for yet, in the order of the file; marks them as known.
  std::vector<std::pair<std::string, const toml::node*>> rest();
  // Throws Error if a key is left that nobody asked for.
  void finish() const;

  // "file:12: [section]" for the section, or for one of its values.
  std::string where() const { return where(*table_); }
  std::string where(const toml::node& node) const;
  std::string where(const char* key) const;  // of a value that is there
  const TextLabel& file() const { return file_; }

 private:
  const toml::node* find(const char* key);
  [[noreturn]] void wrong_type(const char* key, const toml::node& node, const char* wanted) const;

  TextLabel file_;
  std::string name_;
  const toml::table* table_;
  std::set<std::string> known_;
};

// A TOML text. Throws Error with label and line for what is none.
[[nodiscard]] toml::table toml_of(const TextLabel& label, const std::string& text);

// What node.is_number() has as a real number; a whole number that no double has is rounded.
[[nodiscard]] double real_number(const toml::node& node);

// Adds a value to those that a list of `key` tries. Throws Error at `where` for one that is there.
template <class Value>
void add_value(std::vector<Value>& values, Value value, const std::string& where,
               const std::string& key) {
  if (std::count(values.begin(), values.end(), value))
    fail("{}: '{}' has the same value twice", where, key);
  values.push_back(std::move(value));
}

// A setting's value. Throws Error at `where` for arrays, tables and dates.
[[nodiscard]] OptionValue option_value(const std::string& where, const std::string& key,
                                       const toml::node& node);

}  // namespace cupel
