// The sections [strata.NAME] and [[table]] of a protocol.
#include <algorithm>

#include "cupel/lab/protocol/parse.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

const TableSpec& source_table(Section& section, const Protocol& protocol) {
  const auto source = section.text("source");
  const TableSpec* read = source ? protocol.find_table(*source) : nullptr;
  if (read == nullptr || read->kind != "scores" || !read->strata.empty())
    fail("{}: 'source' must be the id of a 'scores' table above this one{}", section.where(),
         read != nullptr && !read->strata.empty() ? ", without strata" : "");
  return *read;
}

// Names of a derived table in the spelling of its source.
std::vector<std::string> of_source(Section& section, const TableSpec& source, const char* key,
                                   const char* what, const std::vector<std::string>& known) {
  const auto given = section.texts(key);
  if (!given) return known;
  no_repeats(section.where(), key, *given);
  std::vector<std::string> out;
  for (const std::string& name : *given) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const std::string& k) { return same_name(k, name); });
    if (found == known.end())
      fail("{}: table '{}' has no {} '{}'", section.where(), source.id, what, name);
    out.push_back(*found);
  }
  return out;
}

// Rows of which `source` has a reading too.
std::vector<std::string> rows_with_readings(const std::string& where, const TableSpec& source,
                                            const Protocol& protocol) {
  std::vector<std::string> out;
  for (const std::string& name : source.models) {
    const auto read = [&](const std::string& other) {
      return protocol.find_model(other)->reading_of == name;
    };
    if (std::any_of(source.models.begin(), source.models.end(), read)) out.push_back(name);
  }
  if (out.empty())
    fail("{}: no row of table '{}' has another row of it as its reading (reading_of)", where,
         source.id);
  return out;
}

void read_derived(Section& section, const Protocol& protocol, TableSpec& table) {
  const TableSpec& source = source_table(section, protocol);
  table.source = source.id;
  table.datasets = of_source(section, source, "datasets", "data set", source.datasets);
  if (table.kind == "readings") {
    table.models = rows_with_readings(table.where, source, protocol);
  } else {
    table.models = of_source(section, source, "models", "model", source.models);
  }
  table.split = source.split;
  table.inits = source.inits;
}

}  // namespace

StrataSpec read_strata(Section section, const std::string& name,
                       const std::filesystem::path& folder) {
  StrataSpec out;
  out.name = name;
  out.where = section.where();
  const auto rule =
      section.text("rule", {"wikipedia-duplicates", "file", "degree-below", "degree-at-least"});
  if (!rule) fail("{}: 'rule' is missing; it says which nodes are in the group", out.where);
  out.rule = *rule;
  if (out.rule == "wikipedia-duplicates") {
    out.graph = section.text("graph").value_or("{dataset}");
  } else if (out.rule == "file") {
    const auto nodes = section.text("nodes");
    if (!nodes) fail("{}: 'nodes' is missing: a file of node ids, one per line, from 0", out.where);
    out.nodes = folder / *nodes;
  } else {
    const auto value = section.integer("value", 0, kMostNumber);
    if (!value) fail("{}: 'value' is missing: the degree", out.where);
    out.value = *value;
  }
  section.finish();
  return out;
}

std::optional<std::string> read_metric(Section& section, const char* key, const std::string& task) {
  const auto name = section.text(key);
  if (!name) return {};
  return parse_metric(section.where(key), *name, find_task_kind(task)->forms).name();
}

Settings read_task_settings(Section& section, const std::string& name, const std::string& task) {
  const TaskKind& kind = *find_task_kind(task);
  const toml::table* table = kind.settings.empty() ? nullptr : section.table(task.c_str());
  if (table == nullptr) return {};
  Section own(section.file(), name, *table);
  Settings given;
  for (const auto& [key, node] : own.rest())
    given[key] = option_value(own.where(*node), key, *node);
  // Checked here, so that what is wrong is told with its line.
  kind.check_asked(own.where(), Options(own.where(), kind.settings, given), {});
  return given;
}

TableSpec read_table(Section section, const Protocol& protocol,
                     const std::filesystem::path& folder) {
  TableSpec table;
  table.where = section.where();
  const auto id = section.text("id");
  if (!id || id->empty()) fail("{}: 'id' is missing; reports name the table by it", table.where);
  table.id = *id;
  table.title = section.text("title").value_or("");
  table.kind = section.text("kind", {"scores", "relative", "ranks", "readings"}).value_or("scores");
  table.delta = section.positive("delta", 100).value_or(protocol.delta);
  if (table.kind != "scores") {
    read_derived(section, protocol, table);
    section.finish();
    return table;
  }
  table.on_request = section.flag("on_request").value_or(false);
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
    if (row == nullptr)
      fail("{}: no [models.{}] in this file{}", table.where, name, near_text(name, rows));
    table.models.push_back(row->name);
  }
  no_repeats(table.where, "models", table.models);
  table.prepare = section.texts("prepare");
  table.split = protocol.split;
  if (const toml::table* split = section.table("split"))
    table.split = read_split(Section(section.file(), "[[table]] split", *split), folder);
  table.task_settings = protocol.task_settings;
  for (auto& [name, value] :
       read_task_settings(section, "[[table]] " + protocol.task, protocol.task))
    table.task_settings[name] = std::move(value);
  table.metric = read_metric(section, "metric", protocol.task).value_or("");
  table.inits = static_cast<int>(section.integer("inits", 1, 1'000'000).value_or(protocol.inits));
  table.also = section.texts("also").value_or(std::vector<std::string>());
  const TaskKind& kind = *find_task_kind(protocol.task);
  no_repeats(table.where, "also", table.also);
  std::vector<std::string> known = kept_metric_names(kind.forms);
  known.insert(known.end(), kind.kept.begin(), kind.kept.end());
  for (const std::string& metric : table.also) {
    if (!std::ranges::count(known, metric))
      fail("{}: 'also' cannot have '{}'; runs keep {}", table.where, metric,
           fmt::join(known, ", "));
  }
  std::vector<std::string> metrics = {table.metric.empty() ? protocol.metric : table.metric};
  metrics.insert(metrics.end(), table.also.begin(), table.also.end());
  kind.check_asked(table.where, Options(table.where, kind.settings, table.task_settings), metrics);
  if (const auto name = section.text("strata")) {
    const StrataSpec* strata = protocol.find_strata(*name);
    if (strata == nullptr) {
      std::vector<std::string> known;
      for (const StrataSpec& spec : protocol.strata) known.push_back(spec.name);
      fail("{}: no [strata.{}] in this file{}", table.where, *name, near_text(*name, known));
    }
    table.strata = strata->name;
  }
  section.finish();
  return table;
}

}  // namespace cupel
