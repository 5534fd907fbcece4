// A file that is read once, front to back, hashed and told of on the way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cupel/base/hash.h"
#include "cupel/data/formats/file.h"

namespace cupel {

// Told now and then how many of a file's bytes have been read.
using ReadProgress = std::function<void(std::uint64_t done, std::uint64_t size)>;

// Not thread-safe, but any thread may read from file() at any place.
class HashedFile {
 public:
  // Throws Error if the file cannot be opened.
  HashedFile(const std::filesystem::path& path, ReadProgress progress);

  const InputFile& file() const { return file_; }
  const std::string& name() const { return file_.name(); }
  std::uint64_t size() const { return file_.size(); }
  std::uint64_t done() const { return done_; }
  // The next bytes, at most `most` of them; 0 at the end.
  std::size_t read(void* out, std::size_t most);
  // SHA-256 of the whole file. Requires that all of it has been read; once.
  [[nodiscard]] std::string sha256();

 private:
  InputFile file_;
  ReadProgress progress_;
  Hasher hasher_;
  std::uint64_t done_ = 0;
};

}  // namespace cupel
