// Lists of what protocols name beside data sets and models: kinds with a sentence and settings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/base/options.h"

namespace cupel::cli {

struct Kind {
  std::string name, doc;
  std::vector<OptionSpec> settings;
  std::vector<OptionSpec> of_rows = {};  // of a task: what rows may say beside their model's
};

struct KindList {
  std::string name;   // "negatives", as `cupel list` takes it
  std::string title;  // with how protocols write them
  std::vector<Kind> (*kinds)();
};

// In the order of their names.
[[nodiscard]] const std::vector<KindList>& kind_lists();
// nullptr if there is none of that name.
[[nodiscard]] const KindList* find_kind_list(const std::string& name);

// Names and sentences, then the settings of each kind that has some.
[[nodiscard]] std::string kinds_text(const KindList& list);
[[nodiscard]] nlohmann::ordered_json kinds_json(const KindList& list);

}  // namespace cupel::cli
