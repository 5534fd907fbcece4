#include "cupel/data/split/split.h"

#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {

#define CUPEL_ENTRY(stem) extern const SplitKind split_##stem;
#include "split_registry.inc"
#undef CUPEL_ENTRY

namespace {

const std::vector<const SplitKind*>& kinds() {
  static const std::vector<const SplitKind*> all = {
#define CUPEL_ENTRY(stem) &split_##stem,
#include "split_registry.inc"
#undef CUPEL_ENTRY
  };
  return all;
}

const SplitKind& find_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const SplitKind* kind : kinds()) {
    if (kind->name == name) return *kind;
    known.push_back(kind->name);
  }
  const std::string near = nearest_name(name, known);
  fail("split scheme '{}' is unknown{}; there are {}", name,
       near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", "));
}

void check_settings(const SplitScheme& scheme, int index) {
  if (index < 0 || index >= scheme.count) {
    fail("split scheme '{}': split {} is outside the family of {} (0 to {})", scheme.kind, index,
         scheme.count, scheme.count - 1);
  }
  if (scheme.first < 0 || scheme.first > std::numeric_limits<int>::max() - scheme.count) {
    fail("split scheme '{}': first = {} is out of range", scheme.kind, scheme.first);
  }
  if (scheme.train < 0 || scheme.valid < 0 || scheme.test < 0) {
    fail("split scheme '{}': train = {}, valid = {}, test = {} must not be negative", scheme.kind,
         scheme.train, scheme.valid, scheme.test);
  }
}

}  // namespace

std::string SplitScheme::identity() const {
  std::string text = kind;
  if (const std::string settings = find_kind(kind).settings(*this); !settings.empty()) {
    text += " " + settings;
  }
  if (first != 0) text += fmt::format(" first={}", first);
  return text;
}

SplitScheme resolved_scheme(const SplitScheme& scheme, const Dataset& dataset) {
  if (scheme.kind != "file" || scheme.members) return scheme;
  if (scheme.file.empty()) fail("split scheme 'file': no file is named; set file");
  SplitScheme out = scheme;
  constexpr std::string_view kName = "{dataset}";
  for (std::size_t at = 0; (at = out.file.find(kName, at)) != std::string::npos;
       at += dataset.name.size())
    out.file = out.file.substr(0, at) + dataset.name + out.file.substr(at + kName.size());
  auto members = std::make_shared<SplitFile>(read_split_json(out.file));
  check_fits(*members, dataset);
  out.members = std::move(members);
  return out;
}

std::optional<int> family_size(const SplitScheme& scheme, const Dataset& dataset) {
  if (scheme.kind == "stored") return static_cast<int>(dataset.stored_splits.size());
  if (scheme.kind == "scaffold") return 1;
  if (scheme.members) return static_cast<int>(scheme.members->splits.size());
  return std::nullopt;
}

Split make_split(const Dataset& dataset, const SplitScheme& scheme, int index) {
  const SplitKind& kind = find_kind(scheme.kind);
  check_settings(scheme, index);
  if (dataset.tasks.cols > 0 && kind.by_class)
    fail(
        "{}: split scheme '{}' goes by class, and there are {} tasks instead of one; take random, "
        "scaffold, stored or file",
        dataset.name, kind.name, dataset.tasks.cols);
  Split split = kind.draw(dataset, scheme, scheme.first + index);
  std::sort(split.test.begin(), split.test.end());
  check_split(dataset, split, fmt::format("{}: {} split {}", dataset.name, kind.name, index));
  return split;
}

std::vector<std::pair<std::string, std::string>> split_kinds() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const SplitKind* kind : kinds()) all.emplace_back(kind->name, kind->doc);
  return all;
}

void check_split(const Dataset& dataset, const Split& split, const std::string& where) {
  struct Part {
    const char* name;
    const std::vector<Index>* ids;
  };
  const Part parts[] = {
      {"training", &split.train}, {"validation", &split.valid}, {"test", &split.test}};
  const char* what = dataset.graphs ? "graph" : "node";
  std::vector<char> owner(static_cast<std::size_t>(dataset.examples()), 0);  // 1 + part
  for (char p = 0; p < 3; ++p) {
    const auto& [name, ids] = parts[static_cast<std::size_t>(p)];
    if (ids->empty()) fail("{}: the {} part is empty", where, name);
    for (const Index id : *ids) {
      if (id < 0 || id >= dataset.examples()) {
        fail("{}: {} {} {} is outside the data set's {} {}s", where, name, what, id,
             dataset.examples(), what);
      }
      if (!dataset.labels.empty() && !is_labelled(dataset, id)) {
        fail("{}: {} {} {} has no label, so that it can be in no part; take it out of the split",
             where, name, what, id);
      }
      char& owned = owner[static_cast<std::size_t>(id)];
      if (owned != 0) {
        fail("{}: {} {} is in the {} part and again in the {} part", where, what, id,
             parts[static_cast<std::size_t>(owned - 1)].name, name);
      }
      owned = static_cast<char>(p + 1);
    }
  }
}

}  // namespace cupel
