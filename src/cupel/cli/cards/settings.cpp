// Settings of models and generators.
#include <cmath>

#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cupel::cli {
namespace {

std::string number_text(double value) {
  return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:g}", value);
}

std::string range_text(const OptionSpec& spec) {
  if (!spec.choices.empty()) return fmt::format("{}", fmt::join(spec.choices, " | "));
  if (std::holds_alternative<bool>(spec.fallback)) return "true | false";
  if (spec.min < spec.max)
    return fmt::format("{} to {}", number_text(spec.min), number_text(spec.max));
  return std::holds_alternative<std::string>(spec.fallback) ? "text" : "any number";
}

// A list that lines can be broken in.
std::string in_words(std::string list) {
  for (std::size_t at = 0; (at = list.find(',', at)) != std::string::npos; at += 2)
    list.replace(at, 1, ", ");
  return list;
}

}  // namespace

std::string settings_text(const std::vector<OptionSpec>& specs) {
  if (specs.empty()) return "  none\n";
  Columns columns("lllw");
  columns.row({"NAME", "DEFAULT", "VALUES", "MEANING"});
  for (const OptionSpec& spec : specs)
    columns.row({spec.name, to_text(spec.fallback), range_text(spec), spec.doc});
  return columns.text();
}

std::string defaults_text(const std::vector<OptionSpec>& specs) {
  constexpr std::size_t kBeside = 24;  // longer defaults stand with the words
  Columns columns("llw");
  for (const OptionSpec& spec : specs) {
    const std::string fallback = to_text(spec.fallback);
    if (fallback.size() <= kBeside) {
      columns.row({spec.name, fallback, spec.doc});
    } else {
      columns.row({spec.name, "", fmt::format("{}; at first: {}", spec.doc, in_words(fallback))});
    }
  }
  return columns.text();
}

}  // namespace cupel::cli
