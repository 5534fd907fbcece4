// The sections [train] and [models] of a protocol.
#include <algorithm>

#include "cupel/base/edit_distance.h"
#include "cupel/lab/protocol/parse.h"
#include "cupel/lab/protocol/rule_choices.h"

namespace cupel {
namespace {

std::optional<OptionValue> read_field(Section& section, const RuleField& field) {
  const auto value = [](const auto& given) {
    return given ? std::optional<OptionValue>(*given) : std::nullopt;
  };
  switch (field.value(TrainRule()).index()) {
    case 0:
      return value(section.flag(field.name));
    case 1:
      return value(section.integer(field.name, static_cast<std::int64_t>(field.least),
                                   static_cast<std::int64_t>(field.most)));
    case 2:
      return value(section.real(field.name, field.least, field.most));
    default:
      return value(section.text(field.name, field.words));
  }
}

RuleChange read_change(Section& section) {
  RuleChange out;
  for (const RuleField& field : rule_fields()) {
    auto value = read_field(section, field);
    if (!value) continue;
    if (const char* why = field.refusal(*value))
      fail("{}: {} = {}: {}", section.where(), field.name, to_text(*value), why);
    out.fields.emplace_back(&field, std::move(*value));
  }
  out.timeout_seconds = section.real("timeout_seconds", 0, kMostSeconds);
  return out;
}

// A row's own rule; `inits` belongs to tables, which have the same number for all rows.
RuleChange read_own_train(Section section) {
  if (section.integer("inits", 1, kMostNumber))
    fail("{}: 'inits' is the same for all rows; it belongs to [train] or to a [[table]]",
         section.where());
  RuleChange out = read_change(section);
  section.finish();
  return out;
}

ChoiceDimension read_dimension(const Section& section, const std::string& key,
                               const toml::node& node) {
  ChoiceDimension out;
  out.where = section.where(node);
  out.settings = setting_names(out.where, key);
  const toml::array* values = node.as_array();
  if (values == nullptr || values->empty())
    fail("{}: '{}' must be a list of values", out.where, key);
  for (const toml::node& value : *values) {
    std::vector<OptionValue> point;
    if (out.settings.size() == 1) {
      point.push_back(option_value(section.where(value), key, value));
    } else {
      const toml::array* items = value.as_array();
      if (items == nullptr || items->size() != out.settings.size())
        fail("{}: '{}' must be a list of lists of {} values each", section.where(value), key,
             out.settings.size());
      for (std::size_t i = 0; i < items->size(); ++i)
        point.push_back(option_value(section.where(value), out.settings[i], (*items)[i]));
    }
    add_value(out.values, std::move(point), section.where(value), key);
  }
  return out;
}

// `settings` and `train` are what has a value beside the choices.
std::vector<ChoiceDimension> read_choices(Section section, const Settings& settings,
                                          const RuleChange& train) {
  const auto has_value = [&](const std::string& name) {
    const RuleField* field = rule_choice(name);
    return settings.contains(name) ||
           (field != nullptr &&
            std::ranges::any_of(train.fields, [&](const auto& one) { return one.first == field; }));
  };
  std::vector<ChoiceDimension> out;
  for (const auto& [key, node] : section.rest()) {
    ChoiceDimension dimension = read_dimension(section, key, *node);
    for (const std::string& name : dimension.settings) {
      if (has_value(name))
        fail("{}: '{}' has a value of its own beside this choice; keep one of the two",
             dimension.where, name);
      for (const ChoiceDimension& other : out) {
        if (std::count(other.settings.begin(), other.settings.end(), name))
          fail("{}: '{}' is chosen twice", dimension.where, name);
      }
    }
    out.push_back(std::move(dimension));
  }
  return out;
}

Settings read_settings(Section& section) {
  Settings out;
  for (const auto& [key, node] : section.rest())
    out[key] = option_value(section.where(*node), key, *node);
  return out;
}

RowCase read_case(Section section, const std::string& title) {
  RowCase out;
  out.where = section.where();
  const auto datasets = section.texts("datasets");
  if (!datasets || datasets->empty())
    fail("{}: 'datasets' is missing: the data sets on which the row is different", out.where);
  out.datasets = *datasets;
  no_repeats(out.where, "datasets", out.datasets);
  const toml::table* choices = section.table("choices");
  if (const toml::table* train = section.table("train"))
    out.train = read_own_train(Section(section.file(), title + " train", *train));
  out.settings = read_settings(section);
  if (choices != nullptr)
    out.choices = read_choices(Section(section.file(), title + " choices", *choices), out.settings,
                               out.train);
  return out;
}

// Keys that a row with a command has for values like this one.
std::vector<std::string> keys_for(const OptionValue& value) {
  if (std::holds_alternative<bool>(value)) return {"network", "worker"};
  if (std::holds_alternative<std::string>(value)) return {"choose_by", "isolation", "reading_of"};
  return {"memory_mb", "select_inits", "timeout_seconds"};
}

// Any key may be a setting of the program; one that is as good as a key of ours is a slip.
void refuse_misspelt(const Section& section, const Settings& settings) {
  constexpr std::size_t kSlips = 2;
  for (const auto& [name, value] : settings) {
    const std::string near = nearest_name(name, keys_for(value));
    if (near.empty() || edit_distance(name, near) > kSlips) continue;
    fail(
        "{}: '{}' would be a setting that is handed to the program; did you mean '{}'? A setting "
        "needs a name less like it",
        section.where(name.c_str()), name, near);
  }
}

ExternalCommand read_function(Section& section, const std::string& name) {
  ExternalCommand out;
  if (name.empty()) fail("{}: 'function' is empty; it is a function's name", section.where());
  if (section.texts("command"))
    fail("{}: 'command' and 'function' are two models; keep one of them", section.where());
  out.function = name;
  out.isolation = "none";
  out.timeout_seconds =
      section.real("timeout_seconds", 0.001, kMostSeconds).value_or(out.timeout_seconds);
  out.memory_mb = section.integer("memory_mb", 16, kMostNumber).value_or(0);
  return out;
}

ModelRow read_model(Section section, const std::string& name, const std::filesystem::path& folder) {
  ModelRow row;
  row.name = name;
  row.where = section.where();
  if (section.flag("quoted").value_or(false)) {
    section.finish();
    row.model = name;
    row.quoted = true;
    return row;
  }
  if (const auto function = section.text("function")) {
    row.external = read_function(section, *function);
    row.model = "external";
  } else if (auto command = section.texts("command")) {
    ExternalCommand external;
    if (command->empty())
      fail("{}: 'command' is empty; it is a program and its arguments", row.where);
    external.command = *command;
    external.folder = folder;
    external.timeout_seconds =
        section.real("timeout_seconds", 0.001, kMostSeconds).value_or(external.timeout_seconds);
    external.memory_mb = section.integer("memory_mb", 16, kMostNumber).value_or(external.memory_mb);
    external.isolation =
        section.text("isolation", {"auto", "required", "none"}).value_or(external.isolation);
    external.network = section.flag("network").value_or(false);
    external.worker = section.flag("worker").value_or(false);
    for (const std::string& path : section.texts("readable").value_or(std::vector<std::string>()))
      external.readable.emplace_back(path);
    external.inputs = section.texts("inputs").value_or(std::vector<std::string>());
    external.packages = section.texts("packages").value_or(std::vector<std::string>());
    no_repeats(row.where, "packages", external.packages);
    row.external = external;
    row.model = "external";
  } else {
    row.model = section.text("model").value_or(name);
  }
  const std::string own = fmt::format("models.{}", name);
  std::vector<std::string> rules;
  for (const auto& [word, meaning] : choose_rules()) rules.push_back(word);
  row.choose_by = section.text("choose_by", rules).value_or(row.choose_by);
  row.select_inits = static_cast<int>(section.integer("select_inits", 0, 1000).value_or(0));
  row.reading_of = section.text("reading_of").value_or("");
  if (const toml::table* train = section.table("train"))
    row.train = read_own_train(Section(section.file(), fmt::format("[{}.train]", own), *train));
  if (const toml::array* cases = section.tables("on")) {
    const std::string title = fmt::format("[[{}.on]]", own);
    for (const toml::node& node : *cases)
      row.cases.push_back(read_case(Section(section.file(), title, *node.as_table()), title));
  }
  const toml::table* choices = section.table("choices");
  row.settings = read_settings(section);
  if (row.external && row.external->function.empty()) refuse_misspelt(section, row.settings);
  if (choices != nullptr)
    row.choices = read_choices(Section(section.file(), fmt::format("[{}.choices]", own), *choices),
                               row.settings, row.train);
  if (row.external) {
    const bool ruled =
        !row.train.empty() || std::any_of(row.cases.begin(), row.cases.end(),
                                          [](const RowCase& c) { return !c.train.empty(); });
    if (ruled) fail("{}: a program trains itself; [train] does not reach it", row.where);
  }
  return row;
}

}  // namespace

std::vector<std::string> setting_names(const std::string& where, const std::string& key) {
  std::vector<std::string> names(1);
  for (const char c : key) {
    if (c == ',') {
      names.emplace_back();
    } else if (c != ' ') {
      names.back() += c;
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty())
      fail("{}: '{}' is no list of settings; write \"a, b\" = [[1, 2], [3, 4]]", where, key);
    if (std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]))
      fail("{}: '{}' names '{}' twice", where, key, names[i]);
  }
  return names;
}

const std::vector<std::pair<std::string, std::string>>& choose_rules() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"valid-score", "mean validation score"},
      {"valid-score-by-split", "mean validation score, on each split"},
      {"test-score", "mean test score"},  // as released scripts did
  };
  return all;
}

void RuleChange::apply(TrainRule& rule, double& timeout) const {
  for (const auto& [field, value] : fields) field->set(rule, value);
  timeout = timeout_seconds.value_or(timeout);
}

void read_train(Section section, Protocol& out) {
  out.inits = static_cast<int>(section.integer("inits", 1, 1'000'000).value_or(out.inits));
  read_change(section).apply(out.rule, out.timeout_seconds);
  section.finish();
}

void read_models(Section section, Protocol& out, const std::filesystem::path& folder) {
  for (const auto& [row, node] : section.rest()) {
    if (!node->is_table())
      fail("{}: '{}' must be a table: write [models.{}]", section.where(*node), row, row);
    if (out.find_model(row) != nullptr) fail("{}: a second model '{}'", section.where(*node), row);
    out.models.push_back(read_model(
        Section(section.file(), fmt::format("[models.{}]", row), *node->as_table()), row, folder));
  }
  std::vector<std::string> rows;
  for (const ModelRow& row : out.models) rows.push_back(row.name);
  for (ModelRow& row : out.models) {
    if (row.reading_of.empty()) continue;
    const ModelRow* base = out.find_model(row.reading_of);
    if (base == nullptr)
      fail("{}: 'reading_of' names '{}', and there is no [models.{}]{}", row.where, row.reading_of,
           row.reading_of, near_text(row.reading_of, rows));
    if (base == &row || !base->reading_of.empty())
      fail("{}: 'reading_of' names '{}', which is itself a reading; name the row as designed",
           row.where, row.reading_of);
    if (base->quoted)
      fail("{}: 'reading_of' names '{}', which is quoted, so that nothing is designed there",
           row.where, row.reading_of);
    row.reading_of = base->name;
  }
}

}  // namespace cupel
