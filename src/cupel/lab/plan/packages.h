// Which versions of Python's packages a program is run with.
#pragma once

#include <map>
#include <string>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// The version of each package that `program` names, by its name as written, as the interpreter that
// its command begins with tells it: importlib.metadata, which imports none of them. The interpreter
// gets the options that it has in the command and is kept apart as the program is, without a
// network; it has a minute. Nothing is started where no package is named. Throws Error, which
// begins with `where`, if the command begins with no Python, if that cannot be started, and for a
// package that it does not have.
[[nodiscard]] std::map<std::string, std::string> package_versions(const std::string& where,
                                                                  const ExternalCommand& program);

}  // namespace cupel
