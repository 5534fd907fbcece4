#include "cupel/cli/options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <CLI/CLI.hpp>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"

namespace cupel::cli {
namespace {

// A number that fills the whole of `text`.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

CLI::Validator count_validator() {
  constexpr int kMost = 1'000'000'000;
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const auto value = number<long long>(text);
        if (value && *value >= 1 && *value <= kMost) return {};
        return fmt::format("'{}' is not a whole number of 1 or more", text);
      },
      "");
}

CLI::Validator seconds_validator() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const auto value = number<double>(text);
        if (value && std::isfinite(*value) && *value > 0) return {};
        return fmt::format("'{}' is not a number of seconds above 0", text);
      },
      "");
}

// "2G", "512M", "1.5 GiB" -> bytes.
std::size_t parse_size(const std::string& option, const std::string& text) {
  std::size_t at = 0;
  while (at < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.'))
    ++at;
  const auto value = number<double>(std::string_view(text).substr(0, at));
  std::string unit;
  for (const char c : text.substr(at)) {
    if (c != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  static const std::vector<std::pair<std::string, double>> kUnits = {
      {"", 1},         {"B", 1},       {"K", 0x1p10},   {"KB", 0x1p10}, {"KIB", 0x1p10},
      {"M", 0x1p20},   {"MB", 0x1p20}, {"MIB", 0x1p20}, {"G", 0x1p30},  {"GB", 0x1p30},
      {"GIB", 0x1p30}, {"T", 0x1p40},  {"TB", 0x1p40},  {"TIB", 0x1p40}};
  const auto found = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const auto& known) { return known.first == unit; });
  if (!value || found == kUnits.end() || !(*value * found->second >= 1) ||
      *value * found->second > 0x1p60)
    fail("{}: '{}' is not a size such as 512M or 2G", option, text);
  return static_cast<std::size_t>(*value * found->second);
}

Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const auto index = number<int>(std::string_view(text).substr(0, slash));
    const auto count = number<int>(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return {*index - 1, *count};
  }
  fail("--shard: '{}' is not a part such as 1/4 (the first of four) to 4/4 (the last)", text);
}

}  // namespace

std::filesystem::path DataArgument::folder() const {
  if (given.empty()) return data_folder(std::nullopt);
  std::error_code error;
  if (!std::filesystem::is_directory(given, error)) fail("--data: there is no folder '{}'", given);
  return data_folder(given);
}

CLI::Option* add_data(CLI::App& app, DataArgument& argument) {
  return app
      .add_option("--data", argument.given,
                  "Folder of data sets (default: $CUPEL_DATA, else the\nuser's cache folder)")
      ->type_name("DIR");
}

CLI::Option* add_json(CLI::App& app, bool& json) {
  return app.add_flag("--json", json, "Print JSON instead of text");
}

CLI::Option* add_count(CLI::App& app, const std::string& name, int& target,
                       const std::string& doc) {
  return app.add_option(name, target, doc)->check(count_validator())->type_name("N");
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& doc) {
  return app.add_option(name, target, doc)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("A,B,...");
}

std::vector<std::string> split_list(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    bool settings = false;  // the last piece was a generator with settings
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string piece = text.substr(begin, end - begin);
      begin = end + 1;
      const bool setting =
          piece.find('=') != std::string::npos && piece.find(':') == std::string::npos;
      if (settings && setting) {
        out.back() += "," + piece;
        continue;
      }
      settings = piece.find(':') != std::string::npos && piece.find('/') == std::string::npos;
      if (!piece.empty()) out.push_back(piece);
    }
  }
  return out;
}

std::filesystem::path WorkArguments::store_path(const std::string& protocol_name) const {
  return store.empty() ? protocol_name + ".sqlite" : store;
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

void add_protocol(CLI::App& app, WorkArguments& arguments) {
  app.add_option("PROTOCOL", arguments.protocol, "Name or path of a protocol")
      ->required()
      ->type_name("");
  const char* group = "What is done";
  add_list(app, "--datasets", arguments.datasets, "Only these data sets: names or paths")
      ->group(group);
  add_list(app, "--models", arguments.models, "Only these rows of the tables")->group(group);
}

void add_work(CLI::App& app, WorkArguments& arguments) {
  const char* how = "How";
  app.add_flag("--dry-run", arguments.dry_run, "Only show what would be run and how long it takes")
      ->group(how);
  add_count(app, "--jobs", arguments.jobs, "Runs at a time (default: one per processor)")
      ->group(how);
  app.add_option("--memory", arguments.memory,
                 "Limit of all runs together, such as 2G (default: 4/5\nof what is free)")
      ->type_name("SIZE")
      ->group(how);
  app.add_option("--timeout", arguments.timeout, "Limit of one run, instead of the protocol's")
      ->check(seconds_validator())
      ->type_name("SECONDS")
      ->group(how);
  app.add_flag("--retry-failed", arguments.retry_failed, "Do failed and timed-out runs again")
      ->group(how);
  app.add_option("--shard", arguments.shard, "Do part I of N, I from 1 to N; `cupel merge` joins")
      ->type_name("I/N")
      ->group(how);
  app.add_option("--store", arguments.store, "Results go here (default: PROTOCOL.sqlite)")
      ->type_name("FILE")
      ->group("Where");
  add_data(app, arguments.data)->group("Where");
  add_json(app, arguments.json)->group("Where");
}

}  // namespace cupel::cli
