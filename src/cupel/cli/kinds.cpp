#include "cupel/cli/kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"
#include "cupel/data/facts/negatives.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/split/split_kind.h"
#include "cupel/learn/links/decoder.h"
#include "cupel/learn/task_kind.h"

namespace cupel::cli {
namespace {

std::vector<Kind> all_decoders() {
  std::vector<Kind> out;
  for (const Decoder* decoder : decoders())
    out.push_back({decoder->name, decoder->doc, decoder->options});
  return out;
}

std::vector<Kind> all_negatives() {
  std::vector<Kind> out;
  for (const NegativeKind* kind : negative_kinds())
    out.push_back({kind->name, kind->doc, kind->settings});
  for (const FactNegativeKind* kind : fact_negative_kinds())
    out.push_back({kind->name, "of facts over time: " + kind->doc, kind->settings});
  return out;
}

std::vector<Kind> all_splits() {
  std::vector<Kind> out;
  for (const auto& [name, doc] : split_kinds()) {
    Kind& kind = out.emplace_back(Kind{name, doc, {}});
    for (const SplitSetting& setting : split_kind(name).settings)
      kind.settings.push_back(setting.option);
  }
  return out;
}

std::vector<Kind> all_tasks() {
  std::vector<Kind> out;
  for (const TaskKind* task : task_kinds())
    out.push_back({task->name, task->doc, task->settings, task->model_settings});
  return out;
}

}  // namespace

const std::vector<KindList>& kind_lists() {
  static const std::vector<KindList> all = {
      {"decoders", "Decoders of links (decoder = \"NAME:SETTING=VALUE;...\" of a row)",
       all_decoders},
      {"negatives",
       "Negatives of links and of facts over time (negatives = \"NAME:SETTING=VALUE;...\" in "
       "[links] or [events])",
       all_negatives},
      {"splits", "Split schemes (scheme = \"NAME\" in [split], with settings as keys)", all_splits},
      {"tasks", "Tasks (task = \"NAME\" of a protocol, with settings in the section [NAME])",
       all_tasks},
  };
  return all;
}

const KindList* find_kind_list(const std::string& name) {
  const auto found = std::ranges::find(kind_lists(), name, &KindList::name);
  return found == kind_lists().end() ? nullptr : &*found;
}

std::string kinds_text(const KindList& list) {
  Columns columns("lw");
  const std::vector<Kind> kinds = list.kinds();
  for (const Kind& kind : kinds) columns.row({kind.name, kind.doc});
  std::string out = wrap(list.title) + columns.text();
  const auto add = [&](const std::string& heading, const std::vector<OptionSpec>& settings) {
    if (!settings.empty()) out += fmt::format("\n{}\n{}", heading, settings_text(settings));
  };
  for (const Kind& kind : kinds) {
    add("Settings of " + kind.name, kind.settings);
    add("Settings of trained rows under " + kind.name, kind.of_rows);
  }
  return out;
}

nlohmann::ordered_json kinds_json(const KindList& list) {
  auto out = nlohmann::ordered_json::array();
  for (const Kind& kind : list.kinds()) {
    out.push_back(
        {{"name", kind.name}, {"doc", kind.doc}, {"settings", settings_json(kind.settings)}});
    if (!kind.of_rows.empty()) out.back()["row_settings"] = settings_json(kind.of_rows);
  }
  return out;
}

}  // namespace cupel::cli
