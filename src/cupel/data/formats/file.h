// Reading at any position of a regular file, and replacing a file as a whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cupel/base/leftovers.h"

namespace cupel {

// An open regular file. Reads do not share a position, so many threads may read.
class InputFile {
 public:
  // Throws Error if there is no such file, it is no regular file, or it may not be read.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }  // as given, for messages
  // Exactly `size` bytes from `offset`. Throws Error if the file ends before.
  void read(std::uint64_t offset, void* out, std::size_t size) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// The whole file. Throws Error as InputFile does.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

// Writes to a temporary file beside `path`; commit() makes it durable and renames it. Without
// commit, or if a signal ends the program, the temporary file is removed and `path` is as before.
// Throws Error on every failed write.
class OutputFile {
 public:
  // Throws Error too if something that is no regular file is there.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);
  std::uint64_t written() const { return written_; }
  void commit();

 private:
  [[noreturn]] void fail_with_errno(const char* what) const;

  std::filesystem::path path_, temporary_;
  std::optional<Leftover> leftover_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
};

}  // namespace cupel
