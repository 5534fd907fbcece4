// Writing a file or a folder as a whole.
#pragma once

#include <filesystem>
#include <functional>

#include "cupel/base/leftovers.h"

namespace cupel {

// A hidden folder beside the target, in which what is written has the target's name until it is
// known to be good. It goes with this object, or with the program; what one that was killed left
// goes when the next such folder is made beside it, where the file system has locks.
class Beside {
 public:
  // Throws Error if nothing can be written there.
  explicit Beside(const std::filesystem::path& target);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Where the file or folder is to be made.
  [[nodiscard]] std::filesystem::path path() const { return folder_ / target_.filename(); }
  // Does `make` with path(). What it throws as an Error names the target, which the user knows.
  void make(const std::function<void(const std::filesystem::path&)>& make) const;
  // Gives it the target's name: a file takes the place of one that is there, a folder that of an
  // empty one. Throws Error if that cannot be done.
  void move() const;
  // The same of a folder that takes the place of one that holds something, which goes with this
  // object. Whoever looks finds the one or the other; only where the file system cannot exchange
  // two names is there none for a moment, and a program that is killed then leaves the old one in
  // a hidden folder beside. Throws Error if that cannot be done; what was there is there then.
  void replace() const;

 private:
  std::filesystem::path target_, folder_;
  Leftover leftover_;
  int lock_ = -1;  // held as long as the folder is ours; -1 where there are no locks
};

// The folder as it is to be made, without a slash at its end. Throws Error if there is something
// already but an empty folder.
[[nodiscard]] std::filesystem::path new_folder(const std::filesystem::path& folder);

// Makes a folder, and those above it, unless they are there. Those that it made are removed again
// with it if they are empty then, as they are when nothing could be written into them.
class NeededFolder {
 public:
  // Throws Error naming the folder and the reason.
  explicit NeededFolder(const std::filesystem::path& folder);
  ~NeededFolder();
  NeededFolder(const NeededFolder&) = delete;
  NeededFolder& operator=(const NeededFolder&) = delete;

 private:
  void remove_empty() const;

  std::filesystem::path innermost_, outermost_;  // of those that it made; empty: none
};

}  // namespace cupel
