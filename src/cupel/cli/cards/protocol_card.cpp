#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"
#include "cupel/learn/task_kind.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

// "patience" -> 0, of what a rule says differently.
std::vector<std::pair<std::string, OptionValue>> changes_of(const RuleChange& change) {
  std::vector<std::pair<std::string, OptionValue>> out;
  for (const auto& [field, value] : change.fields) out.emplace_back(field->name, value);
  if (change.timeout_seconds) out.emplace_back("timeout_seconds", *change.timeout_seconds);
  return out;
}

const TaskKind& task_of(const Protocol& protocol) { return *find_task_kind(protocol.task); }

// Every setting of the kind of task with its value, in the order of its statement.
std::vector<std::pair<std::string, OptionValue>> task_values(const Protocol& protocol,
                                                             const Settings& given) {
  std::vector<std::pair<std::string, OptionValue>> out;
  for (const OptionSpec& spec : task_of(protocol).settings) {
    const auto said = given.find(spec.name);
    out.emplace_back(spec.name, said == given.end() ? spec.fallback : said->second);
  }
  return out;
}

// Those of them that play a part.
std::vector<std::pair<std::string, OptionValue>> asked_values(const Protocol& protocol,
                                                              const Settings& given) {
  const TaskKind& task = task_of(protocol);
  const std::vector<std::string> idle = task.idle(Options(protocol.name, task.settings, given));
  auto out = task_values(protocol, given);
  std::erase_if(out, [&](const auto& one) { return std::ranges::count(idle, one.first) > 0; });
  return out;
}

// "links between nodes; negatives = uniform". A setting that is left empty says nothing.
std::string task_text(const Protocol& protocol) {
  std::string out = task_of(protocol).words;
  for (const auto& [name, value] : asked_values(protocol, protocol.task_settings))
    if (const std::string text = to_text(value); !text.empty())
      out += fmt::format("; {} = {}", name, text);
  return out;
}

// What a table asks differently: "metric mrr, negatives = heart", or nothing.
std::string table_task_text(const Protocol& protocol, const TableSpec& table) {
  std::vector<std::string> parts;
  if (!table.metric.empty() && table.metric != protocol.metric)
    parts.push_back("metric " + table.metric);
  const auto usual = asked_values(protocol, protocol.task_settings);
  for (const auto& own : asked_values(protocol, table.task_settings))
    if (!std::ranges::count(usual, own))
      parts.push_back(fmt::format("{} = {}", own.first, to_text(own.second)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string list_text(const Settings& settings, const std::vector<ChoiceDimension>& choices,
                      const RuleChange& train) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings)
    parts.push_back(fmt::format("{}={}", name, to_text(value)));
  for (const ChoiceDimension& choice : choices) {
    std::vector<std::string> values;
    for (const auto& point : choice.values) {
      std::vector<std::string> items;
      for (const OptionValue& item : point) items.push_back(to_text(item));
      values.push_back(items.size() == 1 ? items[0] : fmt::format("({})", fmt::join(items, ", ")));
    }
    parts.push_back(
        fmt::format("{} from {}", fmt::join(choice.settings, ", "), fmt::join(values, " | ")));
  }
  for (const auto& [name, value] : changes_of(train))
    parts.push_back(fmt::format("train.{}={}", name, to_text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// What is said of a row beside its settings: one line each.
std::vector<std::string> more_lines(const ModelRow& row) {
  std::vector<std::string> out;
  if (!row.reading_of.empty())
    out.push_back(fmt::format("a reading of {}, whose published values it shares", row.reading_of));
  const bool chooses =
      !row.choices.empty() || std::any_of(row.cases.begin(), row.cases.end(),
                                          [](const RowCase& c) { return !c.choices.empty(); });
  if (chooses)
    out.push_back("chosen by " + std::ranges::find(choose_rules(), row.choose_by,
                                                   &std::pair<std::string, std::string>::first)
                                     ->second);
  if (row.select_inits > 0)
    out.push_back(fmt::format("{} of each split only for that, others are assessed",
                              counted(row.select_inits, "initialisation")));
  for (const RowCase& special : row.cases)
    out.push_back(fmt::format("on {}: {}", fmt::join(special.datasets, ", "),
                              list_text(special.settings, special.choices, special.train)));
  return out;
}

std::string settings_line(const ModelRow& row) {
  if (row.quoted) return "quoted: published values alone, and nothing is run";
  std::string out = list_text(row.settings, row.choices, row.train);
  if (row.external && !row.external->function.empty())
    return fmt::format("the function {} of who runs it{}{}", row.external->function,
                       out.empty() ? "" : "; ", out);
  if (row.external)
    return fmt::format("program{}: {}{}{}", row.external->network ? ", with the network" : "",
                       fmt::join(row.external->command, " "), out.empty() ? "" : "; ", out);
  if (row.model != row.name) out = row.model + (out.empty() ? "" : ": " + out);
  return out.empty() ? "no settings given" : out;
}

std::string rule_text(const Protocol& protocol) {
  const TrainRule& rule = protocol.rule;
  const char* watched = rule.stop_on == "valid-loss"        ? "validation loss"
                        : rule.stop_on == "valid-objective" ? "validation loss with the L2 penalty"
                                                            : "validation score";
  std::string out = fmt::format("at most {} epochs", grouped(rule.max_epochs));
  if (rule.patience > 0)
    out += fmt::format("; stops after {} without a better {}{}", rule.patience, watched,
                       rule.ties_improve ? " (an equal one counts)" : "");
  out += rule.keep == "last"          ? "; the last parameters are kept"
         : rule.keep == "latest-best" ? fmt::format("; the latest of the best {} are kept", watched)
         : rule.patience > 0          ? ""
                                      : fmt::format("; those of the best {} are kept", watched);
  out += fmt::format("; {}, epsilon {:g}", rule.optimizer, rule.epsilon);
  if (task_of(protocol).unit == Unit::kGraph)
    out += rule.batch_size > 0 ? fmt::format("; {} in a step", counted(rule.batch_size, "graph"))
                               : "; all training graphs in a step";
  if (rule.loss != "cross-entropy") out += fmt::format("; loss {}", rule.loss);
  if (rule.decay_every > 0)
    out += fmt::format("; the learning rate times {:g} every {}", rule.decay,
                       counted(rule.decay_every, "epoch"));
  if (rule.clip_norm > 0)
    out += fmt::format("; gradients are scaled down to a norm of {:g}", rule.clip_norm);
  out += fmt::format("; on divergence: {}", rule.on_divergence == "restore"
                                                ? "the best parameters so far are kept"
                                                : "the run has no score");
  return out;
}

// The rule is of models that are trained by gradients: some kinds of task have none.
std::string train_text(const Protocol& protocol) {
  std::vector<std::string> parts;
  if (task_of(protocol).feed != nullptr) parts.push_back(rule_text(protocol));
  if (protocol.timeout_seconds > 0)
    parts.push_back(fmt::format("{} for a run", duration_text(protocol.timeout_seconds)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string runs_text(const Protocol& protocol, const TableSpec& table) {
  if (table.kind != "scores") return fmt::format("{}, from table {}", table.kind, table.source);
  const std::string splits =
      table.split.count == 0 ? "all splits" : counted(table.split.count, "split");
  const auto run = std::ranges::count_if(
      table.models, [&](const std::string& row) { return !protocol.find_model(row)->quoted; });
  return fmt::format("{} x {} x {} x {}", counted(std::int64_t{run}, "model"),
                     counted(std::int64_t(table.datasets.size()), "data set"), splits,
                     counted(table.inits, "init"));
}

std::string strata_text(const StrataSpec& spec) {
  if (spec.rule == "wikipedia-duplicates")
    return fmt::format("{}, the copies that leak in the graph '{}'", spec.name, spec.graph);
  if (spec.rule == "file") return fmt::format("{}, listed in {}", spec.name, spec.nodes.string());
  return fmt::format("{}, nodes of degree {} {}", spec.name,
                     spec.rule == "degree-below" ? "below" : "at least", spec.value);
}

std::size_t published_of(const Protocol& protocol, const std::string& table) {
  return static_cast<std::size_t>(
      std::count_if(protocol.published.begin(), protocol.published.end(),
                    [&](const PublishedValue& value) { return value.table == table; }));
}

// Whether a table is scored on a split that the search has seen.
bool search_shares_splits(const Protocol& protocol) {
  const TuneSpec& tune = *protocol.tune;
  return std::ranges::any_of(protocol.tables, [&](const TableSpec& table) {
    const SplitScheme& split = table.split;
    const int end = split.count == 0 ? std::numeric_limits<int>::max() : split.first + split.count;
    return split.first < tune.first_split + tune.splits && tune.first_split < end;
  });
}

std::string tune_text(const Protocol& protocol) {
  const TuneSpec& tune = *protocol.tune;
  std::vector<std::string> models;
  for (const SearchSpace& space : tune.spaces()) models.push_back(space.model);
  return fmt::format(
      "{} search, at most {} for each of {}; on {}; {} from number {} on, which {}, {} "
      "each; selected by validation {}{}",
      tune.method, counted(tune.budget, "trial"), fmt::join(models, ", "),
      fmt::join(tune.datasets, ", "), counted(tune.splits, "split"), tune.first_split,
      search_shares_splits(protocol) ? "tables use as well" : "no table uses",
      counted(tune.inits, "init"), protocol.metric,
      tune.by_dataset ? ", on each data set alone" : "");
}

Json split_json(const SplitScheme& split) {
  Json out = {{"scheme", split.kind}};
  for (const auto& [name, value] : split_settings(split)) out[name] = to_json(value);
  out["first"] = split.first;
  out["count"] = split.count;
  return out;
}

Json settings_json(const Settings& settings) {
  Json out = Json::object();
  for (const auto& [name, value] : settings) out[name] = to_json(value);
  return out;
}

Json task_json(const Protocol& protocol, const Settings& given) {
  Json out = Json::object();
  for (const auto& [name, value] : task_values(protocol, given)) out[name] = to_json(value);
  return out;
}

Json choices_json(const std::vector<ChoiceDimension>& choices) {
  Json out = Json::array();
  for (const ChoiceDimension& choice : choices) {
    Json values = Json::array();
    for (const auto& point : choice.values) {
      Json items = Json::array();
      for (const OptionValue& item : point) items.push_back(to_json(item));
      values.push_back(items);
    }
    out.push_back({{"settings", choice.settings}, {"values", values}});
  }
  return out;
}

Json train_json(const RuleChange& change) {
  Json out = Json::object();
  for (const auto& [name, value] : changes_of(change)) out[name] = to_json(value);
  return out;
}

Json rule_json(const Protocol& protocol) {
  Json out = Json::object();
  for (const RuleField& field : rule_fields())
    out[field.name] = to_json(field.value(protocol.rule));
  out["timeout_seconds"] = protocol.timeout_seconds;
  return out;
}

Json strata_json(const Protocol& protocol) {
  Json out = Json::array();
  for (const StrataSpec& spec : protocol.strata) {
    Json one = {{"name", spec.name}, {"rule", spec.rule}};
    if (!spec.graph.empty()) one["graph"] = spec.graph;
    if (!spec.nodes.empty()) one["nodes"] = spec.nodes.string();
    if (spec.rule.starts_with("degree")) one["value"] = spec.value;
    out.push_back(std::move(one));
  }
  return out;
}

Json protocol_json(const Protocol& protocol) {
  Json models = Json::array(), tables = Json::array();
  for (const ModelRow& row : protocol.models) {
    Json one = {{"name", row.name}};
    if (row.quoted) {
      one["quoted"] = true;
      models.push_back(std::move(one));
      continue;
    }
    if (row.external && !row.external->function.empty()) {
      one["function"] = row.external->function;
    } else if (row.external) {
      one["command"] = row.external->command;
      one["isolation"] = row.external->isolation;
      one["network"] = row.external->network;
      if (!row.external->inputs.empty()) one["inputs"] = row.external->inputs;
      if (!row.external->packages.empty()) one["packages"] = row.external->packages;
    } else {
      one["model"] = row.model;
    }
    one["settings"] = settings_json(row.settings);
    one["choices"] = choices_json(row.choices);
    one["choose_by"] = row.choose_by;
    one["select_inits"] = row.select_inits;
    one["train"] = train_json(row.train);
    if (!row.reading_of.empty()) one["reading_of"] = row.reading_of;
    one["on"] = Json::array();
    for (const RowCase& special : row.cases)
      one["on"].push_back({{"datasets", special.datasets},
                           {"settings", settings_json(special.settings)},
                           {"choices", choices_json(special.choices)},
                           {"train", train_json(special.train)}});
    models.push_back(std::move(one));
  }
  for (const TableSpec& table : protocol.tables) {
    Json one = {{"id", table.id},         {"title", table.title},
                {"kind", table.kind},     {"source", table.source},
                {"strata", table.strata}, {"datasets", table.datasets},
                {"models", table.models}, {"split", split_json(table.split)},
                {"inits", table.inits},   {"published_values", published_of(protocol, table.id)}};
    if (!table.metric.empty()) one["metric"] = table.metric;
    if (table.on_request) one["on_request"] = true;
    if (table.kind == "scores" && !task_of(protocol).settings.empty())
      one["task_settings"] = task_json(protocol, table.task_settings);
    tables.push_back(std::move(one));
  }
  Json out = {{"kind", "protocol"},
              {"name", protocol.name},
              {"title", protocol.title},
              {"citation", protocol.citation},
              {"version", protocol.version},
              {"task", protocol.task},
              {"metric", protocol.metric},
              {"metric_two_classes", protocol.metric_for(2)},
              {"prepare", protocol.prepare},
              {"train", rule_json(protocol)},
              {"models", models},
              {"strata", strata_json(protocol)},
              {"tables", tables},
              {"notes", published_notes_json(protocol)},
              {"tune", protocol.tune.has_value()}};
  if (!task_of(protocol).settings.empty())
    out["task_settings"] = task_json(protocol, protocol.task_settings);
  return out;
}

}  // namespace

std::string protocol_card(const Protocol& protocol, bool json) {
  if (json) return json_text(protocol_json(protocol));
  std::string out = labelled("Protocol", protocol.name + ": " + protocol.title);
  if (!protocol.citation.empty()) out += labelled("Citation", protocol.citation);
  out += labelled("Task", task_text(protocol));
  out += labelled("Metric", protocol.metric_for(2) == protocol.metric
                                ? protocol.metric
                                : fmt::format("{}; {} of data sets with two classes",
                                              protocol.metric, protocol.metric_two_classes));
  out += labelled("Preparation", protocol.prepare.empty()
                                     ? "the data as stored"
                                     : fmt::format("{}", fmt::join(protocol.prepare, ", ")));
  for (const auto& [dataset, steps] : protocol.prepare_special)
    out += labelled("", fmt::format("{}: {}", dataset, fmt::join(steps, ", ")));
  out += labelled("Splits", split_words(protocol.split));
  if (const std::string training = train_text(protocol); !training.empty())
    out += labelled("Training", training);
  out += "\nTables\n";
  for (const TableSpec& table : protocol.tables) {
    out += wrap(fmt::format("{}: {}", table.id, table.title), 2);
    std::string runs = runs_text(protocol, table);
    if (const auto published = published_of(protocol, table.id); published > 0)
      runs += fmt::format("; {}", counted(std::int64_t(published), "published value"));
    if (table.on_request) runs += "; run where --tables names it";
    out += wrap(runs, 6);
    out += wrap(fmt::format("data sets: {}", fmt::join(table.datasets, ", ")), 6);
    if (const StrataSpec* strata = protocol.find_strata(table.strata))
      out += wrap("split by group of nodes: " + strata_text(*strata), 6);
    if (table.kind == "scores" && table.split.identity() != protocol.split.identity())
      out += wrap("splits: " + split_words(table.split), 6);
    if (const std::string asked = table_task_text(protocol, table);
        table.kind == "scores" && !asked.empty())
      out += wrap("asks: " + asked, 6);
    if (table.models.size() != protocol.models.size())
      out += wrap(fmt::format("models: {}", fmt::join(table.models, ", ")), 6);
  }
  out += "\nModels\n";
  Columns models("lw");
  for (const ModelRow& row : protocol.models) {
    models.row({row.name, settings_line(row)});
    for (const std::string& line : more_lines(row)) models.row({"", line});
  }
  out += models.text();
  out += published_notes_text(protocol);
  if (protocol.tune) out += "\nSearch (cupel tune)\n" + wrap(tune_text(protocol), 2);
  return out;
}

}  // namespace cupel::cli
