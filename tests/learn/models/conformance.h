// What the conformance tests of models share: the models of the registry, each with its default
// settings and with each of its switches thrown, and tasks that they are tried on.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "cupel/learn/links/link_feed.h"
#include "cupel/learn/train/trainer.h"
#include "learn/drawn_graphs.h"
#include "learn/links/made_link_task.h"
#include "learn/made_task.h"
#include "learn/models/traced_model.h"

namespace cupel {

struct Variant {
  const ModelEntry* entry;
  Settings settings;
  std::string name;  // letters, digits and '_' only
};

inline void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

inline std::string test_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

// How a model comes to its scores.
enum class Way { kTrained, kDirect, kScored, kForetold };

inline Way way_of(const ModelEntry& entry) {
  return entry.trainable != nullptr ? Way::kTrained
         : entry.direct != nullptr  ? Way::kDirect
         : entry.scorer != nullptr  ? Way::kScored
                                    : Way::kForetold;
}

// The model's word that it cannot promise a requirement with these settings; null where it can.
inline const Exemption* exemption(const ModelEntry& entry, Requirement from,
                                  const Options& options) {
  for (const Exemption& e : entry.exemptions)
    if (e.from == from && options.all().at(e.option) == e.value) return &e;
  return nullptr;
}

// The defaults, each flag turned, and each other choice of a text.
inline std::vector<Variant> variants(Way way) {
  std::vector<Variant> all;
  for (const ModelEntry* entry : models()) {
    if (way_of(*entry) != way) continue;
    all.push_back({entry, {}, test_name(entry->name)});
    const auto add = [&](const std::string& option, OptionValue value) {
      all.push_back(
          {entry, {{option, value}}, test_name(entry->name + "_" + option + "_" + to_text(value))});
    };
    for (const OptionSpec& option : entry->options) {
      if (const bool* flag = std::get_if<bool>(&option.fallback)) add(option.name, !*flag);
      for (const std::string& choice : option.choices)
        if (OptionValue(choice) != option.fallback) add(option.name, choice);
    }
  }
  return all;
}

inline std::string variant_name(const testing::TestParamInfo<Variant>& info) {
  return info.param.name;
}

inline bool of_graphs(const ModelEntry& entry) { return entry.unit == Unit::kGraph; }
inline bool of_pairs(const ModelEntry& entry) { return entry.unit == Unit::kPair; }

// Nodes of one graph, or as many of a set of graphs as take about as long. A trained model of pairs
// is an encoder of nodes, and may as well tell classes.
inline ClassTask task_for(const ModelEntry& entry, MadeSize size = {}, Index train = 20,
                          Index valid = 20) {
  if (!of_graphs(entry)) return made_task(size, train, valid);
  if (size.nodes <= 60) return drawn_task({}, std::min<Index>(train, 20), 20);
  const Index graphs = std::min<Index>(size.nodes / 3, 120);
  const Index most = entry.trainable != nullptr ? 60 : 12;
  return drawn_task({.graphs = graphs, .nodes = most}, std::min<Index>(train, 60), 20);
}

// What a whole trial is made on: pairs for the models that are of pairs.
inline std::shared_ptr<const View> view_for(const ModelEntry& entry, MadeSize size = {},
                                            Index train = 20, Index valid = 20) {
  if (of_pairs(entry)) return link_task(made_dataset(size)).view;
  return std::make_shared<const TaskView>(task_for(entry, size, train, valid).view);
}

// With what a row may say beside, where pairs are trained on.
inline Options configure_row(const ModelEntry& entry, const Settings& given) {
  std::vector<OptionSpec> all = entry.options;
  if (of_pairs(entry) && entry.trainable != nullptr)
    for (const OptionSpec& more : link_feed_settings()) all.push_back(more);
  return Options(entry.name, all, given);
}

class ConformanceOfModel : public testing::TestWithParam<Variant> {
 protected:
  const ModelEntry& entry() const { return *GetParam().entry; }
  Settings undropped() const {
    Settings plain;
    for (const OptionSpec& option : entry().options)
      if (option.name.ends_with("dropout")) plain[option.name] = 0.0;
    return plain;
  }
  // A small value of "hidden", which is a number or a list of them.
  OptionValue narrow_width() const {
    for (const OptionSpec& option : entry().options)
      if (option.name == "hidden" && std::holds_alternative<std::string>(option.fallback))
        return std::string("6,8");
    return std::int64_t{8};
  }
  // Wide and deep models are tested at a size that takes seconds, not minutes.
  Options options(Settings more = {}) const {
    constexpr std::int64_t kWidest = 64;
    Settings all = GetParam().settings;
    all.merge(more);
    for (const OptionSpec& option : entry().options) {
      if (option.name == "layers" && of_graphs(entry())) all.emplace(option.name, std::int64_t{2});
      if (option.name != "hidden") continue;
      const auto* width = std::get_if<std::int64_t>(&option.fallback);
      if (width == nullptr) all.emplace(option.name, std::string("48,64"));
      if (width != nullptr && *width > kWidest) all.emplace(option.name, kWidest);
    }
    return configure_row(entry(), all);
  }
};

// Of a model that is trained by gradient descent.
class TrainableModelOf : public ConformanceOfModel {
 protected:
  std::size_t phases() const { return entry().trainable(options())->schedule().phases.size(); }
};

inline bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows == b.rows && a.cols == b.cols &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

// The same data with example i called places[i].
inline Dataset renumbered_examples(const Dataset& data, const std::vector<Index>& places) {
  return data.graphs ? renumbered_graphs(data, places) : renumbered(data, places);
}

}  // namespace cupel
