// The bytes of a MAT-file, taken from the front, plain or unpacked on the way.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/data/formats/file.h"

namespace cupel {

// A range of a file, of which next() takes pieces. Not thread-safe. Errors name the file and the
// position in it.
class MatBytes {
 public:
  MatBytes(const InputFile& file, std::uint64_t begin, std::uint64_t end, bool compressed);
  ~MatBytes();
  MatBytes(const MatBytes&) = delete;
  MatBytes& operator=(const MatBytes&) = delete;

  // The most bytes that can follow: deflate makes at most 1032 bytes of one.
  std::uint64_t most_left() const;
  std::uint64_t taken() const { return taken_; }
  // Exactly `size` bytes, which grow as they come.
  std::vector<char> next(std::uint64_t size);
  void skip(std::uint64_t size);
  [[noreturn]] void fail_here(const std::string& what) const;

 private:
  void fill(char* out, std::size_t size);

  const InputFile& file_;
  std::uint64_t begin_, at_, end_, taken_ = 0;
  bool compressed_;
  z_stream inflater_ = {};
  std::vector<unsigned char> input_;
};

}  // namespace cupel
