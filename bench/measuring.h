// What programs that measure share.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "cupel/base/error.h"

namespace cupel::bench {

// Of this process, all threads together.
inline double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// FOLDER/NAME.bin, for other programs to read; nothing if there is no folder. Throws Error.
template <class Values>
void write_array(const std::string& folder, const std::string& name, const Values& values) {
  if (folder.empty()) return;
  const std::string path = folder + "/" + name + ".bin";
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(values[0])));
  if (!file) fail("{}: cannot be written", path);
}

// The exit code of a program that does `body`.
template <class Body>
int exit_code_of(const Body& body) {
  try {
    body();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
  return 0;
}

}  // namespace cupel::bench
