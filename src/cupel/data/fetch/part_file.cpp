#include "cupel/data/fetch/part_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "cupel/base/error.h"

namespace cupel::http {

std::filesystem::path note_of(std::filesystem::path part) { return part += ".from"; }

Note read_note(const std::filesystem::path& part) {
  Note note;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(note_of(part), ignored)) return note;
  std::ifstream file(note_of(part));
  std::getline(file, note.url);
  std::getline(file, note.validator);
  return note;
}

bool write_note(const std::filesystem::path& part, const Note& note) {
  std::ofstream file(note_of(part), std::ios::trunc);
  file << note.url << '\n' << note.validator << '\n';
  return static_cast<bool>(file.flush());
}

PartFile::PartFile(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail("{} cannot be written: {}", path.string(), std::strerror(errno));
}

PartFile::~PartFile() { close(descriptor_); }

std::int64_t PartFile::size() const { return lseek(descriptor_, 0, SEEK_END); }

bool PartFile::truncate() { return ftruncate(descriptor_, 0) == 0; }

bool PartFile::append(const char* data, std::size_t size) {
  lseek(descriptor_, 0, SEEK_END);
  while (size > 0) {
    const ssize_t written = write(descriptor_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

void PartFile::sync() {
  if (fsync(descriptor_) != 0) {
    fail("{} cannot be written to disk: {}", path_.string(), std::strerror(errno));
  }
}

}  // namespace cupel::http
