#include "cupel/judge/report/plain_key.h"

#include <algorithm>

#include "cupel/base/hash.h"

namespace cupel::report {
namespace {

constexpr std::size_t kLongest = 200;  // of 255 that file systems take, and MLflow's 250
constexpr std::size_t kHash = 8;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || is_upper(c) || c == '_' || c == '-' ||
         c == '.';
}

std::string cut(const std::string& key, const std::string& text) {
  return key.substr(0, kLongest - kHash - 1) + "_" + sha256(text).substr(0, kHash);
}

}  // namespace

std::string plain_key(const std::string& text) {
  std::string out;
  for (const char c : text) out += is_plain(c) ? c : '_';
  return out.size() <= kLongest ? out : cut(out, text);
}

std::string file_stem(const std::string& text) {
  std::string key = plain_key(text);
  if (key.starts_with('.')) key[0] = '_';  // no hidden file
  const bool itself = !key.empty() && key == text && std::ranges::none_of(key, is_upper);
  return itself ? key : cut(key, text);
}

}  // namespace cupel::report
