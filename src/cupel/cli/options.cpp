#include "cupel/cli/options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

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
    constexpr int kMostShards = 1'000'000;
    if (count && *count > kMostShards)
      fail("--shard: {} parts are too many; {} is the most", *count, kMostShards);
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

void add_data(Syntax& syntax, DataArgument& argument) {
  syntax.text("--data", "DIR", argument.given,
              "Folder of data sets (default: $CUPEL_DATA, else the\nuser's cache folder)");
}

void add_json(Syntax& syntax, bool& json) {
  syntax.flag("--json", json, "Print JSON instead of text");
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
  // An empty variable of a script must not mean everything.
  if (!given.empty() && out.empty())
    fail("a list of names is empty ('{}'); name something, or leave the option out to take all",
         given.front());
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
