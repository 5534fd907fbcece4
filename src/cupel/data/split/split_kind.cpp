#include "cupel/data/split/split_kind.h"

#include "cupel/base/error.h"

namespace cupel {

#include "split_registry.inc"

namespace {

constexpr double kMostSize = 1e9;

const std::vector<const SplitKind*>& kinds() {
  static const std::vector<const SplitKind*> all = split_registry();
  return all;
}

}  // namespace

SplitSetting size_setting(const char* name, int fallback, const char* doc) {
  return {.option = {.name = name,
                     .fallback = std::int64_t{fallback},
                     .doc = doc,
                     .min = 1,
                     .max = kMostSize}};
}

SplitSetting percent_setting(const char* name, int fallback, const char* doc) {
  SplitSetting out = size_setting(name, fallback, doc);
  out.percent = true;
  return out;
}

SplitSetting seed_setting() {
  return {.option = {.name = "seed",
                     .fallback = std::int64_t{2018},
                     .doc = "of all draws",
                     .min = 0,
                     .max = 0xFFFFFFFF}};
}

SplitSetting message_setting() {
  return {.option = {.name = "message",
                     .fallback = std::string("train"),
                     .doc = "whose arcs carry messages when test pairs are asked for",
                     .choices = {"train", "train+valid"}}};
}

const SplitKind& split_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const SplitKind* kind : kinds()) {
    if (kind->name == name) return *kind;
    known.push_back(kind->name);
  }
  const std::string near = nearest_name(name, known);
  fail("split scheme '{}' is unknown{}; there are {}", name,
       near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", "));
}

int rest_percent(const Options& settings) {
  return static_cast<int>(100 - settings.integer("train") - settings.integer("valid"));
}

std::vector<std::pair<std::string, std::string>> split_kinds() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const SplitKind* kind : kinds()) all.emplace_back(kind->name, kind->doc);
  return all;
}

}  // namespace cupel
