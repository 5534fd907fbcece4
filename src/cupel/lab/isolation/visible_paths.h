// What of the file system a program sees that is kept apart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cupel {

struct VisiblePaths {
  std::vector<std::filesystem::path> readable;  // files and folders, none within another
  std::vector<std::filesystem::path> masked;    // places within those that are hidden
};

// By the rule in docs/protocols.md ("What a program sees"):
//   the system          /usr, /opt, /etc, ... (not in the answer: see system_folders)
//   installations       the folders of PATH and of the program, with what belongs to a `bin`
//   the program         the protocol's folder, and those of arguments that are files
//   `readable`          what the protocol lists
// but no home folder, temporary folder or what is above one: of these only the files themselves;
// and nothing of `hidden`, whatever asks for it. All are paths as the program will spell them.
// Throws Error, naming the path, if an argument or an entry of `readable` is not there, lies in a
// hidden place, or is such a folder; and if the current folder, which a relative path of `hidden`
// begins at, was removed.
[[nodiscard]] VisiblePaths visible_paths(const std::vector<std::string>& command,
                                         const std::filesystem::path& program,
                                         const std::filesystem::path& folder,
                                         const std::vector<std::filesystem::path>& readable,
                                         const std::vector<std::filesystem::path>& hidden);

// Folders that every program sees, read-only; links among them are made again.
[[nodiscard]] const std::vector<std::filesystem::path>& system_folders();

// Where `name` is started from, as execvp() would find it from `folder`; empty if it is nowhere.
[[nodiscard]] std::filesystem::path find_program(const std::string& name,
                                                 const std::filesystem::path& folder);

}  // namespace cupel
