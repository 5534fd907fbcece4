// The section [split] of a protocol, by what its kind states of its settings.
#include "cupel/data/split/split_kind.h"
#include "cupel/lab/protocol/parse.h"

namespace cupel {
namespace {

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const auto& [name, doc] : split_kinds()) names.push_back(name);
  return names;
}

// As the setting is declared; nothing if the section does not say it.
std::optional<OptionValue> read_setting(Section& section, const OptionSpec& spec) {
  const char* name = spec.name.c_str();
  const auto typed = [&](const auto& value) {
    return value ? std::optional<OptionValue>(*value) : std::nullopt;
  };
  if (std::holds_alternative<bool>(spec.fallback)) return typed(section.flag(name));
  if (std::holds_alternative<double>(spec.fallback))
    return typed(section.real(name, spec.min, spec.max));
  if (std::holds_alternative<std::int64_t>(spec.fallback))
    return typed(section.integer(name, static_cast<std::int64_t>(spec.min),
                                 static_cast<std::int64_t>(spec.max)));
  return typed(spec.choices.empty() ? section.text(name) : section.text(name, spec.choices));
}

}  // namespace

SplitScheme read_split(Section section, const std::filesystem::path& folder) {
  SplitScheme out;
  out.kind = section.text("scheme", scheme_names()).value_or(out.kind);
  const SplitKind& kind = split_kind(out.kind);
  for (const SplitSetting& setting : kind.settings) {
    const std::string& name = setting.option.name;
    const std::optional<OptionValue> value = read_setting(section, setting.option);
    if (!value && !setting.needed.empty())
      fail("{}: scheme '{}' needs '{}', {}", section.where(), kind.name, name, setting.needed);
    if (value)
      out.settings[name] =
          setting.file ? (folder / std::get<std::string>(*value)).string() : *value;
  }
  const int usual =
      kind.folds.empty() ? kind.count : static_cast<int>(out.options().integer(kind.folds));
  out.count = static_cast<int>(section.integer("count", 1, kMostNumber).value_or(usual));
  out.first = static_cast<int>(section.integer("first", 0, kMostNumber).value_or(0));
  section.finish();
  return out;
}

}  // namespace cupel
