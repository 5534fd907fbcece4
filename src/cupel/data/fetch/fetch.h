// Getting a data set's files from where its recipe says they are: verified, resumable, never a
// prompt.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cupel/data/catalog/catalog.h"

namespace cupel {

struct FetchOptions {
  bool offline = false;              // use what is there, open no connection
  bool allow_loopback_http = false;  // http:// to this machine only; otherwise https:// alone
  std::chrono::milliseconds connect_timeout{15'000};
  std::chrono::seconds stall_timeout{30};  // this long below `slowest` ends an attempt
  std::int64_t slowest = 100;              // bytes per second
  std::chrono::milliseconds file_timeout{2 * 3600 * 1000};  // one file, all mirrors and waiting
  std::chrono::milliseconds retry_delay{1'000};
  int idle_attempts = 2;  // on a mirror that gives no new byte, before the next one is tried
  std::int64_t max_bytes = std::int64_t{2} << 30;  // of a file whose size the recipe does not know
  int max_redirects = 5;
};

struct FetchProgress {
  // Waiting: another process fetches the same data set.
  enum class Stage { kWaiting, kDownloading, kVerifying };
  Stage stage = Stage::kDownloading;
  std::string file, mirror;
  std::int64_t done = 0, total = 0;  // bytes; total 0 while unknown
};
// Called from the fetching thread, often. Returning false ends the fetch with an Error; what was
// downloaded is kept for the next time.
using FetchCallback = std::function<bool(const FetchProgress&)>;

struct FetchedFile {
  std::filesystem::path path;
  std::string mirror;  // "" if the file was there already
  std::int64_t bytes = 0;
};

// Makes `folder`/<recipe name>/ hold the recipe's files, verified: by SHA-256 where the recipe has
// it, else by reading the data set and comparing content hash and facts. Files appear whole or not
// at all (downloaded in `folder`/.fetch/, synced, renamed); processes that fetch the same wait for
// each other. A file that is there and good is left alone; one that is there and bad is never
// overwritten. Throws Error: every mirror and why it failed, offline and absent, no mirror,
// cancelled.
std::vector<FetchedFile> fetch(const Recipe& recipe, const std::filesystem::path& folder,
                               const FetchOptions& options = {},
                               const FetchCallback& callback = {});

struct MirrorCheck {
  std::string file, mirror;
  bool ok = false;
  std::int64_t bytes = 0;  // the file's size as the mirror tells it, 0 if it does not
  std::string problem;     // "" if ok
};

// Asks every mirror for the file's first byte. Throws Error only if offline.
[[nodiscard]] std::vector<MirrorCheck> check_mirrors(const Recipe& recipe,
                                                     const FetchOptions& options = {});

}  // namespace cupel
