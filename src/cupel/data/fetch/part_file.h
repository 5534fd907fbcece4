// What a download has on disk while it goes on: the part that is there, and a note of what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace cupel::http {

// What the part file is a part of: its URL, and a validator of the version ("" if the server gave
// none).
struct Note {
  std::string url, validator;
};

// Where the note of a part lies.
[[nodiscard]] std::filesystem::path note_of(std::filesystem::path part);
// Empty if there is none.
[[nodiscard]] Note read_note(const std::filesystem::path& part);
// false, with errno, if it cannot be written.
[[nodiscard]] bool write_note(const std::filesystem::path& part, const Note& note);

// A file that is made if it is not there, and grows at its end. Not thread-safe.
class PartFile {
 public:
  // Throws Error if it cannot be opened for writing.
  explicit PartFile(const std::filesystem::path& path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  [[nodiscard]] std::int64_t size() const;
  // These two: false, with errno, if it could not be done.
  [[nodiscard]] bool truncate();
  [[nodiscard]] bool append(const char* data, std::size_t size);
  // Throws Error if what was written does not reach the disk.
  void sync();

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace cupel::http
