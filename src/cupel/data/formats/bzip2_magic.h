// What tells the parts of a bzip2 stream, which begin at any bit of a file.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/data/formats/file.h"

namespace cupel {

// 48 bits before a block and before the end of a stream. No two of them overlap within 8 bits.
inline constexpr std::uint64_t kBzip2Block = 0x314159265359;
inline constexpr std::uint64_t kBzip2End = 0x177245385090;

// Finds kBzip2Block at every bit of bytes that come piece by piece. In data that are no begin of a
// block it stands by chance, once in 2^48 bits, or because somebody wants it there.
class Bzip2BlockFinder {
 public:
  Bzip2BlockFinder();
  // Appends the bits, counted from the first byte ever given, at which it stands; ascending.
  void find(const unsigned char* data, std::size_t size, std::vector<std::uint64_t>& bits);

 private:
  std::vector<std::uint8_t> place_of_;  // 16 bits that occur within it: where, from 1
  std::vector<unsigned char> joined_;   // the last bytes before, and what was given
  std::uint64_t before_ = 0;            // bytes before joined_
  std::uint64_t least_ = 0;             // bit from which on nothing was found yet
};

// Bits at any place of a file, read through a small buffer. Not thread-safe.
class FileBits {
 public:
  explicit FileBits(const InputFile& file) : file_(file) {}
  std::uint64_t size() const { return 8 * file_.size(); }
  // `count` bits, at most 56, from `bit` on; those behind the end are 0. Throws Error if the file
  // cannot be read.
  std::uint64_t at(std::uint64_t bit, int count);

 private:
  const InputFile& file_;
  std::vector<unsigned char> buffer_;
  std::uint64_t begin_ = 0;  // byte of the file at which the buffer begins
};

}  // namespace cupel
