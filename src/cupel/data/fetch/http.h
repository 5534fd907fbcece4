// One download attempt over HTTP(S), on libcurl. Knows nothing of recipes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace cupel::http {

struct Limits {
  bool allow_loopback_http = false;
  std::chrono::milliseconds connect_timeout, total_timeout;
  std::chrono::seconds stall_timeout;
  std::int64_t slowest;    // bytes per second
  std::int64_t max_bytes;  // of the whole file
  int max_redirects;
};

enum class Outcome {
  kDone,       // the body ended as announced
  kCut,        // ended early, stalled or a passing fault of the server: worth another attempt
  kFailed,     // this URL will not give the file
  kCancelled,  // by the callback
};

struct Result {
  Outcome outcome = Outcome::kFailed;
  std::string problem;    // "" if done
  std::int64_t size = 0;  // bytes in the part file (get), size of the whole file if told (probe)
  bool resumed = false;   // the body continued what the part file held before
};

// (bytes so far, bytes in total or 0) -> go on?
using Progress = std::function<bool(std::int64_t, std::int64_t)>;

// Downloads `url` into `part`, continuing what an earlier attempt on the same URL left there (a
// note `part`.from remembers URL and version). If the server ignores the range, the part starts
// anew. The finished part is synced to disk. Throws Error only if `part` cannot be written.
[[nodiscard]] Result get(const std::string& url, const std::filesystem::path& part,
                         const Limits& limits, const Progress& progress);

// Asks for the first byte.
[[nodiscard]] Result probe(const std::string& url, const Limits& limits);

// Removes a part file and its note.
void discard(const std::filesystem::path& part);

}  // namespace cupel::http
