// A folder with the small protocol, and the stores that come of it.
#pragma once

#include <chrono>
#include <thread>

#include "cli/program.h"
#include "cupel/lab/store/store.h"

namespace cupel::test {

class RunTest : public testing::Test {
 protected:
  RunTest() { place_.write("small.toml", kSmallProtocol); }
  std::int64_t stored(const std::string& name) const {
    return Store(place_.path(name), Store::Mode::kOpen).run_count();
  }
  // Waits until the store has a run: the program is then at work.
  void await_a_run(const std::string& name) const {
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      try {
        if (std::filesystem::exists(place_.path(name)) && stored(name) > 0) return;
      } catch (const std::exception&) {
        // It is being made.
      }
    }
  }
  Workplace place_;
};

}  // namespace cupel::test
