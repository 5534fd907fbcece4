// What is half-written, so that it goes when the program is ended.
#pragma once

#include <filesystem>

namespace cupel {

// Names a temporary file, or a folder with all that is in it, that means nothing once its writer is
// gone. The writer removes it itself, on success and on failure; this is for the end that comes by
// a signal in between. Up to 64 at a time are known; more are not, and paths of 4096 bytes or more
// are not. Thread-safe.
class Leftover {
 public:
  explicit Leftover(const std::filesystem::path& path);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

 private:
  int slot_;  // -1: not known
};

// Removes everything that is named, without following links, and returns how many there were.
// For signal handlers: makes system calls and nothing else. No writer can go on after it.
int remove_leftovers() noexcept;

}  // namespace cupel
