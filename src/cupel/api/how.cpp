#include "cupel/api/how.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/lab/shards/frozen_plan.h"

namespace cupel {
namespace {

// A number that fills the whole of `text`.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

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
    if (count && *count > kMostShards)
      fail("--shard: {} parts are too many; {} is the most", *count, kMostShards);
    if (index && count && *index >= 1 && *index <= *count) return {*index - 1, *count};
  }
  fail("--shard: '{}' is not a part such as 1/4 (the first of four) to 4/4 (the last)", text);
}

double parse_duration(const std::string& option, const std::string& text) {
  std::string_view digits = text;
  double unit = 1;
  if (text.ends_with('s') || text.ends_with('m') || text.ends_with('h')) {
    digits.remove_suffix(1);
    unit = text.back() == 'h' ? 3600 : text.back() == 'm' ? 60 : 1;
  }
  const auto value = number<double>(digits);
  if (!value || !(*value > 0) || *value * unit > 1e9)
    fail("{}: '{}' is not a time such as 90s, 20m or 2h", option, text);
  return *value * unit;
}

std::optional<int> parse_shard_count(const std::string& option, const std::string& text) {
  if (text == "auto") return {};
  const auto value = number<int>(text);
  if (!value || *value < 1 || *value > kMostShards)
    fail("{}: '{}' is neither auto nor a number from 1 to {}", option, text, kMostShards);
  return value;
}

}  // namespace cupel
