// The columns of a protocol's tables, and the data sets that they are.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/lab/plan/family.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/plan/strata.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// What a selection chose of the data sets of a protocol's tables, and what it added to them.
class PlanColumns {
 public:
  // A column of a table, before its data are read.
  struct Column {
    std::string reference;  // what is loaded
    std::string name;       // as the protocol writes it; empty: a foreign one, named after loading
    std::vector<std::string> steps;
  };

  // Loads and prepares the data sets, and finds the groups of nodes that tables ask for. Throws
  // Error: a data set that no table takes, and all that cannot be loaded at once. All three must
  // outlive this.
  PlanColumns(const Protocol& protocol, const Selection& selection, const PlanSources& sources);

  // Of the table of this number.
  [[nodiscard]] const std::vector<Column>& of(std::size_t table) const { return columns_[table]; }
  // What the column is called beside the others of its table.
  [[nodiscard]] std::string name(std::size_t table, const Column& column) const;
  [[nodiscard]] const std::shared_ptr<const PlannedDataset>& data(const Column& column) const;
  // The group by which the table splits test scores; null if it does not.
  [[nodiscard]] std::shared_ptr<const Stratum> stratum(std::size_t table,
                                                       const Column& column) const;
  // Where data sets lie that are given by path.
  [[nodiscard]] std::vector<std::filesystem::path> paths() const;

 private:
  void choose();
  void load_all();
  // Throws Error for all that is not there, before anything is read.
  void check_there(const std::vector<std::string>& references) const;
  void load(const std::string& reference);
  [[nodiscard]] bool has_strata(const std::string& reference) const;
  void make_strata(const std::string& reference, const Dataset& stored);

  const Protocol& protocol_;
  const Selection& selection_;
  const PlanSources& sources_;
  std::vector<std::vector<Column>> columns_;  // by table
  std::map<std::pair<std::string, std::vector<std::string>>, std::shared_ptr<const PlannedDataset>>
      datasets_;
  // By name, name and reference of the column, and its preparation.
  std::map<std::tuple<std::string, std::string, std::string, std::vector<std::string>>,
           std::shared_ptr<const Stratum>>
      strata_;
};

}  // namespace cupel
