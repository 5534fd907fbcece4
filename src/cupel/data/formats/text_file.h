// Text that is written piece by piece.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "cupel/data/formats/file.h"

namespace cupel {

// A file that appears whole. Not thread-safe. Throws Error if it cannot be written.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path) : file_(path) {}
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kBlock) flush();
  }
  void finish() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  OutputFile file_;
  std::string buffer_;
};

// As one field of a csv: in double quotes, each inside doubled.
[[nodiscard]] inline std::string csv_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace cupel
