// The bytes of a file, unpacked where it is compressed, hashed while they are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cupel/base/parallel.h"
#include "cupel/data/formats/byte_source.h"
#include "cupel/data/formats/hashed_file.h"

namespace cupel {

// How far a reader came, for errors that say "after line 7".
using ReadPlace = std::function<std::string()>;

// Reads a file once, front to back. Compression is recognised by the first bytes: gzip (1f 8b) of
// one or several members, bzip2 ("BZh" and a digit from 1 to 9) of one or several streams; anything
// else is given as it is. Checksums are verified, a file that is cut off, damaged or followed by
// something else is refused, and so is one that grows too much (claims.h), for bzip2 counted from
// the end of the block that is unpacked.
//
// Blocks of bzip2 are unpacked on `threads` (the caller's among them, at most 64), ahead of the
// reader, whatever stream they are in. The blocks that next() gives, and errors and their place,
// are the same on any number of threads.
// Memory: 3 MiB; of bzip2 6 MiB more on one thread and 11 MiB for each of several, whatever the
// file claims: a block that becomes very large (up to 46 MB) is unpacked as it is read.
// Not thread-safe. `progress` and `place` are called on the caller's thread.
class FileBytes final : public ByteSource {
 public:
  // Throws Error if the file cannot be opened. `place` says in errors how far the reader came, by
  // default "N bytes of text".
  FileBytes(const std::filesystem::path& path, Threads threads, ReadProgress progress = {},
            ReadPlace place = {});
  ~FileBytes() override;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  // Throws Error naming the file and how far it was read. After an error, nothing may be read.
  bool next(std::string_view& block) override;
  const std::string& name() const override;  // of the file, as given

  std::uint64_t file_bytes() const;  // on disk
  std::uint64_t text_bytes() const;  // unpacked and given so far
  // SHA-256 of the file as it lies on disk. Requires that next() has returned false.
  [[nodiscard]] const std::string& sha256() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cupel
