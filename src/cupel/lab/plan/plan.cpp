#include "cupel/lab/plan/plan.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/split/split.h"
#include "cupel/lab/plan/columns.h"
#include "cupel/lab/plan/model_function.h"
#include "cupel/lab/plan/packages.h"
#include "cupel/lab/plan/program.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/plan/split_design.h"
#include "cupel/lab/protocol/rule_choices.h"
#include "cupel/lab/record/identity.h"
#include "cupel/learn/model.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

class Planner {
 public:
  Planner(const Protocol& protocol, const Selection& selection, const PlanSources& sources)
      : protocol_(protocol),
        selection_(selection),
        sources_(sources),
        columns_(protocol, selection, sources) {
    for (const ModelRow& row : protocol.models) rows_.emplace(row.name, &row);
  }

  Plan make() {
    Plan plan;
    plan.protocol = protocol_.name;
    plan.version = protocol_.version;
    plan.text = protocol_.text;
    plan.published_text = protocol_.published_text;
    for (std::size_t t = 0; t < protocol_.tables.size(); ++t) add_table(plan, t);
    hide_from_programs();
    if (plan.cells.empty()) {
      fail(
          "protocol '{}': nothing is left to run; the data sets, models and tables that were "
          "chosen have no cell in common{}{}",
          protocol_.name, quoted_text(), on_request_text());
    }
    check_asked(
        "--splits", selection_.splits, plan, [](const PlannedCell& cell) { return cell.splits; },
        "[split] count");
    check_asked(
        "--inits", selection_.inits, plan,
        [](const PlannedCell& cell) { return cell.inits - cell.select_inits; }, "[train] inits");
    return plan;
  }

 private:
  // Rows that were chosen and are quoted; "" if there are none.
  std::string quoted_text() const {
    std::vector<std::string> rows;
    for (const ModelRow& row : protocol_.models)
      if (row.quoted && wanted(selection_.models, row.name)) rows.push_back(row.name);
    return rows.empty() ? "" : fmt::format("; quoted rows are not run: {}", fmt::join(rows, ", "));
  }

  // Tables that would have been run if they were named, and how; "" if there are none.
  std::string on_request_text() const {
    if (!selection_.tables.empty()) return "";
    std::vector<std::string> ids;
    for (const TableSpec& table : protocol_.tables) {
      const bool has_row = std::ranges::any_of(
          table.models, [&](const auto& row) { return wanted(selection_.models, row); });
      if (table.on_request && has_row) ids.push_back(table.id);
    }
    if (ids.empty()) return "";
    return fmt::format("; --tables {} names what is run on request", fmt::join(ids, ","));
  }

  // Tables differ in how much they have; asking for more than any of them has is a mistake.
  void check_asked(const char* option, int asked, const Plan& plan,
                   int (*given)(const PlannedCell&), const char* key) const {
    int most = 0;
    for (const PlannedCell& cell : plan.cells) most = std::max(most, given(cell));
    if (asked > most)
      fail(
          "{}: {} is more than the {} of protocol '{}'; ask for fewer, or raise {} in a copy of it",
          option, asked, most, protocol_.name, key);
  }

  // What was asked for, up to all there is, unless there may be more.
  static int given(int asked, int full, bool more) {
    if (asked == 0) return full;
    return more ? asked : std::min(asked, full);
  }

  // Of a table. A search has thousands, which are not looked through for each.
  const ModelRow& row_of(const std::string& name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? *protocol_.find_model(name) : *found->second;
  }

  void add_table(Plan& plan, std::size_t t) {
    const TableSpec& table = protocol_.tables[t];
    for (const PlanColumns::Column& column : columns_.of(t)) {
      const auto& data = columns_.data(column);
      const std::string name = columns_.name(t, column);
      SplitScheme split = resolved_scheme(table.split, data->data->data());
      if (const auto size = family_size(split, data->data->data())) {
        if (*size == 0)
          fail("{}: data set '{}' has no stored splits; choose another scheme", table.where, name);
        if (split.count == 0) split.count = *size - split.first;
        if (split.count < 1 || split.first > *size - split.count)
          fail("{}: there are {} '{}' splits of data set '{}', not {}; ask for fewer by count{}",
               table.where, *size, split.kind, name, std::int64_t{split.first} + table.split.count,
               split.kind == "time" ? ", or cut earlier" : "");
      }
      const SplitDesign design = design_of(split);
      const bool endless = !family_size(split, data->data->data());
      const std::shared_ptr<const View> view = check_task(table, name, *data, split);
      add_answer_files(table, data->data->data(), split);
      for (const std::string& row_name : table.models) {
        if (!wanted(selection_.models, row_name)) continue;
        const ModelRow& row = row_of(row_name);
        if (row.quoted) continue;
        RowOnDataset on = row_on(protocol_, row, name);
        narrow(on, row, selection_.choices);
        PlannedCell cell;
        cell.table = table.id;
        cell.dataset = name;
        cell.model = row.name;
        cell.full_splits = split.count;
        const bool chooses = !on.choices.empty();
        cell.select_inits = chooses ? row.select_inits : 0;
        cell.choose_by = chooses ? row.choose_by : "";
        cell.full_inits = table.inits + cell.select_inits;
        cell.splits = given(selection_.splits, split.count,
                            endless && (selection_.beyond || design.folds > 0));
        cell.inits = cell.select_inits +
                     given(selection_.inits, table.inits, selection_.beyond || design.shared);
        cell.first_split = split.first;
        cell.stratum = columns_.stratum(t, column);
        for (const Configuration& configuration : grid_of(on)) {
          cell.configuration = to_text(configuration);
          cell.family = family(table, row, on, configuration, data, split, view.get());
          plan.cells.push_back(cell);
        }
      }
    }
  }

  const std::string& metric_of(const TableSpec& table, const Dataset& data) const {
    if (!table.metric.empty()) return table.metric;
    return of_examples() ? protocol_.metric_for(data.classes()) : protocol_.metric;
  }

  // All that a table shows of its runs.
  std::vector<std::string> metrics_of(const TableSpec& table, const Dataset& data) const {
    std::vector<std::string> out = {metric_of(table, data)};
    out.insert(out.end(), table.also.begin(), table.also.end());
    return out;
  }

  // Data that cannot be split, and tasks that cannot be made of them, show before anything runs.
  // Of pairs and facts the view of the first split, in which nothing is asked.
  std::shared_ptr<const View> check_task(const TableSpec& table, const std::string& name,
                                         const PlannedDataset& planned,
                                         const SplitScheme& split) const {
    const Dataset& data = planned.data->data();
    const Unit unit = split_unit(split, data);
    if (unit != task().unit)
      fail(
          "{}: split scheme '{}' parts {}s of data set '{}', and the task is about {}s "
          "(task = \"{}\")",
          table.where, split.kind, unit_name(unit), name, unit_name(task().unit), protocol_.task);
    SplitScheme whole = split;
    whole.first = 0;
    whole.count = split.first + 1;
    Split first = make_split(data, whole, split.first);
    if (of_examples()) return nullptr;
    if (!table.strata.empty())
      fail("{}: 'strata' are groups of nodes, and the task is about {}s", table.where,
           unit_name(task().unit));
    return task()
        .make({.data = planned.data,
               .scheme = whole,
               .split = std::move(first),
               .settings = Options(table.where, task().settings, table.task_settings),
               .key = task_key(planned, whole, split.first),
               .metrics = metrics_of(table, data),
               .asked = false})
        .view;
  }

  const TaskKind& task() const { return *find_task_kind(protocol_.task); }
  // Whether it is about the classes of nodes or graphs.
  bool of_examples() const { return task().unit == Unit::kNode || task().unit == Unit::kGraph; }

  std::shared_ptr<const Family> family(const TableSpec& table, const ModelRow& row,
                                       const RowOnDataset& on, const Configuration& configuration,
                                       const std::shared_ptr<const PlannedDataset>& data,
                                       const SplitScheme& split, const View* view) {
    auto family = std::make_shared<Family>();
    family->dataset = data;
    family->row = row.name;
    family->external = row.external;
    family->split = split;
    family->split.first = family->split.count = 0;
    family->rule = on.rule;
    family->metric = metric_of(table, data->data->data());
    family->task_settings = Options(table.where, task().settings, table.task_settings);
    family->timeout_seconds = on.timeout_seconds;
    ModelRow one = row;
    one.where = on.where;
    one.settings = on.settings;
    for (const auto& [name, value] : configuration)
      if (row.external || !set_rule_choice(family->rule, on.where, name, value))
        one.settings[name] = value;
    if (row.external) {
      family->function = function_of(row);
      family->model = family->function == nullptr ? resolve_external(one)
                                                  : resolve_function(one, *family->function);
      family->packages = packages_of(row);
      family->timeout_seconds = row.external->timeout_seconds;
    } else {
      family->model = sources_.model(one, task());
    }
    check_made(row.where, family->model);
    family->task = &task();
    const Dataset& prepared = data->data->data();
    family->task->check(row.where,
                        {data->name, prepared.graphs.has_value(), prepared.tasks(),
                         prepared.facts != nullptr, prepared.classes()},
                        family->model.entry, family->rule, family->metric);
    if (view != nullptr && family->model.entry != nullptr)
      family->task->check_settings(
          row.where, *view,
          {*family->model.entry, family->model.settings, family->rule, family->metric});
    seal(*family);
    // Two tables, or two rows, may ask for the same runs; they share one family.
    auto& known = families_[family->id];
    if (!known)
      known = family;
    else
      take_limits(*known, *family);
    return known;
  }

  // What is not in the identity of runs is as whoever asks for them allows: no limit is tighter
  // than its row says, and no program less kept apart.
  static void take_limits(Family& known, const Family& other) {
    known.timeout_seconds = known.timeout_seconds == 0 || other.timeout_seconds == 0
                                ? 0
                                : std::max(known.timeout_seconds, other.timeout_seconds);
    if (!known.external) return;
    ExternalCommand& mine = *known.external;
    const ExternalCommand& theirs = *other.external;
    mine.memory_mb = std::max(mine.memory_mb, theirs.memory_mb);
    const auto strictness = [](const ExternalCommand& program) {
      return program.isolation == "required" ? 2 : program.isolation == "auto" ? 1 : 0;
    };
    if (strictness(theirs) > strictness(mine)) mine.isolation = theirs.isolation;
    for (const std::filesystem::path& path : theirs.readable)
      if (!std::ranges::count(mine.readable, path)) mine.readable.push_back(path);
  }

  // What only a model tells of its settings shows before anything runs.
  static void check_made(const std::string& where, const ResolvedModel& model) {
    if (model.entry == nullptr) return;
    try {
      if (model.entry->trainable != nullptr) (void)model.entry->trainable(model.settings);
      if (model.entry->direct != nullptr) (void)model.entry->direct(model.settings);
    } catch (const Error& error) {
      fail("{}: {}", where, error.what());
    }
  }

  // Asked once for a program, whose rows may be thousands: to start an interpreter takes a while.
  std::map<std::string, std::string> packages_of(const ModelRow& row) {
    if (row.external->packages.empty()) return {};
    const auto known =
        std::ranges::find(packages_, *row.external, &decltype(packages_)::value_type::first);
    if (known != packages_.end()) return known->second;
    packages_.emplace_back(*row.external, package_versions(row.where, *row.external));
    return packages_.back().second;
  }

  // Null for a program.
  std::shared_ptr<const ModelFunction> function_of(const ModelRow& row) const {
    const std::string& name = row.external->function;
    if (name.empty()) return nullptr;
    auto out = sources_.function ? sources_.function(name) : nullptr;
    if (out == nullptr)
      fail(
          "{}: is the function '{}', which is not in this process; hand it to cupel.run of Python "
          "(models=), or leave the row out",
          row.where, name);
    return out;
  }

  // Files that tell answers: of this table, and in other tables perhaps of the same links.
  void add_answer_files(const TableSpec& table, const Dataset& data, const SplitScheme& split) {
    if (split.members != nullptr && split.members->of_pairs())
      hidden_.emplace_back(split.members->path);
    const Options settings(table.where, task().settings, table.task_settings);
    std::ranges::move(task().answer_files(data, settings), std::back_inserter(hidden_));
  }

  // No program sees data sets or files of answers.
  void hide_from_programs() {
    std::ranges::move(columns_.paths(), std::back_inserter(hidden_));
    sort_unique(hidden_);
    for (auto& [id, family] : families_) {
      if (family->external) family->external->hidden = hidden_;
    }
  }

  const Protocol& protocol_;
  const Selection& selection_;
  const PlanSources& sources_;
  PlanColumns columns_;
  std::unordered_map<std::string, const ModelRow*> rows_;  // by their names to the letter
  std::vector<std::pair<ExternalCommand, std::map<std::string, std::string>>> packages_;
  std::map<std::string, std::shared_ptr<Family>> families_;
  std::vector<std::filesystem::path> hidden_;  // from programs
};

}  // namespace

Plan make_plan(const Protocol& protocol, const Selection& selection, const PlanSources& sources) {
  check_selection(protocol, selection);
  return Planner(protocol, selection, sources).make();
}

}  // namespace cupel
