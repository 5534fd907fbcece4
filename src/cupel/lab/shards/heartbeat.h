// Who is at a shard, for machines that share nothing but a folder: each worker keeps a small file
// beside the stores, PLAN.I-of-N.ATTEMPT.heartbeat, and touches it while it lives.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "cupel/base/leftovers.h"

namespace cupel {

class Heartbeat {
 public:
  // `path` says whose it is (shard_folder.h); its file is made now, and touched twice a minute by a
  // thread. Throws Error if it cannot be written.
  explicit Heartbeat(std::filesystem::path path);
  // Removes the file, as do signals that end the process (leftovers.h).
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  std::filesystem::path path_;
  std::optional<Leftover> leftover_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread beating_;  // last, so that it ends first
};

// The machine whose worker keeps the file `path`, or nothing if its worker is gone: not touched for
// three minutes, by clocks that should agree to a minute, or a process that would be seen from
// here if it lived. Nothing for what is no such file. Thread-safe.
[[nodiscard]] std::optional<std::string> living_machine(const std::filesystem::path& path);

}  // namespace cupel
