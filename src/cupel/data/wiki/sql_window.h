// The text of a dump as a window that moves and grows, so that scanning needs no look at its end.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/data/formats/byte_source.h"

namespace cupel {

// [at, end) is text that was read and not yet passed. Behind it stand kPadding bytes that are no
// text: first a NUL, at which numbers and words stop, then a quote, at which strings do. Memory:
// what is asked for and a block of the source, and while it grows what it had. Not thread-safe.
class SqlWindow {
 public:
  static constexpr std::size_t kPadding = 64;

  explicit SqlWindow(ByteSource& source);
  SqlWindow(const SqlWindow&) = delete;
  SqlWindow& operator=(const SqlWindow&) = delete;

  // Reads on until the window has `least` bytes or the text ends; false if it got no longer.
  // Pointers into the window are void then. Throws what the source throws.
  bool grow(std::size_t least);

  std::size_t size() const { return static_cast<std::size_t>(end - at); }
  std::uint64_t position() const { return read_ - size(); }  // of `at`: bytes of text before it
  const std::string& name() const { return source_.name(); }

  char* at;  // moved by the reader, never beyond end
  char* end;

 private:
  ByteSource& source_;
  std::vector<char> text_;
  std::uint64_t read_ = 0;
  bool ended_ = false;
};

}  // namespace cupel
