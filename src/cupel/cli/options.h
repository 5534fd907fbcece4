// Arguments that several commands take.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/api/facts_memory.h"
#include "cupel/api/how.h"
#include "cupel/base/split_list.h"
#include "cupel/cli/syntax.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel::cli {

// --data DIR.
struct DataArgument {
  std::string given;
  // The folder it means, see data_folder(). Throws Error if one was given that is not there.
  [[nodiscard]] std::filesystem::path folder() const;
};
void add_data(Syntax& syntax, DataArgument& argument);
void add_json(Syntax& syntax, bool& json);

// --memory SIZE, of commands that read facts over time among other data.
struct FactsMemoryArgument {
  std::string given;
  // Tells how much facts will take where that is much. Throws Error where it is too much, before
  // they are read, counted or audited, or converted.
  void hold_against(const std::filesystem::path& facts) const;
  void hold_against(const std::filesystem::path& facts, const FactsConversion& written) const;

 private:
  [[nodiscard]] std::size_t most() const;
};
void add_facts_memory(Syntax& syntax, FactsMemoryArgument& argument);

// --set NAME=VALUE and --seed N, of what is made from settings.
struct SettingsArgument {
  std::vector<std::string> set;
  std::string seed;
  // "name=value", the seed last.
  [[nodiscard]] std::vector<std::string> all() const;
};
void add_settings(Syntax& syntax, SettingsArgument& argument);

// A list with commas; may be given several times. See split_list().
void add_list(Syntax& syntax, const std::string& name, std::vector<std::string>& target,
              const std::string& doc);

// What `run` and `tune` share: which part of a protocol, how, and where results go.
struct WorkArguments {
  std::string protocol, store, memory, shard;
  DataArgument data;
  std::vector<std::string> datasets, models;
  int jobs = 0;
  double timeout = 0;
  bool retry_failed = false, dry_run = false, json = false;

  // kept_store() of --store.
  [[nodiscard]] std::filesystem::path store_path(const std::string& protocol_name) const;
  // Throws Error for what is not a size or not a part I/N with 1 <= I <= N.
  [[nodiscard]] ExecuteOptions execute_options() const;
};
// PROTOCOL and, in a group "What is done", which part of it; then how it is done and where results
// go.
void add_protocol(Syntax& syntax, WorkArguments& arguments);
void add_work(Syntax& syntax, WorkArguments& arguments);

}  // namespace cupel::cli
