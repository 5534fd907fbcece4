// TOML text to Protocol.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "cupel/base/hash.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/protocol/section.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {

// In parse_tune.cpp.
TuneSpec read_tune(Section section, const Protocol& protocol);

namespace {

constexpr std::int64_t kMost = 1'000'000'000;
constexpr double kDay = 86'400.0 * 365;

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& item) { return same_name(item, name); });
}

void no_repeats(const std::string& where, const char* key, const std::vector<std::string>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same_name(list[i], list[j])) fail("{}: '{}' names '{}' twice", where, key, list[i]);
    }
  }
}

SplitScheme read_split(Section section) {
  SplitScheme split;
  split.kind =
      section.text("scheme", {"per-class", "planetoid", "random", "stored"}).value_or(split.kind);
  const bool stored = split.kind == "stored";
  if (stored) {
    split.train = split.valid = split.test = 0;
    split.seed = 0;
    split.count = 0;
  } else {
    split.train = static_cast<int>(section.integer("train", 1, kMost).value_or(split.train));
    split.valid = static_cast<int>(section.integer("valid", 1, kMost).value_or(split.valid));
    split.seed =
        static_cast<std::uint32_t>(section.integer("seed", 0, 0xFFFFFFFF).value_or(split.seed));
  }
  if (split.kind == "planetoid") {
    const auto test = section.integer("test", 1, kMost);
    if (!test)
      fail("{}: scheme 'planetoid' needs 'test', the number of test nodes", section.where());
    split.test = static_cast<int>(*test);
  }
  split.count = static_cast<int>(section.integer("count", 1, kMost).value_or(split.count));
  split.first = static_cast<int>(section.integer("first", 0, kMost).value_or(split.first));
  section.finish();
  return split;
}

void read_train(Section section, Protocol& out) {
  TrainRule& rule = out.rule;
  rule.optimizer = section.text("optimizer", {"adam", "adam-torch"}).value_or(rule.optimizer);
  rule.epsilon = section.real("epsilon", 1e-30, 1).value_or(rule.epsilon);
  rule.max_epochs =
      static_cast<int>(section.integer("max_epochs", 1, kMost).value_or(rule.max_epochs));
  rule.patience = static_cast<int>(section.integer("patience", 0, kMost).value_or(rule.patience));
  rule.stop_on = section.text("stop_on", {"valid-loss", "valid-score"}).value_or(rule.stop_on);
  rule.ties_improve = section.flag("ties_improve").value_or(rule.ties_improve);
  rule.keep = section.text("keep", {"best", "latest-best", "last"}).value_or(rule.keep);
  rule.on_divergence =
      section.text("on_divergence", {"restore", "fail"}).value_or(rule.on_divergence);
  out.inits = static_cast<int>(section.integer("inits", 1, 1'000'000).value_or(out.inits));
  out.timeout_seconds = section.real("timeout_seconds", 0, kDay).value_or(0);
  section.finish();
}

ModelRow read_model(Section section, const std::string& name, const std::filesystem::path& folder) {
  ModelRow row;
  row.name = name;
  row.where = section.where();
  if (auto command = section.texts("command")) {
    ExternalCommand external;
    if (command->empty())
      fail("{}: 'command' is empty; it is a program and its arguments", row.where);
    external.command = *command;
    external.folder = folder;
    external.timeout_seconds =
        section.real("timeout_seconds", 0.001, kDay).value_or(external.timeout_seconds);
    external.memory_mb = section.integer("memory_mb", 16, kMost).value_or(external.memory_mb);
    row.external = external;
    row.model = "external";
  } else {
    row.model = section.text("model").value_or(name);
  }
  for (const auto& [key, node] : section.rest())
    row.settings[key] = option_value(section.where(*node), key, *node);
  return row;
}

void read_data(Section section, Protocol& out) {
  out.datasets = section.texts("datasets").value_or(std::vector<std::string>{});
  no_repeats(section.where(), "datasets", out.datasets);
  out.prepare = section.texts("prepare").value_or(std::vector<std::string>{});
  for (const auto& [name, node] : section.rest()) {
    if (!node->is_table())
      fail(
          "{}: unknown key '{}'; known here are: datasets, prepare, and one table for each data "
          "set "
          "that is prepared differently",
          section.where(*node), name);
    Section special(section.file(), "[data." + name + "]", *node->as_table());
    const auto steps = special.texts("prepare");
    if (!steps) fail("{}: 'prepare' is missing", special.where());
    special.finish();
    out.prepare_special[name] = *steps;
  }
}

TableSpec read_table(Section section, const Protocol& protocol) {
  TableSpec table;
  table.where = section.where();
  const auto id = section.text("id");
  if (!id || id->empty()) fail("{}: 'id' is missing; reports name the table by it", table.where);
  table.id = *id;
  table.title = section.text("title").value_or("");
  table.kind = section.text("kind", {"scores", "relative"}).value_or(table.kind);
  if (table.kind == "relative") {
    const auto source = section.text("source");
    const TableSpec* read = source ? protocol.find_table(*source) : nullptr;
    if (read == nullptr || read->kind != "scores")
      fail("{}: 'source' must be the id of a 'scores' table above this one", table.where);
    table.source = *source;
    table.datasets = section.texts("datasets").value_or(read->datasets);
    table.models = section.texts("models").value_or(read->models);
    for (const auto& name : table.datasets) {
      if (!contains(read->datasets, name))
        fail("{}: table '{}' has no data set '{}'", table.where, read->id, name);
    }
    for (const auto& name : table.models) {
      if (!contains(read->models, name))
        fail("{}: table '{}' has no model '{}'", table.where, read->id, name);
    }
    table.split = read->split;
    table.inits = read->inits;
    section.finish();
    return table;
  }
  const auto datasets = section.texts("datasets");
  table.open_datasets = !datasets.has_value();
  table.datasets = datasets.value_or(protocol.datasets);
  if (table.datasets.empty()) fail("{}: no data sets; list them here or in [data]", table.where);
  no_repeats(table.where, "datasets", table.datasets);
  const auto models = section.texts("models");
  std::vector<std::string> rows;
  for (const ModelRow& row : protocol.models) rows.push_back(row.name);
  for (const auto& name : models.value_or(rows)) {
    const ModelRow* row = protocol.find_model(name);
    if (row == nullptr) {
      const std::string near = nearest_name(name, rows);
      fail("{}: no [models.{}] in this file{}", table.where, name,
           near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    }
    table.models.push_back(row->name);
  }
  no_repeats(table.where, "models", table.models);
  table.prepare = section.texts("prepare");
  table.split = protocol.split;
  if (const toml::table* split = section.table("split"))
    table.split = read_split(Section(section.file(), "[[table]] split", *split));
  table.inits = static_cast<int>(section.integer("inits", 1, 1'000'000).value_or(protocol.inits));
  section.finish();
  return table;
}

// A special preparation of a data set that no table has is a misspelt name.
void check_special(const Protocol& protocol, const std::string& label) {
  std::vector<std::string> known = protocol.datasets;
  for (const TableSpec& table : protocol.tables)
    known.insert(known.end(), table.datasets.begin(), table.datasets.end());
  for (const auto& [name, steps] : protocol.prepare_special) {
    if (contains(known, name)) continue;
    const std::string near = nearest_name(name, known);
    fail("{}: [data.{}] is no data set of this protocol{}", label, name,
         near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }
}

// Rewrites published names in the protocol's spelling. A name that is not there is a slip in one of
// the two files, and would silently leave a cell without its published value.
void check_published(Protocol& protocol, const std::string& label) {
  for (PublishedValue& value : protocol.published) {
    const TableSpec* table = protocol.find_table(value.table);
    if (table == nullptr)
      fail("{}: a published value is for table '{}', which the protocol does not have", label,
           value.table);
    const auto match = [&](std::string& name, const std::vector<std::string>& list,
                           const char* what) {
      for (const std::string& known : list) {
        if (same_name(known, name)) {
          name = known;
          return;
        }
      }
      fail("{}: a published value of table '{}' is for {} '{}', which the table does not have",
           label, value.table, what, name);
    };
    match(value.model, table->models, "model");
    if (value.dataset != "all") match(value.dataset, table->datasets, "data set");
  }
}

std::string version_of(const toml::table& file) {
  std::ostringstream json;
  json << toml::json_formatter(file);
  return sha256(json.str()).substr(0, 32);
}

}  // namespace

bool same_name(const std::string& a, const std::string& b) {
  const auto plain = [](char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return plain(x) == plain(y); });
}

const ModelRow* Protocol::find_model(const std::string& row) const {
  for (const ModelRow& model : models) {
    if (same_name(model.name, row)) return &model;
  }
  return nullptr;
}

const TableSpec* Protocol::find_table(const std::string& id) const {
  for (const TableSpec& table : tables) {
    if (table.id == id) return &table;
  }
  return nullptr;
}

const std::vector<std::string>& Protocol::preparation(const TableSpec& table,
                                                      const std::string& dataset) const {
  if (table.prepare) return *table.prepare;
  for (const auto& [name, steps] : prepare_special) {
    if (same_name(name, dataset)) return steps;
  }
  return prepare;
}

Protocol parse_protocol(const std::string& name, const std::string& label, const std::string& text,
                        const std::optional<std::string>& published_text,
                        const std::filesystem::path& folder) {
  toml::table file;
  try {
    file = toml::parse(std::string_view(text), label);
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML: {}", label, error.source().begin.line, error.description());
  }
  Protocol out;
  out.name = name;
  out.text = text;
  out.version = version_of(file);

  Section top(label, "", file);
  top.text("task", {"node-classification"});
  out.title = top.text("title").value_or(name);
  out.citation = top.text("citation").value_or("");
  out.metric = top.text("metric", metric_names()).value_or(out.metric);
  if (const toml::table* data = top.table("data")) read_data(Section(label, "[data]", *data), out);
  if (const toml::table* split = top.table("split"))
    out.split = read_split(Section(label, "[split]", *split));
  if (const toml::table* train = top.table("train"))
    read_train(Section(label, "[train]", *train), out);
  if (const toml::table* models = top.table("models")) {
    Section section(label, "[models]", *models);
    for (const auto& [row, node] : section.rest()) {
      if (!node->is_table())
        fail("{}: '{}' must be a table: write [models.{}]", section.where(*node), row, row);
      if (out.find_model(row) != nullptr)
        fail("{}: a second model '{}'", section.where(*node), row);
      out.models.push_back(read_model(
          Section(label, fmt::format("[models.{}]", row), *node->as_table()), row, folder));
    }
  }
  if (out.models.empty()) fail("{}: no model; write at least one [models.NAME]", label);
  if (const toml::array* tables = top.tables("table")) {
    for (const toml::node& node : *tables) {
      TableSpec table = read_table(Section(label, "[[table]]", *node.as_table()), out);
      if (out.find_table(table.id) != nullptr)
        fail("{}: a second table with the id '{}'", table.where, table.id);
      out.tables.push_back(std::move(table));
    }
  }
  if (out.tables.empty()) {
    // A protocol of one table need not spell it out.
    toml::table only{{"id", "1"}, {"title", out.title}};
    out.tables.push_back(read_table(Section(label, "[[table]]", only), out));
  }
  check_special(out, label);
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
