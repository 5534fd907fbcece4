// TOML text to Protocol.
#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <tuple>

#include "cupel/base/hash.h"
#include "cupel/data/split/split_kind.h"
#include "cupel/lab/protocol/parse.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

namespace {

// Where [data.NAME] says that a data set is. A '/' tells it from a name of the catalog.
std::string data_path(const Section& special, const std::string& path,
                      const std::filesystem::path& folder) {
  if (path.empty()) fail("{}: 'path' is empty; name a file or a folder", special.where());
  const std::string found = (folder / path).string();
  return found.find('/') == std::string::npos ? "./" + found : found;
}

void read_data(Section section, Protocol& out, const std::filesystem::path& folder) {
  out.datasets = section.texts("datasets").value_or(std::vector<std::string>{});
  no_repeats(section.where(), "datasets", out.datasets);
  out.prepare = section.texts("prepare").value_or(std::vector<std::string>{});
  for (const auto& [name, node] : section.rest()) {
    if (!node->is_table())
      fail(
          "{}: unknown key '{}'; known here are: datasets, prepare, and one table for each data "
          "set that is prepared differently or is at a path",
          section.where(*node), name);
    Section special(section.file(), "[data." + name + "]", *node->as_table());
    const auto steps = special.texts("prepare");
    const auto path = special.text("path");
    if (!steps && !path) fail("{}: says nothing; give 'path', 'prepare' or both", special.where());
    special.finish();
    if (steps) out.prepare_special[name] = *steps;
    if (path) out.paths[name] = data_path(special, *path, folder);
  }
  const auto named_once = [&](const char* key, const auto& by_name) {
    std::vector<std::string> names;
    for (const auto& [name, said] : by_name) names.push_back(name);
    no_repeats(section.where(), key, names);
  };
  named_once("prepare", out.prepare_special);
  named_once("path", out.paths);
}

// Something special on a data set that no table has is a misspelt name.
void check_special(const Protocol& protocol, const std::string& label) {
  std::vector<std::string> known = protocol.datasets;
  for (const TableSpec& table : protocol.tables)
    known.insert(known.end(), table.datasets.begin(), table.datasets.end());
  for (const auto& [name, path] : protocol.paths) known.push_back(name);
  for (const auto& [name, steps] : protocol.prepare_special) {
    if (has_name(known, name)) continue;
    fail("{}: [data.{}] is no data set of this protocol{}", label, name, near_text(name, known));
  }
  for (const ModelRow& row : protocol.models) {
    for (const RowCase& special : row.cases) {
      for (const std::string& name : special.datasets) {
        if (has_name(known, name)) continue;
        fail("{}: '{}' is no data set of this protocol{}", special.where, name,
             near_text(name, known));
      }
    }
  }
}

// A name that is not there is a slip in one of the two files, and would silently leave a cell
// without its published value.
void check_published(Protocol& protocol, const std::string& label) {
  std::set<std::tuple<std::string, std::string, std::string, std::string>> known;
  for (PublishedValue& value : protocol.published) {
    if (const std::string why = place_value(value, protocol); !why.empty())
      fail("{}: a published value {}", label, why);
    if (!known.emplace(value.table, value.dataset, value.model, value.measure.word()).second)
      fail("{}: a second published value of table '{}' for '{}', '{}' and '{}'; keep one", label,
           value.table, value.dataset, value.model, value.measure.word());
  }
}

std::string version_of(toml::table file) {
  file.erase("delta");
  if (toml::array* tables = file["table"].as_array())
    tables->for_each([](toml::table& table) { table.erase("delta"); });
  std::ostringstream json;
  json << toml::json_formatter(file);
  return sha256(json.str()).substr(0, 32);
}

}  // namespace

std::string place_value(PublishedValue& value, const Protocol& protocol) {
  const TableSpec* table = protocol.find_table(value.table);
  if (table == nullptr)
    return fmt::format("is for table '{}', which the protocol does not have", value.table);
  std::string why;
  const auto match = [&](std::string& name, const std::vector<std::string>& list,
                         const char* what) {
    const auto found = std::ranges::find_if(
        list, [&](const std::string& known) { return same_name(known, name); });
    if (found != list.end())
      name = *found;
    else if (why.empty())
      why = fmt::format("of table '{}' is for {} '{}', which the table does not have", value.table,
                        what, name);
  };
  // A value of a row is that of its readings too.
  std::vector<std::string> rows = table->models;
  for (const std::string& name : table->models) {
    const ModelRow* row = protocol.find_model(name);
    if (!row->reading_of.empty()) rows.push_back(row->reading_of);
  }
  match(value.model, rows, "model");
  if (value.dataset != "all") match(value.dataset, table->datasets, "data set");
  std::vector<std::string> groups;
  if (!table->strata.empty()) groups = {table->strata, kOtherNodes};
  if (!value.measure.group.empty()) match(value.measure.group, groups, "group of nodes");
  return why;
}

void no_repeats(const std::string& where, const char* key, const std::vector<std::string>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same_name(list[i], list[j])) fail("{}: '{}' names '{}' twice", where, key, list[i]);
    }
  }
}

const ModelRow* Protocol::find_model(const std::string& row) const {
  for (const ModelRow& model : models) {
    if (same_name(model.name, row)) return &model;
  }
  return nullptr;
}

const TableSpec* Protocol::table_of_splits(std::int64_t first, std::int64_t count) const {
  if (split_kind(split.kind).size != nullptr) return nullptr;
  const std::string family = split.identity();
  const auto uses = [&](const TableSpec& table) {
    const std::int64_t start = table.split.first, end = start + table.split.count;
    return first < end && start < first + count && table.split.identity() == family;
  };
  const auto found = std::ranges::find_if(tables, uses);
  return found == tables.end() ? nullptr : &*found;
}

const TableSpec* Protocol::find_table(const std::string& id) const {
  for (const TableSpec& table : tables) {
    if (table.id == id) return &table;
  }
  return nullptr;
}

const StrataSpec* Protocol::find_strata(const std::string& wanted) const {
  for (const StrataSpec& spec : strata) {
    if (same_name(spec.name, wanted)) return &spec;
  }
  return nullptr;
}

const std::string& Protocol::reference(const std::string& dataset) const {
  for (const auto& [name, path] : paths) {
    if (same_name(name, dataset)) return path;
  }
  return dataset;
}

const std::vector<std::string>& Protocol::preparation(const TableSpec& table,
                                                      const std::string& dataset) const {
  if (table.prepare) return *table.prepare;
  for (const auto& [name, steps] : prepare_special) {
    if (same_name(name, dataset)) return steps;
  }
  return prepare;
}

Protocol parse_protocol(const std::string& name, const TextLabel& label, const std::string& text,
                        const std::optional<std::string>& published_text,
                        const std::filesystem::path& folder) {
  const toml::table file = toml_of(label, text);
  Protocol out;
  out.name = name;
  out.text = text;
  out.folder = folder;
  out.version = version_of(file);

  Section top(label, "", file);
  if (top.text("extends"))
    fail("{}: 'extends' cannot be here, as this text has to stand by itself; give the file instead",
         top.where("extends"));
  std::vector<std::string> kinds;
  for (const TaskKind* kind : task_kinds()) kinds.push_back(kind->name);
  out.task = top.text("task", kinds).value_or(out.task);
  out.title = top.text("title").value_or(name);
  out.citation = top.text("citation").value_or("");
  out.metric = read_metric(top, "metric", out.task).value_or(find_task_kind(out.task)->metric);
  out.delta = top.positive("delta", 100).value_or(out.delta);
  out.metric_two_classes = read_metric(top, "metric_two_classes", out.task).value_or("");
  out.task_settings = read_task_settings(top, fmt::format("[{}]", out.task), out.task);
  if (const toml::table* data = top.table("data"))
    read_data(Section(label, "[data]", *data), out, folder);
  if (const toml::table* split = top.table("split"))
    out.split = read_split(Section(label, "[split]", *split), folder);
  if (const toml::table* train = top.table("train"))
    read_train(Section(label, "[train]", *train), out);
  if (const toml::table* models = top.table("models"))
    read_models(Section(label, "[models]", *models), out, folder);
  if (out.models.empty()) fail("{}: no model; write at least one [models.NAME]", label.file());
  if (const toml::table* strata = top.table("strata")) {
    Section section(label, "[strata]", *strata);
    for (const auto& [group, node] : section.rest()) {
      if (!node->is_table())
        fail("{}: '{}' must be a table: write [strata.{}]", section.where(*node), group, group);
      if (out.find_strata(group) != nullptr)
        fail("{}: a second group '{}'", section.where(*node), group);
      out.strata.push_back(read_strata(
          Section(label, fmt::format("[strata.{}]", group), *node->as_table()), group, folder));
    }
  }
  if (const toml::array* tables = top.tables("table")) {
    for (const toml::node& node : *tables) {
      TableSpec table = read_table(Section(label, "[[table]]", *node.as_table()), out, folder);
      if (out.find_table(table.id) != nullptr)
        fail("{}: a second table with the id '{}'", table.where, table.id);
      out.tables.push_back(std::move(table));
    }
  }
  if (out.tables.empty()) {
    // A protocol of one table need not spell it out.
    toml::table only{{"id", "1"}, {"title", out.title}};
    out.tables.push_back(read_table(Section(label, "[[table]]", only), out, folder));
  }
  check_special(out, label.file());
  if (const toml::table* tune = top.table("tune"))
    out.tune = read_tune(Section(label, "[tune]", *tune), out);
  if (const toml::table* published = top.table("published")) {
    Section section(label, "[published]", *published);
    const auto csv = section.text("file");
    if (!csv) fail("{}: 'file' is missing", section.where());
    section.finish();
    if (!published_text) fail("{}: the file '{}' was not given", section.where(), *csv);
    out.published_text = *published_text;
    out.published = parse_published(*csv, *published_text);
    check_published(out, *csv);
  }
  top.finish();
  return out;
}

}  // namespace cupel
