#include "cupel/lab/results/narrow.h"

#include <algorithm>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/names.h"

namespace cupel {
namespace {

void check_known(const char* option, const char* what, const Results& results,
                 const std::vector<std::string>& wanted, const std::vector<std::string>& known) {
  for (const std::string& name : wanted) {
    if (has_name(known, name)) continue;
    fail("{}: the results of protocol '{}' have no {} '{}'{}", option, results.protocol, what, name,
         near_or_all(name, known));
  }
}

void add_new(std::vector<std::string>& list, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!has_name(list, name)) list.push_back(name);
  }
}

void check_selection(const Results& results, const ResultsSelection& selection) {
  std::vector<std::string> tables, datasets, models;
  for (const TableResults& table : results.tables) {
    tables.push_back(table.id);
    add_new(datasets, table.datasets);
    add_new(models, table.models);
  }
  check_known("--tables", "table", results, selection.tables, tables);
  check_known("--datasets", "data set", results, selection.datasets, datasets);
  check_known("--models", "row", results, selection.models, models);
}

}  // namespace

Results narrowed(Results results, const ResultsSelection& selection) {
  check_selection(results, selection);
  const auto wanted = [](const std::vector<std::string>& list, const std::string& name) {
    return list.empty() || has_name(list, name);
  };
  // A derived table comes with the one that it is made from.
  std::set<std::string> ids;
  for (const TableResults& table : results.tables) {
    if (!wanted(selection.tables, table.id)) continue;
    ids.insert(table.id);
    if (!table.source.empty()) ids.insert(table.source);
  }
  // A row of a table of readings stands for its readings too.
  const auto wanted_row = [&](const TableResults& table, const std::string& row) {
    if (wanted(selection.models, row)) return true;
    return table.kind == "readings" &&
           std::any_of(results.reading_of.begin(), results.reading_of.end(), [&](const auto& one) {
             return one.second == row && has_name(selection.models, one.first);
           });
  };
  for (TableResults& table : results.tables) {
    std::erase_if(table.datasets,
                  [&](const auto& name) { return !wanted(selection.datasets, name); });
    std::erase_if(table.models, [&](const auto& name) { return !wanted_row(table, name); });
    std::erase_if(table.cells, [&](const CellResults& cell) {
      return !wanted(selection.datasets, cell.dataset) || !wanted(selection.models, cell.model);
    });
  }
  std::erase_if(results.tables, [&](const TableResults& table) {
    return !ids.contains(table.id) || table.datasets.empty() || table.models.empty();
  });
  // What is made from a table that has nothing left goes with it.
  std::erase_if(results.tables, [&](const TableResults& table) {
    return !table.source.empty() &&
           std::none_of(results.tables.begin(), results.tables.end(),
                        [&](const TableResults& other) { return other.id == table.source; });
  });
  if (results.tables.empty())
    fail("the tables, data sets and rows that were chosen have no cell in common");
  return results;
}

}  // namespace cupel
