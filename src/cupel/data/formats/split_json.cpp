#include "cupel/data/formats/split_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
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

// The list under the one of `keys` that is there; `part` is how messages call it.
const json& read_list(const json& object, const std::string& where,
                      std::initializer_list<const char*> keys, const char* what,
                      std::string& part) {
  const auto key =
      std::ranges::find_if(keys, [&](const char* name) { return object.contains(name); });
  if (key == keys.end()) fail("{}: has no '{}'", where, *keys.begin());
  const auto other =
      std::find_if(key + 1, keys.end(), [&](const char* name) { return object.contains(name); });
  if (other != keys.end())
    fail("{}: has both '{}' and '{}', which mean the same; give one", where, *key, *other);
  part = fmt::format("{}: '{}'", where, *key);
  const json& list = demand_list(object[*key], part, what);
  if (list.empty()) fail("{}: is empty; name at least one", part);
  return list;
}

bool is_number(const json& item) {
  return item.is_number_unsigned() &&
         item.get<std::uint64_t>() <= std::numeric_limits<Index>::max();
}

std::vector<Index> read_part(const json& object, const std::string& where,
                             std::initializer_list<const char*> keys) {
  std::string part;
  std::vector<Index> out;
  for (const json& item : read_list(object, where, keys, "numbers", part)) {
    if (!is_number(item))
      fail("{}: entry {} is {}, no whole number from 0", part, out.size(), shown_json(item));
    out.push_back(item.get<Index>());
  }
  return out;
}

std::vector<Pair> read_pairs(const json& object, const std::string& where, bool directed,
                             std::initializer_list<const char*> keys) {
  std::string part;
  std::vector<Pair> out;
  for (const json& item : read_list(object, where, keys, "pairs", part)) {
    if (!item.is_array() || item.size() != 2 || !is_number(item[0]) || !is_number(item[1]))
      fail("{}: entry {} is {}, no pair [source, target] of whole numbers from 0", part, out.size(),
           shown_json(item));
    Pair pair{item[0].get<Index>(), item[1].get<Index>()};
    if (pair.source == pair.target)
      fail("{}: entry {} joins node {} with itself; take it out", part, out.size(), pair.source);
    if (!directed && pair.source > pair.target) std::swap(pair.source, pair.target);
    out.push_back(pair);
  }
  std::ranges::sort(out);
  return out;
}

// The first that stands in the parts twice, if one does.
template <class T, std::size_t kParts>
std::optional<T> repeated(const std::array<const std::vector<T>*, kParts>& parts) {
  std::vector<T> all;
  for (const std::vector<T>* part : parts) all.insert(all.end(), part->begin(), part->end());
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  return twice == all.end() ? std::nullopt : std::optional<T>(*twice);
}

void check_disjoint(const Split& split, const std::string& where) {
  if (const auto twice = repeated(split.parts()))
    fail("{}: {} is in it twice; parts of a split have nothing in common", where, *twice);
}

void read_pair_split(const json& item, const std::string& where, SplitFile& out) {
  check_keys(item, where, {"train", "valid", "validation", "val", "test"});
  const auto part = [&](std::initializer_list<const char*> keys) {
    return read_pairs(item, where, out.directed, keys);
  };
  PairSplit split{part({"train"}), part({"valid", "validation", "val"}), part({"test"})};
  if (const auto twice = repeated(std::array{
          &std::as_const(split.train), &std::as_const(split.valid), &std::as_const(split.test)}))
    fail("{}: the {} [{}, {}] is in it twice{}; parts of a split have nothing in common", where,
         out.directed ? "arc" : "link", twice->source, twice->target,
         out.directed ? "" : ", maybe as its way back");
  out.pair_splits.push_back(std::move(split));
}

void read_fold(const json& item, const std::string& where, SplitFile& out) {
  const auto add = [&](const json& inner, const json& outer, const std::string& at) {
    Split split{read_part(inner, at, {"train"}),
                read_part(inner, at, {"valid", "validation", "val"}),
                read_part(outer, where, {"test"})};
    if (inner.contains("stopping")) split.stopping = read_part(inner, at, {"stopping"});
    std::ranges::sort(split.test);
    check_disjoint(split, at);
    out.splits.push_back(std::move(split));
  };
  if (!item.is_object() || !item.contains("model_selection")) {
    check_keys(item, where, {"train", "valid", "validation", "val", "stopping", "test"});
    add(item, item, where);
    return;
  }
  check_keys(item, where, {"test", "model_selection"});
  out.kfold = true;
  const std::string list = where + ": 'model_selection'";
  std::size_t number = 0;
  for (const json& inner : demand_list(item["model_selection"], list, "splits")) {
    const std::string at = fmt::format("{} {}", list, number++);
    check_keys(inner, at, {"train", "valid", "validation", "val", "stopping"});
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
    if (!split.stopping.empty())
      hasher.field("stopping").array(std::span<const Index>(split.stopping));
  }
  return hasher.hex();
}

std::string hash_of_pairs(const SplitFile& file) {
  Hasher hasher;
  hasher.field("pairs").field(std::int64_t{file.directed}).field(std::int64_t{file.new_links});
  for (const PairSplit& split : file.pair_splits) {
    for (const auto* part : {&split.train, &split.valid, &split.test})
      hasher.array(std::span<const Pair>(*part));
  }
  return hasher.hex();
}

bool read_flag(const json& document, const std::string& where, const char* key) {
  if (!document.contains(key)) return false;
  const json& value = document[key];
  if (!value.is_boolean()) fail("{}: '{}' is {}, not true or false", where, key, shown_json(value));
  return value.get<bool>();
}

// What stands beside the list of splits.
void read_head(const json& document, SplitFile& out) {
  check_keys(document, out.path, {"splits", "unit", "directed", "new_links"});
  if (!document.contains("splits")) fail("{}: has no list 'splits'", out.path);
  if (document.contains("unit")) {
    const json& unit = document["unit"];
    for (const Unit known : {Unit::kNode, Unit::kGraph, Unit::kPair})
      if (unit == unit_name(known)) out.unit = known;
    if (!out.unit)
      fail("{}: 'unit' is {}; it is one of node, graph, pair", out.path, shown_json(unit));
  }
  for (const char* key : {"directed", "new_links"})
    if (document.contains(key) && !out.of_pairs())
      fail("{}: '{}' is of pairs; set \"unit\" to \"pair\", or leave it out", out.path, key);
  out.directed = read_flag(document, out.path, "directed");
  out.new_links = read_flag(document, out.path, "new_links");
}

}  // namespace

SplitFile read_split_json(const std::filesystem::path& path) {
  SplitFile out;
  out.path = path.string();
  const json document = read_strict_json(path);
  const json* list = &document;
  if (document.is_object()) {
    read_head(document, out);
    list = &document["splits"];
  }
  std::size_t number = 0;
  for (const json& item : demand_list(*list, out.path, "splits")) {
    const std::string where = fmt::format("{}: fold {}", out.path, number++);
    if (out.of_pairs())
      read_pair_split(item, where, out);
    else
      read_fold(item, where, out);
  }
  if (number == 0) fail("{}: holds no split", out.path);
  out.content = out.of_pairs() ? hash_of_pairs(out) : hash_of(out.splits);
  return out;
}

void check_fits(const SplitFile& file, const Dataset& dataset) {
  const char* what = unit_name(example_unit(dataset));
  if (file.unit && file.unit != example_unit(dataset))
    fail("{}: its splits are of {}s, but data set '{}' is split by {}", file.path,
         unit_name(*file.unit), dataset.name, what);
  std::vector<char> named(static_cast<std::size_t>(dataset.examples()), 0);
  for (std::size_t s = 0; s < file.splits.size(); ++s) {
    const Split& split = file.splits[s];
    for (const auto* part : split.parts()) {
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

std::string split_json(const std::vector<Split>& splits) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Split& split : splits) {
    list.push_back({{"train", split.train}, {"valid", split.valid}, {"test", split.test}});
    if (!split.stopping.empty()) list.back()["stopping"] = split.stopping;
  }
  return json_text(list, -1);
}

std::string split_json(const std::vector<Split>& splits, const PairList& links, bool new_links) {
  using Json = nlohmann::ordered_json;
  const auto part = [&](const std::vector<Index>& ids) {
    Json out = Json::array();
    for (const Index id : ids) {
      const Pair& pair = links.pairs[static_cast<std::size_t>(id)];
      out.push_back(Json::array({pair.source, pair.target}));
    }
    return out;
  };
  Json list = Json::array();
  for (const Split& split : splits)
    list.push_back(
        {{"train", part(split.train)}, {"valid", part(split.valid)}, {"test", part(split.test)}});
  Json out = {{"unit", unit_name(Unit::kPair)}, {"directed", links.directed}};
  if (new_links) out["new_links"] = true;
  out["splits"] = std::move(list);
  return json_text(out, -1);
}

}  // namespace cupel
