// The command that does the runs of a cell again.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/split_list.h"
#include "cupel/base/visible.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/page/uses.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel::page {
namespace {

// A word of a shell, quoted unless it is plain. What does not show is not in it: it would reach the
// terminal that the line is pasted into.
std::string word(const std::string& given) {
  const std::string shown = printable(given);
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%-";
  if (!shown.empty() && shown.find_first_not_of(kPlain) == std::string::npos) return shown;
  std::string out = "'";
  for (const char c : shown) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A value that begins with a dash would be taken for an option.
std::string option(const char* name, const std::string& value) {
  return fmt::format(" {}{}{}", name, value.starts_with('-') ? "=" : " ", word(value));
}

// Whether the name means, to whoever has it alone, the data that the runs were on. One that a path
// was given for is called like its file.
bool names_content(const std::string& name, const std::string& content) {
  if (const Recipe* recipe = find_recipe(name)) {
    const auto& checked = recipe->checked_hashes;
    return !is_pinned(*recipe) || !recipe->pattern_hash.empty() ||
           content == recipe->content_hash || std::ranges::find(checked, content) != checked.end();
  }
  try {
    return parse_generator_call(name).generator != nullptr;
  } catch (const Error&) {
    return false;  // settings that the generator does not have: a file's name
  }
}

}  // namespace

std::optional<std::string> content_by_path(const CellResults& cell) {
  if (!cell.added) return {};
  const auto use = use_of(cell);
  const std::string content = use ? use->content : "";
  return names_content(cell.dataset, content) ? std::nullopt : std::optional(content);
}

std::string command_of(const std::string& protocol, const std::string& table,
                       const CellResults& cell) {
  const std::vector<std::string> known = protocol_names();
  const bool is_known = std::find(known.begin(), known.end(), protocol) != known.end();
  std::string out =
      "cupel run " + word(is_known ? protocol : "./" + protocol + ".toml") +
      option("--tables", listed(table)) +
      (content_by_path(cell) ? " --datasets PATH" : option("--datasets", listed(cell.dataset))) +
      option("--models", listed(cell.model));
  int splits = 0, first = 0, last = 0;
  for (const PlacedRun& run : cell.runs) {
    const bool is_first = &run == &cell.runs.front();
    splits = std::max(splits, run.split + 1);
    first = is_first ? run.init : std::min(first, run.init);
    last = std::max(last, run.init);
  }
  // The first initialisations may have chosen the settings, and are then not those of the cell.
  if (splits > 0) out += fmt::format(" --splits {} --inits {}", splits, last - first + 1);
  return out + " --store again.sqlite";
}

}  // namespace cupel::page
