// The folder of a session of an external program: made safely, read safely, and gone with us.
//
//   TMPDIR/cupel-task-XXXXXX/   ours alone (0700)
//     lock                      locked (flock) while we live
//     task.npz                  what is the same for all runs
//     run/                      what the program gets, fresh for every run
//
// The program may fill `run` with whatever it likes, so nothing in there is opened through a link,
// and nothing but regular files is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cupel/lab/isolation/locked_folder.h"

namespace cupel {

// Used by one thread.
class TaskFolder {
 public:
  TaskFolder();  // throws Error if none can be made
  ~TaskFolder();
  TaskFolder(const TaskFolder&) = delete;
  TaskFolder& operator=(const TaskFolder&) = delete;

  const std::filesystem::path& path() const { return home_.path(); }  // absolute
  std::filesystem::path run() const { return path() / "run"; }

  // An empty `run`, another than before: who still holds the old one holds nothing. Throws Error.
  void renew();
  // Empties `run`, which stays the folder that it is: for a program that has it open and is between
  // two runs. Throws Error.
  void clear();
  // A new file of `run`. Throws Error, also if the name is taken.
  void write(const char* name, const std::string& text);
  // Copies a file that lies beside `run` into it. Throws Error.
  void copy_in(const char* name);
  // The same while the program is at work there. Throws Error; the message is about the program, as
  // whatever keeps the file from being made there is its doing.
  void put(const char* name);
  // Whether anything in `run` has this name.
  bool has(const char* name) const;
  // Removes a file, if it is there: beside `run`, and in it. Throws nothing.
  void remove(const char* name);
  // What a file of `run` holds; nothing if it is not there. Throws Error for anything but a regular
  // file, and for one of more than `most` bytes, before any of it is read.
  std::optional<std::string> read(const char* name, std::int64_t most) const;
  // Disk that `run` takes, in bytes; more than `most` as soon as it is beyond it, or has too many
  // files to count. From any thread.
  std::int64_t size(std::int64_t most) const;

 private:
  LockedFolder home_;
  int run_ = -1;
};

}  // namespace cupel
