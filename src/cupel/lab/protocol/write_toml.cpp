#include "cupel/lab/protocol/write_toml.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

namespace cupel {
namespace {

// Tables with names of so many parts have a head of their own, as [tune.grid.gcn]; others stand in
// one line, where the order of what they hold is that of the file.
constexpr int kDeepestHead = 3;

class Writer {
 public:
  Writer(const toml::source_path_ptr& of_base, const TextLabel& base, const TextLabel& own)
      : of_base_(of_base), base_(base), own_(own) {}

  // What is under the head `name`, of `depth` parts.
  void write(const toml::table& table, const std::string& name, int depth) {
    const auto entries = in_order(table);
    for (const auto& [key, node] : entries)
      if (!has_head(*node, depth)) line(key + " = " + value_text(*node), *node);
    for (const auto& [key, node] : entries) {
      if (!has_head(*node, depth)) continue;
      const std::string full = name.empty() ? key : name + "." + key;
      if (const toml::table* one = node->as_table()) {
        if (!holds_heads_alone(*one, depth + 1)) head("[" + full + "]", *one);
        write(*one, full, depth + 1);
        continue;
      }
      for (const toml::node& one : *node->as_array()) {
        head("[[" + full + "]]", *one.as_table());
        write(*one.as_table(), full, kDeepestHead);
      }
    }
  }

  PlacedText done() { return std::move(out_); }

 private:
  [[nodiscard]] bool is_of_base(const toml::node& node) const {
    return node.source().path == of_base_;
  }

  // Of what stands under a head of `depth` parts.
  static bool has_head(const toml::node& node, int depth) {
    return depth < kDeepestHead && (node.is_table() || node.is_array_of_tables());
  }
  static bool holds_heads_alone(const toml::table& table, int depth) {
    return !table.empty() && std::all_of(table.begin(), table.end(), [&](const auto& entry) {
      return has_head(entry.second, depth);
    });
  }

  void head(const std::string& text, const toml::table& table) {
    out_.text += "\n";
    out_.places.push_back(own_.file());
    line(text, told_by(table));
  }

  void line(const std::string& text, const toml::node& from) {
    out_.text += text + "\n";
    out_.places.push_back((is_of_base(from) ? base_ : own_).at(from.source().begin.line));
  }

  // What a message about a whole table points to: where the second text says something of it.
  [[nodiscard]] const toml::node& told_by(const toml::table& table) const {
    if (!is_of_base(table)) return table;
    for (const auto& [key, node] : in_order(table))
      if (!is_of_base(*node) && node->source().begin) return *node;
    return table;
  }

  // Keys as they are written, and what they say.
  [[nodiscard]] std::vector<std::pair<std::string, const toml::node*>> in_order(
      const toml::table& table) const {
    std::vector<std::pair<std::string, const toml::node*>> out;
    for (const auto& [key, node] : table) out.emplace_back(toml_key(key.str()), &node);
    std::ranges::stable_sort(out, {}, [&](const auto& entry) {
      const toml::source_position& begin = entry.second->source().begin;
      return std::tuple(!is_of_base(*entry.second), begin.line, begin.column);
    });
    return out;
  }

  [[nodiscard]] std::string value_text(const toml::node& node) const {
    std::vector<std::string> parts;
    if (const auto* text = node.as_string()) return toml_value(text->get());
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& one : *list) parts.push_back(value_text(one));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    }
    if (const toml::table* table = node.as_table()) {
      for (const auto& [key, one] : in_order(*table))
        parts.push_back(key + " = " + value_text(*one));
      return fmt::format("{{ {} }}", fmt::join(parts, ", "));
    }
    if (const auto* number = node.as_floating_point()) return toml_value(number->get());
    std::ostringstream out;
    out << toml::toml_formatter{node};
    return out.str();
  }

  const toml::source_path_ptr& of_base_;
  const TextLabel &base_, &own_;
  PlacedText out_;
};

}  // namespace

std::string toml_value(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if ((c >= 0 && c < ' ') || c == '\x7f')
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string toml_key(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  return bare ? std::string(name) : toml_value(name);
}

// Shortest, and told from a whole number.
std::string toml_value(double number) {
  std::string out = fmt::format("{}", number);
  return out.find_first_of(".enf") == std::string::npos ? out + ".0" : out;
}

PlacedText write_toml(const toml::table& tree, const toml::source_path_ptr& of_base,
                      const TextLabel& base, const TextLabel& own) {
  Writer writer(of_base, base, own);
  writer.write(tree, "", 0);
  return writer.done();
}

std::string write_toml(const toml::table& tree) {
  return write_toml(tree, tree.source().path, "", "").text;
}

}  // namespace cupel
