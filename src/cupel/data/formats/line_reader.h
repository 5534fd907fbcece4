// Lines of text files of any size, plain or compressed, hashed while they are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "cupel/data/formats/hashed_file.h"

namespace cupel {

// Reads a file once, front to back. Compression (gzip, bzip2) is recognised by content; several
// gzip members or bzip2 streams in a row are one text, checksums are verified, and a text that
// grows too much is refused (claims.h). Memory: that of FileBytes on one thread and the longest
// line, which may have 16 MiB. Not thread-safe; errors name the file and the line.
class LineReader {
 public:
  // Throws Error if the file cannot be opened.
  explicit LineReader(const std::filesystem::path& path, ReadProgress progress = {});
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end (LF or CR LF), valid until the next call; a byte-order mark
  // before the first one is skipped. False at the end of the file. Throws Error if the file cannot
  // be read, is damaged or cut off (where compressed), or a line is too long.
  bool next(std::string_view& line);

  const std::string& name() const;    // of the file, as given
  std::uint64_t line_number() const;  // of the line last returned, from 1
  std::uint64_t text_bytes() const;   // unpacked so far
  // Whether the line last returned had no line end, as the last one of a text may.
  bool ends_within_line() const;
  // Throws Error "FILE: line N: MESSAGE".
  [[noreturn]] void fail_here(std::string_view message) const;

  std::uint64_t file_bytes() const;
  // SHA-256 of the file as it lies on disk. Requires that next() has returned false.
  [[nodiscard]] const std::string& sha256() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cupel
