#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"
#include "cupel/learn/links/decoder.h"
#include "cupel/learn/task_kind.h"

namespace cupel::cli {
namespace {

// A default ("self_loops = true") decides for one side; what else is named is only where to look.
bool is_default(const Disagreement& one) { return one.setting.find(" = ") != std::string::npos; }
bool is_setting(const Disagreement& one) { return !one.setting.starts_with('('); }

std::string lead(const Disagreement& one) {
  if (is_default(one)) return one.setting + " is the default.";
  return is_setting(one) ? one.setting + ":" : "No setting:";
}

nlohmann::ordered_json disagreement_json(const Disagreement& one) {
  nlohmann::ordered_json out;
  out["setting"] = is_setting(one)
                       ? nlohmann::ordered_json(one.setting.substr(0, one.setting.find(" = ")))
                       : nlohmann::ordered_json();
  out["default"] = is_default(one) ? nlohmann::ordered_json(one.setting) : nlohmann::ordered_json();
  out["text"] = one.text;
  return out;
}

// The kind of task that a model of pairs is for; null for one of examples.
const TaskKind* pair_task(const ModelEntry& model) {
  if (model.unit != Unit::kPair) return nullptr;
  const auto found = std::ranges::find(task_kinds(), Unit::kPair, &TaskKind::unit);
  return found == task_kinds().end() ? nullptr : *found;
}

// Models of facts over time train themselves; those that do go through training in epochs.
bool is_trained(const ModelEntry& model) {
  return model.trainable != nullptr ||
         std::ranges::any_of(model.options,
                             [](const OptionSpec& option) { return option.name == "epochs"; });
}

std::string kind_text(const ModelEntry& model) {
  std::string out = is_trained(model) ? "trained by gradient descent" : "no training";
  if (const TaskKind* task = pair_task(model))
    out += fmt::format("; scores pairs of nodes (task = \"{}\")", task->name);
  return out;
}

// What rows may say of a trained model beside its own settings.
std::string row_settings_text(const TaskKind& task) {
  std::string out = fmt::format("\nSettings of its rows under {}\n", task.name);
  out += settings_text(task.model_settings) + "\nDecoders\n";
  Columns columns("lw");
  for (const Decoder* decoder : decoders()) columns.row({decoder->name, decoder->doc});
  return out + columns.text() + "  `cupel list decoders` has their settings.\n";
}

}  // namespace

std::string model_card(const ModelEntry& model, bool json) {
  const TaskKind* task = pair_task(model);
  if (json) {
    nlohmann::ordered_json out = {{"kind", "model"},
                                  {"name", model.name},
                                  {"title", model.title},
                                  {"citation", model.citation},
                                  {"trained", is_trained(model)},
                                  {"revision", model.revision},
                                  {"equations", model.equations},
                                  {"settings", settings_json(model.options)}};
    if (task != nullptr) {
      out["unit"] = unit_name(model.unit);
      out["task"] = task->name;
      if (model.trainable != nullptr) out["row_settings"] = settings_json(task->model_settings);
    }
    auto& list = out["disagreements"] = nlohmann::ordered_json::array();
    for (const Disagreement& one : model.disagreements) list.push_back(disagreement_json(one));
    return json_text(out);
  }
  std::string out = labelled("Model", model.name + ": " + model.title);
  out += labelled("Citation", model.citation);
  out += labelled("Kind", kind_text(model));
  if (model.revision > 1)
    out += labelled("Revision", fmt::format("{}; runs of earlier ones have other ids and stay as "
                                            "they are",
                                            model.revision));
  out += "\nEquations\n";
  for (const std::string& line : model.equations) out += wrap(line, 2);
  out += "\nSettings\n" + settings_text(model.options);
  if (task != nullptr && model.trainable != nullptr) out += row_settings_text(*task);
  if (!model.disagreements.empty()) {
    out += "\nWhere paper, released code and what is here differ\n";
    for (const Disagreement& one : model.disagreements)
      out += wrap(lead(one), 2) + wrap(one.text, 4);
  }
  return out;
}

}  // namespace cupel::cli
