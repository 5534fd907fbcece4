// What a piece of work takes of memory, by the kernel's count.
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace cupel {

// Bytes that the process holds at the most while `work` is done, beyond what it held before.
// Nothing where the kernel does not begin to count anew.
template <class Work>
std::optional<double> peak_of(const Work& work) {
  const auto kilobytes = [](const std::string& name) {
    std::ifstream in("/proc/self/status");
    double value = 0;
    for (std::string word; in >> word;)
      if (word == name) in >> value;
    return value;
  };
  malloc_trim(0);
  {
    std::ofstream reset("/proc/self/clear_refs");
    if (!(reset << "5" << std::flush)) return {};
  }
  const double before = kilobytes("VmRSS:");
  work();
  return 1024 * (kilobytes("VmHWM:") - before);
}

// Why a test of peaks does not run; "" if it does. Such a test is in a process of its own (a death
// test, "threadsafe"), as what others have left in the heap moves the peak by megabytes.
inline std::string needs_peaks() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "the heap is another";
#else
  return peak_of([] {}) ? "" : "the kernel does not count anew";
#endif
}

// Ends that process: with 0 where all was as expected, else with what was not on standard error,
// which is all that a death test shows of it.
[[noreturn]] inline void exit_with_result() {
  const testing::TestResult& result =
      *testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int k = 0; k < result.total_part_count(); ++k)
    if (result.GetTestPartResult(k).failed())
      std::fprintf(stderr, "%s\n", result.GetTestPartResult(k).message());
  std::fflush(nullptr);
  std::_Exit(result.Failed() ? 1 : 0);
}

}  // namespace cupel
