#include "cupel/cli/cards/resolve_scores.h"

#include <optional>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/cli/text.h"

namespace cupel::cli {

std::string resolve_scores_text(const ResolveScores& found) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : std::string("-");
  };
  Columns columns("lrrrrrrr");
  columns.row({"", "entities", "precision", "recall", "F1", "B3 precision", "B3 recall", "B3 F1"});
  for (const auto& [name, scores] :
       {std::pair{"as it is", &found.before}, std::pair{"resolved", &found.after}}) {
    const Agreement &pairs = scores->pairwise, &cubed = scores->b_cubed;
    columns.row({name, grouped(scores->found_groups), cell(pairs.precision), cell(pairs.recall),
                 cell(pairs.f1), cell(cubed.precision), cell(cubed.recall), cell(cubed.f1)});
  }
  return columns.text() +
         wrap(fmt::format(
             "Over {} of {}: {} known by their place or id, {} by a listed name, {} taken as "
             "persons of their own; {} are not known and left out.",
             counted(found.after.mentions, "mention"), counted(found.after.true_groups, "person"),
             grouped(found.mentions.by_place), grouped(found.mentions.by_name),
             grouped(found.mentions.by_own_name), grouped(found.mentions.unknown)));
}

}  // namespace cupel::cli
