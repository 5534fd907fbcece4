// One block of a bzip2 stream, unpacked by itself from its first bit on.
#pragma once

#include <bzlib.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>

#include "cupel/data/formats/file.h"

namespace cupel {

// A block says nowhere how long it is. It is given to libbz2 as the first of a stream, at the bit
// where it begins, with what follows it in the file; how much libbz2 takes before it has all codes
// says where the block ends.
//
// decode() is for one thread, any, and next() after it for another; stop() for all at all times.
// Memory: 4 MiB while there is text that next() has not unpacked, and a piece of text of 1 MiB.
class Bzip2Block {
 public:
  enum class Outcome { kGood, kCutOff, kBadCodes, kBadChecksum, kStopped };

  // At `bit` of the file is kBzip2Block; `level`, 1 to 9, is that of its stream.
  Bzip2Block(const InputFile& file, std::uint64_t bit, int level);
  ~Bzip2Block();
  Bzip2Block(const Bzip2Block&) = delete;
  Bzip2Block& operator=(const Bzip2Block&) = delete;

  std::uint64_t bit() const { return bit_; }
  int level() const { return level_; }

  // Reads all codes and unpacks the first piece. What goes wrong is kept for next().
  void decode() noexcept;
  // Has decode() end soon; its outcome is kStopped then.
  void stop() noexcept { stopped_ = true; }

  // The next piece of its text, valid until the next call; "" at its end and where the outcome is
  // not good. Throws Error if the file could not be read, or memory was short.
  std::string_view next();
  Outcome outcome() const { return outcome_; }
  // Its last bit is one of the 8 before this one.
  std::uint64_t end_bit() const { return end_bit_; }

 private:
  struct Input;

  Outcome read_codes();
  void unpack();
  void close();

  const InputFile& file_;
  std::uint64_t bit_ = 0, end_bit_ = 0;
  int level_ = 0;
  std::atomic<bool> stopped_ = false;
  Outcome outcome_ = Outcome::kGood;
  std::exception_ptr problem_;
  bz_stream stream_{};  // libbz2 keeps its address
  bool open_ = false;
  std::unique_ptr<char[]> text_;
  std::size_t text_size_ = 0;  // unpacked and not yet given
};

}  // namespace cupel
