#include "cupel/lab/isolation/visible_paths.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;   // as the kernel
constexpr int kLinkedDepth = 2;  // the folder of data sets, and that of one

// `path` or a place in it.
bool is_within(const fs::path& inner, const fs::path& outer) {
  const auto [a, b] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return a == outer.end();
}

fs::path real(const fs::path& path) {
  std::error_code ignored;
  const fs::path out = fs::weakly_canonical(path, ignored);
  return ignored ? path : out;
}

fs::path plain(const fs::path& path) {
  fs::path out = path.lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

std::vector<fs::path> path_folders() {
  std::vector<fs::path> out;
  const char* const path = std::getenv("PATH");
  std::istringstream list(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty() && folder.front() == '/') out.push_back(plain(folder));
  }
  return out;
}

std::optional<fs::path> home() {
  const char* const out = std::getenv("HOME");
  if (out == nullptr || *out != '/') return {};
  return plain(out);
}

// Where other runs have their tasks, whose training labels are test labels of ours.
fs::path temporary() {
  std::error_code ignored;
  return fs::absolute(fs::temp_directory_path(ignored), ignored);
}

// The home folder, those for temporary files and all above them: too much to show whole.
bool is_wide(const fs::path& folder) {
  std::vector<fs::path> roots = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/proc", "/home/USER"};
  roots.push_back(temporary());
  if (const auto own = home()) roots.push_back(*own);
  return std::any_of(roots.begin(), roots.end(), [&](const fs::path& root) {
    return is_within(real(root), real(folder)) || is_within(root, folder);
  });
}

bool is_system(const fs::path& path) {
  const auto& folders = system_folders();
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return is_within(path, folder); });
}

// Sorted, without those that lie in another one.
std::vector<fs::path> outermost(std::vector<fs::path> paths) {
  std::sort(paths.begin(), paths.end());
  std::vector<fs::path> out;
  for (const fs::path& path : paths) {
    const bool within = std::any_of(out.begin(), out.end(),
                                    [&](const fs::path& other) { return is_within(path, other); });
    if (!within) out.push_back(path);
  }
  return out;
}

class Finder {
 public:
  explicit Finder(const std::vector<fs::path>& hidden) {
    for (const fs::path& path : hidden) hide(absolute_path(path), kLinkedDepth);
    if (is_system(temporary())) hidden_.push_back(real(temporary()));
  }

  // Shows it, if it is there and is not hidden itself; also by its real name, where links on the
  // way to it lead.
  void show(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored) || is_hidden(path) != nullptr) return;
    for (const fs::path& name : {plain(path), real(path)}) {
      if (!is_system(name)) out_.readable.push_back(name);
    }
  }

  void demand(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) fail("{}: is not there", path.string());
    if (const fs::path* by = is_hidden(path))
      fail("{}: lies in {}, which no program may see; keep programs apart from data and results",
           path.string(), by->string());
    show(path);
  }

  // What is installed with the programs of a folder: of `bin` the folder above it, if there are
  // libraries in it.
  void installation(const fs::path& folder) {
    if (is_system(folder)) return;
    std::error_code ignored;
    const fs::path above = folder.parent_path();
    const std::array<const char*, 4> names = {"bin", "sbin", "shims", "condabin"};
    const bool programs = std::find(names.begin(), names.end(), folder.filename()) != names.end();
    const std::array<const char*, 4> parts = {"lib", "lib64", "libexec", "pyvenv.cfg"};
    const bool libraries = std::any_of(parts.begin(), parts.end(), [&](const char* part) {
      return fs::exists(above / part, ignored);
    });
    if (!programs || !libraries || is_wide(above)) {
      if (!is_wide(folder)) show(folder);
    } else if (const auto own = home(); own && above == *own / ".local") {
      show(folder);  // its `share` holds what many programs keep
      show(above / "lib");
    } else {
      show(above);
    }
  }

  // A program's installation, and those of the programs that it is a link to or is interpreted by.
  void program(fs::path path, int links = kMostLinks) {
    for (; links > 0; --links) {
      path = plain(path);
      installation(path.parent_path());
      installation(real(path).parent_path());
      if (!is_wide(path)) show(path);
      std::error_code error;
      const fs::path next = fs::read_symlink(path, error);
      if (error) break;
      path = path.parent_path() / next;
    }
    if (const fs::path interpreter = interpreter_of(path); !interpreter.empty() && links > 0)
      program(interpreter, links - 1);
  }

  VisiblePaths finish() {
    out_.readable = outermost(std::move(out_.readable));
    for (const fs::path& folder : out_.readable) mask_in(folder);
    for (const fs::path& folder : system_folders()) mask_in(folder);
    // A masked folder is empty and closed: there is no place in it to mask a file at.
    out_.masked = outermost(std::move(out_.masked));
    return std::move(out_);
  }

 private:
  // And what links in it lead to, in folders so many levels deep: a folder of data sets may be one
  // of links to them.
  void hide(const fs::path& path, int levels) {
    const fs::path at = real(path);
    hidden_.push_back(at);
    hide_linked(at, at, levels);
  }

  // A link that leads to a system folder, or above what is hidden, leads to none of the data.
  void hide_linked(const fs::path& folder, const fs::path& hidden, int levels) {
    std::error_code ignored;
    if (levels == 0 || !fs::is_directory(folder, ignored)) return;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
      std::error_code problem;
      if (!at->is_symlink(problem)) {
        if (at->is_directory(problem)) hide_linked(at->path(), hidden, levels - 1);
        continue;
      }
      const fs::path target = real(at->path());
      const auto& system = system_folders();
      const bool above = is_within(hidden, target) ||
                         std::any_of(system.begin(), system.end(),
                                     [&](const fs::path& root) { return is_within(root, target); });
      if (!above) hide(target, levels - 1);
    }
  }

  const fs::path* is_hidden(const fs::path& path) const {
    const fs::path at = real(path);
    for (const fs::path& place : hidden_) {
      if (is_within(at, place)) return &place;
    }
    return nullptr;
  }

  // Hidden places are known by their real names, and `folder` is seen by the name it has here.
  void mask_in(const fs::path& folder) {
    std::error_code ignored;
    const fs::path at = real(folder);
    for (const fs::path& place : hidden_) {
      if (!is_within(place, at) || !fs::exists(place, ignored)) continue;
      out_.masked.push_back(plain(folder / place.lexically_relative(at)));
    }
  }

  static fs::path interpreter_of(const fs::path& script) {
    std::ifstream in(script, std::ios::binary);
    char line[256] = {};
    in.read(line, sizeof line - 1);
    std::istringstream words(std::string(line).substr(0, std::string(line).find('\n')));
    std::string first;
    words >> first;
    if (!first.starts_with("#!")) return {};
    if (first == "#!") {
      words >> first;
    } else {
      first.erase(0, 2);
    }
    return first.starts_with("/") ? fs::path(first) : fs::path();
  }

  std::vector<fs::path> hidden_;
  VisiblePaths out_;
};

}  // namespace

const std::vector<fs::path>& system_folders() {
  static const std::vector<fs::path> kFolders = {"/usr",   "/bin",       "/sbin",   "/lib",
                                                 "/lib32", "/lib64",     "/libx32", "/opt",
                                                 "/etc",   "/nix/store", "/sys"};
  return kFolders;
}

fs::path find_program(const std::string& name, const fs::path& folder) {
  const auto runs = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    const fs::path path = plain(folder / name);
    return runs(path) ? path : fs::path();
  }
  for (const fs::path& place : path_folders()) {
    if (!name.empty() && runs(place / name)) return place / name;
  }
  return {};
}

VisiblePaths visible_paths(const std::vector<std::string>& command, const fs::path& program,
                           const fs::path& folder, const std::vector<fs::path>& readable,
                           const std::vector<fs::path>& hidden) {
  Finder finder(hidden);
  for (const fs::path& place : path_folders()) finder.installation(place);
  finder.program(program);
  if (!is_wide(folder)) finder.show(folder);
  for (const std::string& argument : command) {
    std::error_code ignored;
    const fs::path path = plain(folder / argument);
    if (argument.empty() || !fs::is_regular_file(path, ignored) || is_system(path)) continue;
    finder.demand(path);
    if (!is_wide(path.parent_path())) finder.show(path.parent_path());
  }
  for (const fs::path& path : readable) {
    const fs::path place = plain(folder / path);
    std::error_code ignored;
    if (fs::is_directory(place, ignored) && is_wide(place))
      fail(
          "readable: {} is the home folder, one for temporary files, or above one; name what is "
          "needed of it",
          place.string());
    finder.demand(place);
  }
  return finder.finish();
}

}  // namespace cupel
