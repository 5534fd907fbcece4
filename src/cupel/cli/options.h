// Arguments that several commands take.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/run/scheduler.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cupel::cli {

// --data DIR.
struct DataArgument {
  std::string given;
  // The folder it means, see data_folder(). Throws Error if one was given that is not there.
  [[nodiscard]] std::filesystem::path folder() const;
};
CLI::Option* add_data(CLI::App& app, DataArgument& argument);
CLI::Option* add_json(CLI::App& app, bool& json);

// A whole number of 1 or more.
CLI::Option* add_count(CLI::App& app, const std::string& name, int& target, const std::string& doc);
// A list with commas; may be given several times.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& doc);

// Splits at commas, but keeps "csbm:nodes=5000,seed=3" whole.
[[nodiscard]] std::vector<std::string> split_list(const std::vector<std::string>& given);

// What `run` and `tune` share: which part of a protocol, how, and where results go.
struct WorkArguments {
  std::string protocol, store, memory, shard;
  DataArgument data;
  std::vector<std::string> datasets, models;
  int jobs = 0;
  double timeout = 0;
  bool retry_failed = false, dry_run = false, json = false;

  // --store, else <protocol>.sqlite in the current folder.
  [[nodiscard]] std::filesystem::path store_path(const std::string& protocol_name) const;
  // Throws Error for what is not a size or not a part I/N with 1 <= I <= N.
  [[nodiscard]] ExecuteOptions execute_options() const;
};
// PROTOCOL, and which part of it; then how it is done.
void add_protocol(CLI::App& app, WorkArguments& arguments);
void add_work(CLI::App& app, WorkArguments& arguments);

}  // namespace cupel::cli
