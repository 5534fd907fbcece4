#include "cupel/lab/plan/selection.h"

#include <algorithm>
#include <filesystem>

#include "cupel/base/error.h"
#include "cupel/learn/model.h"

namespace cupel {

bool wanted(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || has_name(list, name);
}

std::vector<std::string> columns_of(const Protocol& protocol) {
  std::vector<std::string> all;
  for (const TableSpec& table : protocol.tables) {
    for (const std::string& name : table.datasets) {
      if (!std::count(all.begin(), all.end(), name)) all.push_back(name);
    }
  }
  return all;
}

std::vector<const TableSpec*> wanted_tables(const Protocol& protocol, const Selection& selection) {
  std::vector<const TableSpec*> out;
  for (const TableSpec& table : protocol.tables)
    if (table.kind == "scores" && wanted_table(protocol, selection, table)) out.push_back(&table);
  return out;
}

std::vector<std::string> wanted_datasets(const Protocol& protocol, const Selection& selection) {
  std::vector<std::string> out;
  // Paths are told apart to the letter.
  for (const std::string& name : selection.datasets)
    if (!std::count(out.begin(), out.end(), name)) out.push_back(name);
  if (!out.empty()) return out;
  for (const TableSpec* table : wanted_tables(protocol, selection)) {
    for (const std::string& name : table->datasets)
      if (!has_name(out, name)) out.push_back(name);
  }
  return out;
}

const std::string* named_path(const Protocol& protocol, const std::string& name) {
  for (const auto& [known, path] : protocol.paths) {
    if (same_name(known, name)) return &known;
  }
  return nullptr;
}

std::vector<std::string> references_of(const Protocol& protocol, const std::string& name) {
  std::vector<std::string> out = {protocol.reference(name)};
  for (const std::string& column : columns_of(protocol)) {
    const std::string& reference = protocol.reference(column);
    if (same_name(column, name) && !std::count(out.begin(), out.end(), reference))
      out.push_back(reference);
  }
  return out;
}

bool wanted_table(const Protocol& protocol, const Selection& selection, const TableSpec& table) {
  if (selection.tables.empty()) return !table.on_request;
  return std::any_of(selection.tables.begin(), selection.tables.end(), [&](const std::string& id) {
    return id == table.id || protocol.find_table(id)->source == table.id;
  });
}

void check_selection(const Protocol& protocol, const Selection& selection) {
  std::vector<std::string> models, tables;
  for (const ModelRow& row : protocol.models) models.push_back(row.name);
  for (const TableSpec& table : protocol.tables) tables.push_back(table.id);
  for (const std::string& name : selection.models) {
    if (protocol.find_model(name) != nullptr) continue;
    if (const ModelEntry* entry = find_model(name))
      fail(
          "--models: protocol '{}' has no row '{}', though there is a model of that name; to add "
          "it, write a section [models.{}] into a copy of the protocol's file (`cupel show {}` "
          "lists its settings); its rows are: {}",
          protocol.name, name, entry->name, entry->name, fmt::join(models, ", "));
    fail("--models: protocol '{}' has no model '{}'{}", protocol.name, name,
         near_or_all(name, models));
  }
  for (const std::string& id : selection.tables) {
    if (protocol.find_table(id) == nullptr)
      fail("--tables: protocol '{}' has no table '{}'{}", protocol.name, id,
           near_or_all(id, tables));
  }
  if (selection.splits < 0 || selection.inits < 0) fail("--splits and --inits must be 1 or more");
  std::vector<const ModelRow*> rows;
  for (const ModelRow& row : protocol.models) {
    if (wanted(selection.models, row.name)) rows.push_back(&row);
  }
  check_filters(protocol, rows, selection.choices);
}

std::vector<std::string> possible_names(const std::string& reference, const std::string& loaded) {
  std::vector<std::string> out = {loaded};
  std::filesystem::path tail;
  const std::filesystem::path whole(reference);
  for (auto part = whole.end(); part != whole.begin();) {
    --part;
    if (part->empty()) continue;
    tail = tail.empty() ? *part : *part / tail;
    out.push_back(tail.string());
  }
  out.push_back(reference);
  return out;
}

std::string free_name(const std::vector<std::string>& possible,
                      const std::vector<std::string>& taken) {
  for (const std::string& name : possible) {
    if (!has_name(taken, name)) return name;
  }
  return possible.back();
}

}  // namespace cupel
