// Stores as files: filled, read, and looked at from outside.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "cupel/lab/store/store.h"
#include "lab/store/store_samples.h"

namespace cupel::made {

// Names, contents and times of change of a folder's files.
inline std::map<std::string, std::string> state_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf()
         << entry.last_write_time().time_since_epoch().count();
    out[entry.path().filename().string()] = text.str();
  }
  return out;
}

inline void fill(const std::filesystem::path& path) {
  Store store(path);
  for (int split = 0; split < 5; ++split) store.put(family(), split, 0, sample_run(0.5));
}

inline void read_all(const std::filesystem::path& path) {
  const Store store(path, Store::Mode::kOpen);
  EXPECT_EQ(store.runs(family_id()).size(), 5u);
  EXPECT_TRUE(store.faults().empty());
  store.check_integrity();
}

// Runs as a user who may write nowhere: root may everywhere.
inline int as_nobody(const std::function<void()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(9);
    try {
      action();
    } catch (const std::exception& error) {
      [[maybe_unused]] const auto written =
          ::write(2, error.what(), std::string(error.what()).size());
      ::_exit(1);
    }
    ::_exit(::testing::Test::HasFailure() ? 2 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace cupel::made
