#include "cupel/cli/options.h"

#include "cupel/api/how.h"
#include "cupel/api/load.h"
#include "cupel/api/study.h"
#include "cupel/cli/output.h"

namespace cupel::cli {

std::filesystem::path DataArgument::folder() const { return existing_data_folder(given); }

void add_data(Syntax& syntax, DataArgument& argument) {
  syntax.text("--data", "DIR", argument.given,
              "Folder of data sets (default: $CUPEL_DATA, else the\nuser's cache folder)");
}

void add_json(Syntax& syntax, bool& json) {
  syntax.flag("--json", json, "Print JSON instead of text");
}

std::size_t FactsMemoryArgument::most() const {
  return given.empty() ? 0 : parse_size("--memory", given);
}

void FactsMemoryArgument::hold_against(const std::filesystem::path& facts) const {
  if (const std::string told = memory_for_facts(facts, most()); !told.empty()) print_note(told);
}

void FactsMemoryArgument::hold_against(const std::filesystem::path& facts,
                                       const FactsConversion& written) const {
  const std::string told = memory_for_conversion(facts, written, most());
  if (!told.empty()) print_note(told);
}

void add_facts_memory(Syntax& syntax, FactsMemoryArgument& argument) {
  syntax.text("--memory", "SIZE", argument.given,
              "Facts over time: refuse those that will take more, such\nas 2G (default: what is "
              "free)");
}

std::vector<std::string> SettingsArgument::all() const {
  std::vector<std::string> out = set;
  if (!seed.empty()) out.push_back("seed=" + seed);
  return out;
}

void add_settings(Syntax& syntax, SettingsArgument& argument) {
  syntax.texts("--set", "NAME=VALUE", argument.set, "A setting; may be given several times");
  syntax.text("--seed", "N", argument.seed, "The same as --set seed=N");
}

void add_list(Syntax& syntax, const std::string& name, std::vector<std::string>& target,
              const std::string& doc) {
  syntax.texts(name, "A,B,...", target, doc);
}

std::filesystem::path WorkArguments::store_path(const std::string& protocol_name) const {
  return kept_store(store, protocol_name);
}

ExecuteOptions WorkArguments::execute_options() const {
  ExecuteOptions options;
  options.jobs = jobs;
  options.memory_bytes = memory.empty() ? 0 : parse_size("--memory", memory);
  options.retry = retry_failed;
  options.shard = parse_shard(shard);
  if (timeout > 0) options.timeout_seconds = timeout;
  return options;
}

void add_protocol(Syntax& syntax, WorkArguments& arguments) {
  syntax.required("PROTOCOL", arguments.protocol, "Name or path of a protocol");
  syntax.group("What is done");
  add_list(syntax, "--datasets", arguments.datasets, "Only these data sets: names or paths");
  add_list(syntax, "--models", arguments.models, "Only these rows of the tables");
}

void add_work(Syntax& syntax, WorkArguments& arguments) {
  syntax.group("How")
      .flag("--dry-run", arguments.dry_run, "Only show what would be run and how long it takes")
      .count("--jobs", arguments.jobs, "Runs at a time (default: one per processor)")
      .text("--memory", "SIZE", arguments.memory,
            "Limit of all runs together, such as 2G (default: 4/5\nof what is free)")
      .seconds("--timeout", arguments.timeout, "Limit of one run, instead of the protocol's")
      .flag("--retry-failed", arguments.retry_failed, "Do failed and timed-out runs again")
      .text("--shard", "I/N", arguments.shard, "Do part I of N, I from 1 to N; `cupel merge` joins")
      .group("Where")
      .text("--store", "FILE", arguments.store, "Results go here (default: PROTOCOL.sqlite)");
  add_data(syntax, arguments.data);
  add_json(syntax, arguments.json);
}

}  // namespace cupel::cli
