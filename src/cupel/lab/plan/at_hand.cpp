#include "cupel/lab/plan/at_hand.h"

#include <fmt/ranges.h>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/catalog/catalog.h"

namespace cupel {
namespace {

bool is_there(const std::string& reference, const std::filesystem::path& folder) {
  const Recipe* recipe = find_recipe(reference);
  return recipe == nullptr || recipe_present(*recipe, folder / recipe->name);
}

}  // namespace

AtHand at_hand(const Protocol& protocol, const std::filesystem::path& data_folder) {
  AtHand out;
  const auto sort_in = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (has_name(out.there, name) || has_name(out.missing, name)) continue;
      const bool there = is_there(protocol.reference(name), data_folder);
      (there ? out.there : out.missing).push_back(name);
    }
  };
  sort_in(protocol.datasets);
  for (const TableSpec& table : protocol.tables) sort_in(table.datasets);
  return out;
}

std::vector<std::string> narrowed(const AtHand& at_hand, const std::vector<std::string>& datasets) {
  std::vector<std::string> out;
  for (const std::string& name : datasets.empty() ? at_hand.there : datasets)
    if (!has_name(at_hand.missing, name)) out.push_back(name);
  if (out.empty())
    fail("none of the data sets is at hand ({}); `cupel fetch NAME` gets one",
         fmt::join(at_hand.missing, ", "));
  return out;
}

}  // namespace cupel
