// JSON files of many objects, one at a time: a list of them, or one after the other (JSON Lines).
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cupel/data/formats/file_bytes.h"

namespace cupel {

// Reads a file once, front to back, plain or compressed; a byte-order mark is skipped. Strict: RFC
// 8259, UTF-8, no key twice in an object.
// Memory: a few MiB and twenty times the longest object, which may have 16 MiB and be 16 deep.
// Not thread-safe.
class JsonObjects {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 24;
  static constexpr int kDeepest = 16;

  // Throws Error if the file cannot be opened.
  explicit JsonObjects(const std::filesystem::path& path, ReadProgress progress = {});

  // The next object, in place of what `out` held; false at the end. Throws Error naming file and
  // line where the file is cut off, no JSON, or holds something else than objects.
  bool next(nlohmann::json& out);

  std::uint64_t line() const { return first_line_; }  // where the object begins, from 1
  std::string place() const;                          // "FILE: line 7"
  // Throws Error "FILE: line N: MESSAGE" of the object.
  [[noreturn]] void fail_here(std::string_view message) const;

  const std::string& name() const { return bytes_.name(); }
  std::uint64_t file_bytes() const { return bytes_.file_bytes(); }
  const std::string& sha256() const { return bytes_.sha256(); }  // when next() was false

 private:
  bool fill();        // false at the end
  char peek_solid();  // the next byte that is not blank; '\0' at the end
  bool begin();
  void take_text();
  void parse(nlohmann::json& out) const;
  [[noreturn]] void fail_at(std::uint64_t line, std::string_view message) const;

  FileBytes bytes_;
  std::string_view block_;
  std::string text_;  // of the object
  std::uint64_t line_ = 1, first_line_ = 1;
  bool begun_ = false, list_ = false, first_ = true, done_ = false;
};

// The value as a text: of a text itself, of a whole number its digits, of null or no value nothing.
// Throws Error of `where` and the key for anything else.
[[nodiscard]] std::string json_field(const nlohmann::json& object, const char* key,
                                     const JsonObjects& where);

}  // namespace cupel
