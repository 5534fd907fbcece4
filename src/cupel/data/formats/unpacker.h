// Ways of unpacking a file; what FileBytes chooses from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cupel/base/parallel.h"
#include "cupel/data/formats/file_bytes.h"
#include "cupel/data/formats/hashed_file.h"

namespace cupel {

// Bytes to read from disk, or to hand on, at once. A small file needs no large memory.
std::size_t piece_size(std::uint64_t text_at_most);

class Unpacker {
 public:
  Unpacker(HashedFile& file, ReadPlace place) : file_(file), place_(std::move(place)) {}
  virtual ~Unpacker() = default;

  // The next bytes, "" at the end, when all of the file has been read. Throws Error if it is
  // damaged.
  virtual std::string_view next() = 0;
  // Bytes of the file that everything so far was made of, to hold its size against.
  virtual std::uint64_t packed() const = 0;
  virtual const char* way_out() const = 0;

 protected:
  [[noreturn]] void fail_cut_off() const;
  [[noreturn]] void fail_damaged(const char* format, std::string_view reason) const;

  HashedFile& file_;
  ReadPlace place_;
};

std::unique_ptr<Unpacker> unpack_gzip(HashedFile& file, const ReadPlace& place);
std::unique_ptr<Unpacker> unpack_bzip2(HashedFile& file, const ReadPlace& place, Threads threads);

}  // namespace cupel
