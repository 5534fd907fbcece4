// Programs of the system, for tests that do not run without them.
#pragma once

#include <cstdlib>
#include <string>

namespace cupel::made {

// Why a test of a program does not run; "" if it is found on the PATH.
//   if (const std::string why = needs_program("ssh-keygen"); !why.empty()) GTEST_SKIP() << why;
inline std::string needs_program(const std::string& name) {
  const bool found = std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
  return found ? "" : "needs the program " + name;
}

// The first Python that has NumPy; "" if none has.
//   if (made::python_with_numpy().empty()) GTEST_SKIP() << made::kNeedsNumPy;
inline const std::string& python_with_numpy() {
  static const std::string found = [] {
    for (const std::string candidate : {"python3", "/usr/bin/python3"})
      if (std::system((candidate + " -c 'import numpy' >/dev/null 2>&1").c_str()) == 0)
        return candidate;
    return std::string();
  }();
  return found;
}
inline constexpr const char* kNeedsNumPy = "no python3 with numpy (Debian: python3-numpy)";

}  // namespace cupel::made
