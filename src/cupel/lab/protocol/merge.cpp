#include "cupel/lab/protocol/merge.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/split/split_kind.h"
#include "cupel/lab/protocol/parse.h"

namespace cupel {
namespace {

using Toml = toml::table;

// Names of rows, groups and data sets are the same in several spellings.
Toml::iterator find_name(Toml& table, const std::string& name) {
  return std::find_if(table.begin(), table.end(), [&](const auto& entry) {
    return same_name(std::string(entry.first.str()), name);
  });
}

void merge_keys(Toml& base, Toml& own) {
  for (auto&& [key, node] : own) base.insert_or_assign(key, std::move(node));
}

// Two spellings of a name here would both be put in place of what the base says.
void check_names(const Toml& own, const TextLabel& label) {
  std::vector<std::string> known;
  for (const auto& [key, node] : own) {
    const std::string name(key.str());
    if (has_name(known, name))
      fail("{}: '{}' is there in another spelling, too; keep one",
           label.at(node.source().begin.line), name);
    known.push_back(name);
  }
}

// Tables under names; `merge` says whether it made one of two, else the own one stands.
template <class Merge>
void merge_named(Toml& base, Toml& own, const TextLabel& label, const Merge& merge) {
  check_names(own, label);
  for (auto&& [key, node] : own) {
    const std::string name(key.str());
    const auto found = find_name(base, name);
    if (found != base.end()) {
      Toml *theirs = found->second.as_table(), *ours = node.as_table();
      if (theirs != nullptr && ours != nullptr && merge(name, *theirs, *ours)) continue;
      base.erase(found);
    }
    base.insert_or_assign(key, std::move(node));
  }
}

std::string text_at(const Toml& table, const char* key, const std::string& otherwise) {
  return table[key].value<std::string>().value_or(otherwise);
}

// Whether `own` says at `key` another word than `base`, which says `usual` where it says nothing.
bool says_another(const Toml& base, const Toml& own, const char* key, const std::string& usual) {
  return own.contains(key) && text_at(own, key, "") != text_at(base, key, usual);
}

// "quoted", "program", "function train", "model gcn".
std::string kind_of_row(const std::string& name, const Toml& row) {
  if (row["quoted"].value<bool>().value_or(false)) return "quoted";
  if (row.contains("command")) return "program";
  if (row.contains("function")) return "function " + text_at(row, "function", "");
  return "model " + text_at(row, "model", name);
}

// Takes from `choices` those of a setting.
void end_choice(Toml& choices, const std::string& setting) {
  for (auto at = choices.begin(); at != choices.end();) {
    const auto names = setting_names("choices", std::string(at->first.str()));
    at = std::ranges::count(names, setting) > 0 ? choices.erase(at) : std::next(at);
  }
}

// A setting has a value or a choice, and the later word counts.
void end_what_is_said_anew(Toml& base, const Toml& own, const std::string& where) {
  Toml *choices = base["choices"].as_table(), *train = base["train"].as_table();
  if (choices != nullptr) {
    for (const auto& [key, node] : own) end_choice(*choices, std::string(key.str()));
    if (const Toml* said = own["train"].as_table())
      for (const auto& [key, node] : *said) end_choice(*choices, std::string(key.str()));
  }
  const Toml* chosen = own["choices"].as_table();
  if (chosen == nullptr) return;
  for (const auto& [key, node] : *chosen) {
    for (const std::string& setting : setting_names(where, std::string(key.str()))) {
      base.erase(setting);
      if (train != nullptr) train->erase(setting);
      if (choices != nullptr) end_choice(*choices, setting);
    }
  }
}

void merge_row(Toml& base, Toml& own, const std::string& where) {
  end_what_is_said_anew(base, own, where);
  for (auto&& [key, node] : own) {
    toml::node* there = base.get(key.str());
    if (there != nullptr && key == "on" && there->is_array_of_tables() &&
        node.is_array_of_tables()) {
      for (auto&& one : *node.as_array()) there->as_array()->push_back(std::move(one));
    } else if (there != nullptr && there->is_table() && node.is_table()) {
      merge_keys(*there->as_table(), *node.as_table());
    } else {
      base.insert_or_assign(key, std::move(node));
    }
  }
}

// Whether the section `name` of both is one now; if not, the own one stands.
bool merge_section(const std::string& name, Toml& base, Toml& own, const TextLabel& label) {
  const auto by_key = [](const std::string&, Toml& theirs, Toml& ours) {
    merge_keys(theirs, ours);
    return true;
  };
  if (name == "models") {
    merge_named(base, own, label, [&](const std::string& row, Toml& theirs, Toml& ours) {
      const std::string kind = kind_of_row(row, ours);
      const bool says = kind == "quoted" || ours.contains("model") || ours.contains("command") ||
                        ours.contains("function");
      if (says && !same_name(kind_of_row(row, theirs), kind)) return false;
      merge_row(theirs, ours, label.at(ours.source().begin.line));
      return true;
    });
  } else if (name == "data") {
    merge_named(base, own, label, by_key);
  } else if (name == "strata") {
    merge_named(base, own, label, [&](const std::string& group, Toml& theirs, Toml& ours) {
      return !says_another(theirs, ours, "rule", "") && by_key(group, theirs, ours);
    });
  } else if (name == "tune") {
    merge_named(base, own, label, [&](const std::string&, Toml& theirs, Toml& ours) {
      merge_named(theirs, ours, label, [](const std::string&, Toml&, Toml&) { return false; });
      return true;
    });
  } else {
    if (name == "split" && says_another(base, own, "scheme", SplitScheme().kind)) return false;
    merge_keys(base, own);
  }
  return true;
}

// The [[table]] of an array with this id; null if there is none.
Toml* find_table(toml::array& tables, const std::string& id) {
  for (toml::node& node : tables)
    if (text_at(*node.as_table(), "id", "") == id) return node.as_table();
  return nullptr;
}

void merge_tables(toml::array& base, toml::array& own, const TextLabel& label) {
  std::vector<std::string> ids;
  for (toml::node& node : own) {
    Toml& ours = *node.as_table();
    const std::string id = text_at(ours, "id", "");
    if (std::ranges::count(ids, id) > 0)
      fail("{}: [[table]]: a second table with the id '{}'", label.at(ours.source().begin.line),
           id);
    ids.push_back(id);
    Toml* theirs = find_table(base, id);
    if (theirs == nullptr)
      base.push_back(std::move(ours));
    else if (says_another(*theirs, ours, "kind", TableSpec().kind))
      *theirs = std::move(ours);
    else
      merge_keys(*theirs, ours);
  }
}

// The texts of a list; none where `table` has no list there.
std::vector<std::string> names_in(const Toml& table, const char* key) {
  std::vector<std::string> out;
  if (const toml::array* names = table[key].as_array())
    for (const toml::node& name : *names) out.push_back(name.value<std::string>().value_or(""));
  return out;
}

toml::array* tables_of(Toml& tree) {
  toml::node* tables = tree.get("table");
  return tables != nullptr && tables->is_array_of_tables() ? tables->as_array() : nullptr;
}

// Rows of `own` that the base has not and that no table of `own` names, in the order of the file.
std::vector<std::string> rows_to_place(const Protocol& base, Toml& own, const TextLabel& label) {
  std::vector<std::string> named, out;
  if (const toml::array* tables = tables_of(own))
    for (const toml::node& table : *tables)
      for (std::string& row : names_in(*table.as_table(), "models"))
        named.push_back(std::move(row));
  const Toml* models = own["models"].as_table();
  if (models == nullptr) return out;
  for (const auto& [row, node] : Section(label, "[models]", *models).rest())
    if (base.find_model(row) == nullptr && !has_name(named, row)) out.push_back(row);
  return out;
}

// Those tables of scores that list their rows, and whose list is the base's, take them.
void place_rows(Toml& tree, const toml::source_path_ptr& of_base,
                const std::vector<std::string>& rows) {
  toml::array* tables = tables_of(tree);
  if (tables == nullptr) return;
  for (toml::node& node : *tables) {
    Toml& table = *node.as_table();
    toml::array* models = table["models"].as_array();
    if (models == nullptr || models->source().path != of_base ||
        text_at(table, "kind", TableSpec().kind) != TableSpec().kind)
      continue;
    for (const std::string& row : rows) models->push_back(row);
  }
}

// Erases the entries of a table or of an array for which `goes` is true.
template <class Container, class Goes>
void erase_where(Container& container, const Goes& goes) {
  for (auto at = container.begin(); at != container.end();)
    at = goes(*at) ? container.erase(at) : std::next(at);
}

// The data sets that a tree knows by name.
std::vector<std::string> datasets_of(Toml& tree) {
  std::vector<std::string> known;
  const auto add = [&](const Toml& table) {
    for (std::string& name : names_in(table, "datasets")) known.push_back(std::move(name));
  };
  if (const toml::array* tables = tables_of(tree))
    for (const toml::node& table : *tables) add(*table.as_table());
  if (const Toml* data = tree["data"].as_table()) {
    add(*data);
    for (const auto& [name, special] : *data)
      if (special.is_table() && special.as_table()->contains("path"))
        known.emplace_back(name.str());
  }
  return known;
}

// What the base says of a data set alone goes with the data set.
void drop_absent(Toml& tree, const toml::source_path_ptr& of_base) {
  const std::vector<std::string> known = datasets_of(tree);
  const auto is_of_base = [&](const Toml& table) {
    return std::all_of(table.begin(), table.end(),
                       [&](const auto& entry) { return entry.second.source().path == of_base; });
  };
  if (Toml* data = tree["data"].as_table())
    erase_where(*data, [&](const auto& entry) {
      return entry.second.is_table() && is_of_base(*entry.second.as_table()) &&
             !has_name(known, std::string(entry.first.str()));
    });
  Toml* models = tree["models"].as_table();
  if (models == nullptr) return;
  for (auto&& [row, node] : *models) {
    toml::array* cases = node.is_table() ? (*node.as_table())["on"].as_array() : nullptr;
    if (cases == nullptr) continue;
    erase_where(*cases, [&](toml::node& one) {
      if (!one.is_table() || !is_of_base(*one.as_table())) return false;
      toml::array& datasets = *one.as_table()->get("datasets")->as_array();
      erase_where(datasets, [&](const toml::node& name) {
        return !has_name(known, name.value<std::string>().value_or(""));
      });
      return datasets.empty();
    });
    if (cases->empty() && cases->source().path == of_base) node.as_table()->erase("on");
  }
}

}  // namespace

void merge_protocol(Toml& tree, const Protocol& base, Toml own, const TextLabel& label) {
  const toml::source_path_ptr of_base = tree.source().path;
  if (own.contains("table") && !tree.contains("table")) {
    // The only table of the base is said nowhere; beside others it would be none.
    toml::array tables;
    tables.push_back(Toml{{"id", base.tables.front().id}, {"title", base.tables.front().title}});
    tree.insert("table", std::move(tables));
  }
  const std::vector<std::string> rows = rows_to_place(base, own, label);
  for (auto&& [key, node] : own) {
    const std::string name(key.str());
    toml::node* there = tree.get(name);
    bool merged = false;
    if (there != nullptr && name == "table" && there->is_array_of_tables() &&
        node.is_array_of_tables()) {
      merge_tables(*there->as_array(), *node.as_array(), label);
      merged = true;
    } else if (there != nullptr && name != "published" && there->is_table() && node.is_table()) {
      merged = merge_section(name, *there->as_table(), *node.as_table(), label);
    }
    if (!merged) tree.insert_or_assign(key, std::move(node));
  }
  place_rows(tree, of_base, rows);
  drop_absent(tree, of_base);
}

void move_paths(Toml& base, const std::filesystem::path& prefix) {
  const auto move = [&](Toml& table, const char* key) {
    if (auto* path = table[key].as_string()) path->get() = (prefix / path->get()).string();
  };
  const auto move_files = [&](Toml* split) {
    if (split == nullptr) return;
    for (const SplitSetting& setting :
         split_kind(text_at(*split, "scheme", SplitScheme().kind)).settings)
      if (setting.file) move(*split, setting.option.name.c_str());
  };
  const auto each_table = [](toml::node* node, const auto& action) {
    if (node == nullptr) return;
    if (Toml* named = node->as_table()) {
      for (auto&& [key, one] : *named)
        if (Toml* table = one.as_table()) action(*table);
    } else if (toml::array* list = node->as_array()) {
      for (toml::node& one : *list) action(*one.as_table());
    }
  };
  move_files(base["split"].as_table());
  each_table(base.get("table"), [&](Toml& table) { move_files(table["split"].as_table()); });
  each_table(base.get("data"), [&](Toml& data) { move(data, "path"); });
  each_table(base.get("strata"), [&](Toml& group) { move(group, "nodes"); });
}

}  // namespace cupel
