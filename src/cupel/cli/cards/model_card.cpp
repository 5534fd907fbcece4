#include <nlohmann/json.hpp>

#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"

namespace cupel::cli {

std::string model_card(const ModelEntry& model, bool json) {
  const char* kind = model.trainable != nullptr ? "trained by gradient descent" : "no training";
  if (json) {
    nlohmann::ordered_json out = {{"kind", "model"},
                                  {"name", model.name},
                                  {"title", model.title},
                                  {"citation", model.citation},
                                  {"trained", model.trainable != nullptr},
                                  {"equations", model.equations},
                                  {"settings", settings_json(model.options)}};
    auto& list = out["disagreements"] = nlohmann::ordered_json::array();
    for (const Disagreement& one : model.disagreements)
      list.push_back({{"default", one.setting}, {"text", one.text}});
    return out.dump(2) + "\n";
  }
  std::string out = labelled("Model", model.name + ": " + model.title);
  out += labelled("Citation", model.citation);
  out += labelled("Kind", kind);
  out += "\nEquations\n";
  for (const std::string& line : model.equations) out += wrap(line, 2);
  out += "\nSettings\n" + settings_text(model.options);
  if (!model.disagreements.empty()) {
    out += "\nWhere paper and released code disagree\n";
    for (const Disagreement& one : model.disagreements)
      out += wrap(one.setting + " is the default.", 2) + wrap(one.text, 4);
  }
  return out;
}

}  // namespace cupel::cli
