// A recipe of one file, a server of this machine that has it, and a folder where it is fetched to.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/fetch/fetch.h"
#include "data/fetch/local_server.h"
#include "temp_folder.h"

namespace cupel {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Fetch : public testing::Test {
 protected:
  Fetch() {
    for (int i = 0; i < 300'000; ++i) body_ += static_cast<char>((i * 2654435761u) >> 24);
    options_.allow_loopback_http = true;
    options_.retry_delay = 1ms;
    options_.connect_timeout = 2s;
    options_.stall_timeout = 1s;
    options_.file_timeout = 20s;
    options_.max_bytes = 1'000'000;
    recipe_.name = "made";
    recipe_.files = {{"made.npz", sha256(body_), 0, {}}};
  }

  // Serves `handler` as the next mirror.
  void mirror(const std::string& path, LocalServer::Handler handler) {
    server_.on(path, std::move(handler));
    recipe_.files[0].mirrors.push_back(server_.url(path));
  }
  void good_mirror(const std::string& path) {
    mirror(path, [this](const Exchange& e, int) { serve(e, body_, "\"v1\""); });
  }
  fs::path target() const { return folder_ / "made" / "made.npz"; }
  std::string error() {
    try {
      fetch(recipe_, folder_, options_);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  // Nothing but the lock may stay behind a finished fetch.
  void expect_clean() {
    EXPECT_FALSE(fs::exists(folder_ / ".fetch" / "made"));
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "made")) files += entry.exists();
    EXPECT_EQ(files, 1);
  }

  const TempFolder temp_;
  fs::path folder_ = temp_.path();
  std::string body_;
  FetchOptions options_;
  Recipe recipe_;
  LocalServer server_;
};

#define EXPECT_CONTAINS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "'" << (part) << "' is not in: " << (text)

}  // namespace cupel
