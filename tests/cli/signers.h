// Keys for tests, by OpenSSH.
#pragma once

#include <cstdlib>
#include <string>

#include "cli/program.h"

namespace cupel::test {

// A private key NAME and its NAME.pub in the current folder; returns type and public key.
inline std::string make_key(const Workplace& place, const std::string& name) {
  const std::string command =
      "ssh-keygen -q -t ed25519 -N '' -C '' -f '" + place.path(name).string() + "' > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string line = place.read(name + ".pub");
  return line.substr(0, line.find_first_of(" \n", line.find(' ') + 1));
}

}  // namespace cupel::test
