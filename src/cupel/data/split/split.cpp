#include "cupel/data/split/split.h"

#include <fmt/args.h>

#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/data/split/link_split.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

void check_range(const SplitScheme& scheme, int index) {
  if (index < 0 || index >= scheme.count) {
    fail("split scheme '{}': split {} is outside the family of {} (0 to {})", scheme.kind, index,
         scheme.count, scheme.count - 1);
  }
  if (scheme.first < 0 || scheme.first > std::numeric_limits<int>::max() - scheme.count) {
    fail("split scheme '{}': first = {} is out of range", scheme.kind, scheme.first);
  }
}

Split draw(const Dataset& dataset, const PairList* links, const SplitScheme& scheme, int index) {
  const SplitKind& kind = split_kind(scheme.kind);
  const Options settings = scheme.options();
  check_range(scheme, index);
  if (dataset.has_tasks() && kind.by_class)
    fail(
        "{}: split scheme '{}' goes by class, and there are {} tasks instead of one; take random, "
        "scaffold, stored or file",
        dataset.name, kind.name, dataset.tasks());
  if (links == nullptr && kind.by_class && !dataset.has_tasks() && dataset.labels().empty())
    fail("{}: split scheme '{}' goes by class, and there are no labels; give y", dataset.name,
         kind.name);
  Split split = kind.draw({dataset, settings, links, scheme.members.get()}, scheme.first + index);
  std::sort(split.test.begin(), split.test.end());
  const std::string where = fmt::format("{}: {} split {}", dataset.name, kind.name, index);
  if (links != nullptr)
    check_parts(split, Unit::kPair, links->size(), where);
  else
    check_split(dataset, split, where);
  return split;
}

}  // namespace

Options SplitScheme::options() const {
  const SplitKind& about = split_kind(kind);
  const std::string where = fmt::format("split scheme '{}'", kind);
  std::vector<OptionSpec> specs;
  for (const SplitSetting& setting : about.settings) {
    const std::string& name = setting.option.name;
    if (!setting.needed.empty() && !settings.contains(name))
      fail("{} needs '{}', {}", where, name, setting.needed);
    specs.push_back(setting.option);
  }
  return Options(where, specs, settings);
}

std::string SplitScheme::identity() const {
  std::string text = kind;
  const std::map<std::string, OptionValue> said = options().identity();
  for (const SplitSetting& setting : split_kind(kind).settings) {
    const auto value = said.find(setting.option.name);
    if (value == said.end()) continue;
    if (setting.file && members)
      text += " splits=" + members->content;
    else
      text +=
          fmt::format(" {}={}{}", value->first, to_text(value->second), setting.percent ? "%" : "");
  }
  if (first != 0) text += fmt::format(" first={}", first);
  return text;
}

SplitScheme resolved_scheme(const SplitScheme& scheme, const Dataset& dataset) {
  const SplitKind& kind = split_kind(scheme.kind);
  if (dataset.facts && (kind.by_class || kind.of_pairs || kind.test_percent != nullptr))
    fail(
        "{}: split scheme '{}' draws its parts, and these are facts over time, of which the past "
        "is "
        "learnt and the future is asked about; take the scheme 'time'",
        dataset.name, kind.name);
  if (kind.read == nullptr || scheme.members) return scheme;
  SplitScheme out = scheme;
  out.members = kind.read(dataset, scheme.options());
  return out;
}

std::optional<int> family_size(const SplitScheme& scheme, const Dataset& dataset) {
  const SplitKind& kind = split_kind(scheme.kind);
  return kind.size == nullptr ? std::nullopt
                              : kind.size(dataset, scheme.options(), scheme.members.get());
}

Unit split_unit(const SplitScheme& scheme, const Dataset& dataset) {
  const bool pairs = scheme.members ? scheme.members->of_pairs() : split_kind(scheme.kind).of_pairs;
  return pairs ? Unit::kPair : example_unit(dataset);
}

Split make_split(const Dataset& dataset, const SplitScheme& scheme, int index) {
  const SplitScheme resolved = resolved_scheme(scheme, dataset);
  if (split_unit(resolved, dataset) != Unit::kPair) return draw(dataset, nullptr, resolved, index);
  const PairList links = links_of(dataset, resolved);
  return draw(dataset, &links, resolved, index);
}

Split make_split(const Dataset& dataset, const PairList& links, const SplitScheme& scheme,
                 int index) {
  return draw(dataset, &links, scheme, index);
}

std::vector<std::pair<std::string, OptionValue>> split_settings(const SplitScheme& scheme) {
  const Options options = scheme.options();
  std::vector<std::pair<std::string, OptionValue>> out;
  for (const SplitSetting& setting : split_kind(scheme.kind).settings)
    out.emplace_back(setting.option.name, options.all().at(setting.option.name));
  return out;
}

std::string split_words(const SplitScheme& scheme) {
  const SplitKind& kind = split_kind(scheme.kind);
  const std::string& words = scheme.count == 0 ? kind.all : kind.words;
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  values.push_back(fmt::arg("count", scheme.count));
  std::string more;
  for (const auto& [name, value] : split_settings(scheme)) {
    values.push_back(fmt::arg(name.c_str(), to_text(value)));
    if (scheme.settings.contains(name) && words.find("{" + name + "}") == std::string::npos)
      more += fmt::format("; {} = {}", name, to_text(value));
  }
  return fmt::vformat(words, values) + more;
}

}  // namespace cupel
