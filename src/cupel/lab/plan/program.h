// Which program, or which function of this process, an external model is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/lab/plan/family.h"

namespace cupel {

// The row's settings as they are: the program knows what they mean. Throws Error where one of its
// inputs is no file.
[[nodiscard]] ResolvedModel resolve_external(const ModelRow& row);
// The same of a function, which declares its settings. Throws Error as Options does.
[[nodiscard]] ResolvedModel resolve_function(const ModelRow& row, const ModelFunction& function);

// The arguments of a program that are files, and its inputs, as they are now. Throws Error for one
// that cannot be read.
[[nodiscard]] std::vector<ProgramFile> program_files(const ExternalCommand& program);
// The first whose content is another one now, or that is gone; nullptr if there is none. Files that
// the system knows to be untouched are not read.
[[nodiscard]] const ProgramFile* changed_file(const std::vector<ProgramFile>& files);

// What is said of a program that has none.
inline constexpr const char* kNoFiles =
    "no file of the program is in the identity of its runs, so that an edited one counts as the "
    "same model; name its files in the row: inputs = [\"...\"]";

// What identities hold of a program: its command, its limits, whether it may use the network, the
// content hash of its files (so that an edited program is another model), and the versions of
// `packages` (packages.h).
[[nodiscard]] std::map<std::string, std::string> program_identity(
    const ExternalCommand& program, const std::vector<ProgramFile>& files,
    const std::map<std::string, std::string>& packages = {});
// Of a function: its time, and what it says of itself.
[[nodiscard]] std::map<std::string, std::string> function_identity(const ExternalCommand& program,
                                                                   const ModelFunction& function);

}  // namespace cupel
