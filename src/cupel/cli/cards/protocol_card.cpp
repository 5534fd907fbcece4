#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string settings_line(const ModelRow& row) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : row.settings)
    parts.push_back(fmt::format("{}={}", name, to_text(value)));
  std::string out = fmt::format("{}", fmt::join(parts, ", "));
  if (row.external)
    return fmt::format("program: {}{}{}", fmt::join(row.external->command, " "),
                       out.empty() ? "" : "; ", out);
  if (row.model != row.name) out = row.model + (out.empty() ? "" : ": " + out);
  return out.empty() ? "no settings given" : out;
}

std::string split_text(const SplitScheme& split) {
  if (split.kind == "stored")
    return split.count > 0 ? fmt::format("the first {} stored with the data", split.count)
                           : "all that are stored with the data";
  const std::string sizes =
      split.kind == "per-class"
          ? fmt::format("{} training and {} validation nodes of each class, the rest test",
                        split.train, split.valid)
      : split.kind == "planetoid"
          ? fmt::format("{} training nodes of each class, {} validation and {} test nodes in all",
                        split.train, split.valid, split.test)
      : split.kind == "random"
          ? fmt::format("{} % training, {} % validation, the rest test", split.train, split.valid)
          : fmt::format("train {}, valid {}", split.train, split.valid);
  return fmt::format("{} x {}: {}; seed {}", split.count, split.kind, sizes, split.seed);
}

std::string train_text(const Protocol& protocol) {
  const TrainRule& rule = protocol.rule;
  std::string out =
      fmt::format("at most {} epochs; stops after {} without a better {}{}; on divergence: {}",
                  grouped(rule.max_epochs), rule.patience,
                  rule.stop_on == "valid-loss" ? "validation loss" : "validation accuracy",
                  rule.ties_improve ? " (an equal one counts)" : "",
                  rule.on_divergence == "restore" ? "the best parameters so far are kept"
                                                  : "the run has no score");
  if (protocol.timeout_seconds > 0)
    out += fmt::format("; {} for a run", duration_text(protocol.timeout_seconds));
  return out;
}

std::string runs_text(const TableSpec& table) {
  if (table.kind != "scores") return fmt::format("{}, from table {}", table.kind, table.source);
  const std::string splits = table.split.kind == "stored" && table.split.count == 0
                                 ? "all splits"
                                 : counted(table.split.count, "split");
  return fmt::format("{} x {} x {} x {}", counted(std::int64_t(table.models.size()), "model"),
                     counted(std::int64_t(table.datasets.size()), "data set"), splits,
                     counted(table.inits, "init"));
}

std::size_t published_of(const Protocol& protocol, const std::string& table) {
  return static_cast<std::size_t>(
      std::count_if(protocol.published.begin(), protocol.published.end(),
                    [&](const PublishedValue& value) { return value.table == table; }));
}

std::string tune_text(const Protocol& protocol) {
  const TuneSpec& tune = *protocol.tune;
  std::vector<std::string> models;
  for (const SearchSpace& space : tune.spaces()) models.push_back(space.model);
  return fmt::format(
      "{} search, at most {} for each of {}; on {}; {} from number {} on, which no table uses, {} "
      "each; selected by validation {}",
      tune.method, counted(tune.budget, "trial"), fmt::join(models, ", "),
      fmt::join(tune.datasets, ", "), counted(tune.splits, "split"), tune.first_split,
      counted(tune.inits, "init"), protocol.metric);
}

Json split_json(const SplitScheme& split) {
  return {{"scheme", split.kind}, {"train", split.train}, {"valid", split.valid},
          {"test", split.test},   {"seed", split.seed},   {"first", split.first},
          {"count", split.count}};
}

Json protocol_json(const Protocol& protocol) {
  Json models = Json::array(), tables = Json::array();
  for (const ModelRow& row : protocol.models) {
    Json settings = Json::object();
    for (const auto& [name, value] : row.settings) settings[name] = to_json(value);
    Json one = {{"name", row.name}};
    if (row.external) {
      one["command"] = row.external->command;
    } else {
      one["model"] = row.model;
    }
    one["settings"] = settings;
    models.push_back(std::move(one));
  }
  for (const TableSpec& table : protocol.tables) {
    tables.push_back({{"id", table.id},
                      {"title", table.title},
                      {"kind", table.kind},
                      {"source", table.source},
                      {"datasets", table.datasets},
                      {"models", table.models},
                      {"split", split_json(table.split)},
                      {"inits", table.inits},
                      {"published_values", published_of(protocol, table.id)}});
  }
  const TrainRule& rule = protocol.rule;
  return {{"kind", "protocol"},
          {"name", protocol.name},
          {"title", protocol.title},
          {"citation", protocol.citation},
          {"version", protocol.version},
          {"metric", protocol.metric},
          {"prepare", protocol.prepare},
          {"train",
           {{"max_epochs", rule.max_epochs},
            {"patience", rule.patience},
            {"stop_on", rule.stop_on},
            {"ties_improve", rule.ties_improve},
            {"on_divergence", rule.on_divergence},
            {"timeout_seconds", protocol.timeout_seconds}}},
          {"models", models},
          {"tables", tables},
          {"tune", protocol.tune.has_value()}};
}

}  // namespace

std::string protocol_card(const Protocol& protocol, bool json) {
  if (json) return protocol_json(protocol).dump(2) + "\n";
  std::string out = labelled("Protocol", protocol.name + ": " + protocol.title);
  if (!protocol.citation.empty()) out += labelled("Citation", protocol.citation);
  out += labelled("Metric", protocol.metric);
  out += labelled("Preparation", protocol.prepare.empty()
                                     ? "the data as stored"
                                     : fmt::format("{}", fmt::join(protocol.prepare, ", ")));
  for (const auto& [dataset, steps] : protocol.prepare_special)
    out += labelled("", fmt::format("{}: {}", dataset, fmt::join(steps, ", ")));
  out += labelled("Splits", split_text(protocol.split));
  out += labelled("Training", train_text(protocol));
  out += "\nTables\n";
  for (const TableSpec& table : protocol.tables) {
    out += wrap(fmt::format("{}: {}", table.id, table.title), 2);
    std::string runs = runs_text(table);
    if (const auto published = published_of(protocol, table.id); published > 0)
      runs += fmt::format("; {}", counted(std::int64_t(published), "published value"));
    out += wrap(runs, 6);
    out += wrap(fmt::format("data sets: {}", fmt::join(table.datasets, ", ")), 6);
    if (table.kind == "scores" && table.split.identity() != protocol.split.identity())
      out += wrap("splits: " + split_text(table.split), 6);
    if (table.models.size() != protocol.models.size())
      out += wrap(fmt::format("models: {}", fmt::join(table.models, ", ")), 6);
  }
  out += "\nModels\n";
  Columns models("lw");
  for (const ModelRow& row : protocol.models) models.row({row.name, settings_line(row)});
  out += models.text();
  if (protocol.tune) out += "\nSearch (cupel tune)\n" + wrap(tune_text(protocol), 2);
  return out;
}

}  // namespace cupel::cli
