// What does the runs of a cell again: a command, or a call of Python.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/shell.h"
#include "cupel/base/split_list.h"
#include "cupel/base/visible.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/page/uses.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel::page {
namespace {

// A word of a shell. What does not show is not in it: it would reach the terminal that the line is
// pasted into.
std::string word(const std::string& given) { return shell_quoted(printable(given)); }

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

// A text of Python, in which nothing that does not show is.
std::string literal(const std::string& given) {
  std::string out = "\"";
  for (const char c : printable(given)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

struct Asked {
  int splits = 0, inits = 0;
};
Asked asked_of(const CellResults& cell) {
  if (cell.runs.empty()) return {};
  int splits = 0, first = cell.runs.front().init, last = first;
  for (const PlacedRun& run : cell.runs) {
    splits = std::max(splits, run.split + 1);
    first = std::min(first, run.init);
    last = std::max(last, run.init);
  }
  // The first initialisations may have chosen the settings, and are then not those of the cell.
  return {splits, last - first + 1};
}

constexpr const char* kStore = "again.sqlite";

// Where a protocol is that is part of the program, or a file; a file's folder is not known.
std::string reference_to(const Results& results) {
  const std::vector<std::string> known = protocol_names();
  const bool is_known = std::ranges::find(known, results.protocol) != known.end();
  return is_known ? results.protocol : "./" + results.protocol + ".toml";
}

std::string shell_command(const Results& results, const std::string& table,
                          const CellResults& cell) {
  std::string out = "cupel run " + word(reference_to(results)) + option("--tables", listed(table));
  out += content_by_path(cell) ? " --datasets PATH" : option("--datasets", listed(cell.dataset));
  out += option("--models", listed(cell.model));
  const Asked asked = asked_of(cell);
  if (asked.splits > 0) out += fmt::format(" --splits {} --inits {}", asked.splits, asked.inits);
  return out + " --store " + kStore;
}

std::string python_call(const Results& results, const std::string& table, const CellResults& cell) {
  std::string out = "cupel.run(";
  out += results.of_program ? "PROTOCOL" : literal(reference_to(results));
  out += fmt::format(", tables=[{}], datasets=[{}], models=[{}]", literal(table),
                     content_by_path(cell) ? "PATH" : literal(cell.dataset),
                     function_of(cell) ? "FUNCTION" : literal(cell.model));
  const Asked asked = asked_of(cell);
  if (asked.splits > 0) out += fmt::format(", splits={}, inits={}", asked.splits, asked.inits);
  // A dict has no name of its own.
  if (results.of_program) out += ", name=" + literal(results.protocol);
  return out + fmt::format(", store=\"{}\")", kStore);
}

}  // namespace

std::optional<std::string> content_by_path(const CellResults& cell) {
  if (!cell.added) return {};
  const auto use = use_of(cell);
  const std::string content = use ? use->content : "";
  return names_content(cell.dataset, content) ? std::nullopt : std::optional(content);
}

std::string command_of(const Results& results, const std::string& table, const CellResults& cell) {
  return results.of_program || function_of(cell) ? python_call(results, table, cell)
                                                 : shell_command(results, table, cell);
}

}  // namespace cupel::page
