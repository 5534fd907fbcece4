#include "cupel/lab/plan/columns.h"

#include <algorithm>
#include <set>

#include "cupel/base/error.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/record/identity.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

PlanColumns::PlanColumns(const Protocol& protocol, const Selection& selection,
                         const PlanSources& sources)
    : protocol_(protocol), selection_(selection), sources_(sources) {
  choose();
  load_all();
}

void PlanColumns::choose() {
  const std::vector<std::string> known = columns_of(protocol_);
  std::vector<std::string> foreign;
  for (const std::string& name : selection_.datasets) {
    const bool own = has_name(known, name);
    const std::string* named = named_path(protocol_, name);
    const std::string& written = named == nullptr ? name : *named;
    if (!own && !std::count(foreign.begin(), foreign.end(), written)) foreign.push_back(written);
  }
  columns_.resize(protocol_.tables.size());
  bool taken = false;
  for (std::size_t t = 0; t < protocol_.tables.size(); ++t) {
    const TableSpec& table = protocol_.tables[t];
    if (table.kind != "scores" || !wanted_table(protocol_, selection_, table)) continue;
    for (const std::string& name : table.datasets) {
      if (wanted(selection_.datasets, name))
        columns_[t].push_back(
            {protocol_.reference(name), name, protocol_.preparation(table, name)});
    }
    // What lists its own takes others where it is asked for by name.
    if (!table.open_datasets && selection_.tables.empty()) continue;
    for (const std::string& name : foreign) {
      const std::string* named = named_path(protocol_, name);
      columns_[t].push_back({protocol_.reference(name), named == nullptr ? "" : *named,
                             protocol_.preparation(table, name)});
    }
    taken = taken || !foreign.empty();
  }
  if (!foreign.empty() && !taken) {
    fail(
        "--datasets: '{}' is no data set of protocol '{}', and its tables take no others unless "
        "--tables names them{}",
        foreign[0], protocol_.name, near_or_all(foreign[0], known));
  }
}

// Each stored data set is read once and dropped when its preparations are done.
void PlanColumns::load_all() {
  std::vector<std::string> order;
  for (const auto& list : columns_) {
    for (const Column& column : list) {
      if (!std::count(order.begin(), order.end(), column.reference))
        order.push_back(column.reference);
    }
  }
  check_there(order);
  // All that is wrong is said at once.
  std::vector<std::string> problems;
  for (const std::string& reference : order) {
    try {
      load(reference);
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  }
  if (!problems.empty()) fail("{}", fmt::join(problems, "\n"));
}

void PlanColumns::check_there(const std::vector<std::string>& references) const {
  if (!sources_.absent) return;
  const Unit unit = find_task_kind(protocol_.task)->unit;
  std::vector<Absent> absent;
  const auto look = [&](const std::string& reference) {
    if (auto one = sources_.absent(reference, unit)) absent.push_back(std::move(*one));
  };
  for (const std::string& reference : references) look(reference);
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    for (const Column& column : columns_[t]) {
      if (const auto graph = stratum_graph(protocol_, protocol_.tables[t], column.name);
          graph && !column.name.empty())
        look(protocol_.reference(*graph));
    }
  }
  if (!absent.empty()) fail("{}", absent_text(absent));
}

void PlanColumns::load(const std::string& reference) {
  const Unit unit = find_task_kind(protocol_.task)->unit;
  Dataset stored = unit == Unit::kFact ? sources_.load_facts(reference) : sources_.load(reference);
  for (const auto& list : columns_) {
    for (const Column& column : list) {
      const std::string* named = named_path(protocol_, column.name);
      if (column.reference == reference && named != nullptr) stored.name = *named;
    }
  }
  if (stored.graphs.has_value() != (unit == Unit::kGraph))
    fail("{}: is {}, and protocol '{}' is about {} (task = \"{}\")", stored.name,
         stored.graphs ? "a set of graphs" : "one graph", protocol_.name,
         stored.graphs ? "nodes" : "sets of graphs", protocol_.task);
  const std::string content = content_hash(stored);
  std::set<std::vector<std::string>> wanted_steps;
  for (const auto& list : columns_) {
    for (const Column& column : list) {
      if (column.reference == reference) wanted_steps.insert(column.steps);
    }
  }
  const bool grouped = has_strata(reference);
  for (const auto& steps : wanted_steps) {
    auto planned = std::make_shared<PlannedDataset>();
    planned->name = stored.name;
    planned->content = content;
    planned->steps = steps;
    const bool last = steps == *wanted_steps.rbegin() && !grouped;
    planned->data = std::make_shared<const TaskData>(std::make_shared<const Dataset>(
        sources_.prepare(reference, last ? std::move(stored) : stored, steps)));
    datasets_[{reference, steps}] = planned;
  }
  if (grouped) make_strata(reference, stored);
}

bool PlanColumns::has_strata(const std::string& reference) const {
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    if (protocol_.tables[t].strata.empty()) continue;
    for (const Column& column : columns_[t]) {
      if (column.reference == reference) return true;
    }
  }
  return false;
}

void PlanColumns::make_strata(const std::string& reference, const Dataset& stored) {
  const auto load = [&](const std::string& name) {
    return sources_.load(protocol_.reference(name));
  };
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    const std::string& name = protocol_.tables[t].strata;
    if (name.empty()) continue;
    for (const Column& column : columns_[t]) {
      if (column.reference != reference) continue;
      auto& stratum = strata_[{name, column.name, reference, column.steps}];
      if (!stratum)
        stratum = make_stratum(*protocol_.find_strata(name),
                               column.name.empty() ? stored.name : column.name, stored,
                               data(column)->data->data(), load);
    }
  }
}

std::string PlanColumns::name(std::size_t table, const Column& column) const {
  if (!column.name.empty()) return column.name;
  const auto names = [&](const Column& one) {
    return possible_names(one.reference, data(one)->name);
  };
  std::vector<std::string> taken = columns_of(protocol_);
  for (const auto& [name, path] : protocol_.paths) taken.push_back(name);
  for (const Column& other : of(table)) {
    if (&other == &column || !other.name.empty()) continue;
    for (const std::string& name : names(other)) taken.push_back(name);
  }
  return free_name(names(column), taken);
}

const std::shared_ptr<const PlannedDataset>& PlanColumns::data(const Column& column) const {
  return datasets_.at({column.reference, column.steps});
}

std::shared_ptr<const Stratum> PlanColumns::stratum(std::size_t table, const Column& column) const {
  const std::string& name = protocol_.tables[table].strata;
  if (name.empty()) return nullptr;
  return strata_.at({name, column.name, column.reference, column.steps});
}

std::vector<std::filesystem::path> PlanColumns::paths() const {
  std::vector<std::filesystem::path> out;
  for (const auto& [name, path] : protocol_.paths) out.emplace_back(path);
  for (const auto& list : columns_) {
    for (const Column& column : list) out.emplace_back(column.reference);
  }
  std::error_code ignored;
  std::erase_if(out, [&](const auto& path) { return !std::filesystem::exists(path, ignored); });
  return out;
}

}  // namespace cupel
