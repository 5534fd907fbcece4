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

}  // namespace cupel::made
