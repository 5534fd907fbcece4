// Tests that hold the program against programs in Python, which stand in tests/data.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/program.h"

namespace cupel::test {

// Why a test of such a program does not run; "" if it does.
inline std::string needs_python() {
  const char* const probe =
      "python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' >/dev/null 2>&1";
  return std::system(probe) == 0 ? "" : "no python3 of 3.9 or later";
}

// Runs tests/data/SCRIPT. `out` is what it printed; `err` goes to this program's own.
inline Outcome run_python(const std::string& script, const std::vector<std::string>& arguments) {
  const TempFolder folder;
  std::string command = "PYTHONDONTWRITEBYTECODE=1 python3 '" + std::string(CUPEL_SOURCE_DIR) +
                        "/tests/data/" + script + "'";
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  const std::filesystem::path out = folder / "out";
  const int status = std::system((command + " >'" + out.string() + "'").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_file(out), ""};
}

}  // namespace cupel::test
