// What a program writes to pipes, taken as it comes. Reading never blocks.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "cupel/lab/isolation/process.h"

namespace cupel {

// The end of what is written to a pipe.
class Tail {
 public:
  // Takes what is there now. False: nothing was.
  bool take(int pipe) {
    char block[1 << 16];
    const ssize_t got = ::read(pipe, block, sizeof block);
    if (got == 0) closed_ = true;
    if (got <= 0) return false;
    add({block, static_cast<std::size_t>(got)});
    return true;
  }
  void add(std::string_view text) {
    text_.append(text);
    if (text_.size() > 2 * kOutputBytes) text_.erase(0, text_.size() - kOutputBytes);
  }
  bool closed() const { return closed_; }
  std::string text() const {
    return text_.size() > kOutputBytes ? text_.substr(text_.size() - kOutputBytes) : text_;
  }

 private:
  std::string text_;
  bool closed_ = false;
};

// Lines that come in pieces.
class Lines {
 public:
  // Takes what is there now and calls take(line) for each line of it that ends. False: nothing was.
  template <class Take>
  bool take(int pipe, Tail& said, const Take& take) {
    char block[1 << 12];
    const ssize_t got = ::read(pipe, block, sizeof block);
    if (got == 0) closed_ = true;
    if (got <= 0) return false;
    const std::string_view text(block, static_cast<std::size_t>(got));
    said.add(text);
    for (const char c : text) {
      if (c == '\n') {
        take(std::exchange(part_, {}));
      } else if (part_.size() <= kLineBytes) {
        part_ += c;
      }
    }
    return true;
  }
  bool closed() const { return closed_; }

 private:
  std::string part_;
  bool closed_ = false;
};

}  // namespace cupel
