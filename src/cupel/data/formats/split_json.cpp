#include "cupel/data/formats/split_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

using nlohmann::json;

const json& demand_list(const json& value, const std::string& where, const char* what) {
  if (!value.is_array())
    fail("{}: {} where a list of {} is needed", where, shown_json(value), what);
  return value;
}

// The part under the one of `keys` that is there.
std::vector<Index> read_part(const json& object, const std::string& where,
                             std::initializer_list<const char*> keys) {
  const auto key =
      std::ranges::find_if(keys, [&](const char* name) { return object.contains(name); });
  if (key == keys.end()) fail("{}: has no '{}'", where, *keys.begin());
  const auto other =
      std::find_if(key + 1, keys.end(), [&](const char* name) { return object.contains(name); });
  if (other != keys.end())
    fail("{}: has both '{}' and '{}', which mean the same; give one", where, *key, *other);
  const std::string part = fmt::format("{}: '{}'", where, *key);
  std::vector<Index> out;
  for (const json& item : demand_list(object[*key], part, "numbers")) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::numeric_limits<Index>::max())
      fail("{}: entry {} is {}, no whole number from 0", part, out.size(), shown_json(item));
    out.push_back(item.get<Index>());
  }
  if (out.empty()) fail("{}: is empty; name at least one", part);
  return out;
}

void check_disjoint(const Split& split, const std::string& where) {
  std::vector<Index> all = split.train;
  all.insert(all.end(), split.valid.begin(), split.valid.end());
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end())
    fail("{}: {} is in it twice; parts of a split have nothing in common", where, *twice);
}

void read_fold(const json& item, const std::string& where, SplitFile& out) {
  const auto add = [&](const json& inner, const json& outer, const std::string& at) {
    Split split{read_part(inner, at, {"train"}),
                read_part(inner, at, {"valid", "validation", "val"}),
                read_part(outer, where, {"test"})};
    std::ranges::sort(split.test);
    check_disjoint(split, at);
    out.splits.push_back(std::move(split));
  };
  if (!item.is_object() || !item.contains("model_selection")) {
    check_keys(item, where, {"train", "valid", "validation", "val", "test"});
    add(item, item, where);
    return;
  }
  check_keys(item, where, {"test", "model_selection"});
  out.kfold = true;
  const std::string list = where + ": 'model_selection'";
  std::size_t number = 0;
  for (const json& inner : demand_list(item["model_selection"], list, "splits")) {
    const std::string at = fmt::format("{} {}", list, number++);
    check_keys(inner, at, {"train", "valid", "validation", "val"});
    add(inner, item, at);
  }
  if (number == 0) fail("{}: is empty; give a split for training and validation", list);
}

std::string hash_of(const std::vector<Split>& splits) {
  Hasher hasher;
  hasher.field("splits");
  for (const Split& split : splits) {
    for (const auto* part : {&split.train, &split.valid, &split.test})
      hasher.array(std::span<const Index>(*part));
  }
  return hasher.hex();
}

}  // namespace

SplitFile read_split_json(const std::filesystem::path& path) {
  SplitFile out;
  out.path = path.string();
  const json document = read_strict_json(path);
  const json* list = &document;
  if (document.is_object()) {
    check_keys(document, out.path, {"splits"});
    if (!document.contains("splits")) fail("{}: has no list 'splits'", out.path);
    list = &document["splits"];
  }
  std::size_t number = 0;
  for (const json& item : demand_list(*list, out.path, "splits"))
    read_fold(item, fmt::format("{}: fold {}", out.path, number++), out);
  if (out.splits.empty()) fail("{}: holds no split", out.path);
  out.content = hash_of(out.splits);
  return out;
}

void check_fits(const SplitFile& file, const Dataset& dataset) {
  const char* what = dataset.graphs ? "graph" : "node";
  std::vector<char> named(static_cast<std::size_t>(dataset.examples()), 0);
  for (std::size_t s = 0; s < file.splits.size(); ++s) {
    const Split& split = file.splits[s];
    for (const auto* part : {&split.train, &split.valid, &split.test}) {
      for (const Index id : *part) {
        if (id < dataset.examples()) {
          named[static_cast<std::size_t>(id)] = 1;
          continue;
        }
        fail(
            "{}: split {} names {} {}, but data set '{}' has {} {}s; was it prepared in a way that "
            "drops some? the file is for all of them",
            file.path, s, what, id, dataset.name, dataset.examples(), what);
      }
    }
  }
  const auto covered = std::ranges::count(named, 1);
  const Index labelled = dataset.examples() - count_unlabelled(dataset);
  if (file.kfold && covered != labelled) {
    fail(
        "{}: its folds are of {} {}s, but data set '{}' has {}{}; were some dropped when the file "
        "was made? prepare the data set in the same way",
        file.path, covered, what, dataset.name, labelled,
        labelled < dataset.examples() ? " with a label" : "");
  }
}

}  // namespace cupel
