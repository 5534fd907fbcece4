// Telling a recipe's input files apart.
#include <fnmatch.h>

#include <cstring>

#include <algorithm>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/visible.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

bool has_name_of(const BuildInput& input, const fs::path& path) {
  return std::ranges::any_of(input.patterns, [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), path.filename().c_str(), 0) == 0;
  });
}

// Whether a file may be known by its name alone.
bool is_known_by_name(const BuildInput& input, const fs::path& path) {
  return !input.by_input && has_name_of(input, path);
}

std::string describe(const BuildInput& input) {
  if (input.by_input)
    return fmt::format("{} ({}; {}={})", input.name, input.doc, input.name,
                       fmt::join(input.patterns, ", "));
  return fmt::format("{} ({}; {})", input.name, input.doc, fmt::join(input.patterns, ", "));
}

void take(BuildPaths& paths, const BuildRecipe& recipe, const BuildInput& input,
          const fs::path& path) {
  std::vector<fs::path>& files = paths[input.name];
  if (!input.several && !files.empty()) {
    fail("{}: both {} and {} could be its input '{}'; give --from {}=FILE", recipe.name,
         files.front().string(), path.string(), input.name, input.name);
  }
  files.push_back(path);
}

// "part2" before "part10".
bool comes_before(const fs::path& a, const fs::path& b) {
  const std::string x = a.filename().string(), y = b.filename().string();
  const int order = ::strverscmp(x.c_str(), y.c_str());
  return order != 0 ? order < 0 : a < b;
}

// Files in the folder, sorted, so that messages do not depend on the disk.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) files.push_back(at->path());
  }
  if (problem) {
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
  }
  std::ranges::sort(files);
  return files;
}

// Whatever the case, plain or compressed.
bool is_called_like(const BuildInput& input, const fs::path& path) {
  const auto matches = [](const std::string& pattern, const fs::path& name) {
    return ::fnmatch(pattern.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
  };
  const bool packed = matches("*.gz", path.filename()) || matches("*.bz2", path.filename());
  return std::ranges::any_of(input.patterns, [&](const std::string& pattern) {
    return matches(pattern, path.filename()) || (packed && matches(pattern, path.stem()));
  });
}

// Adds the files of the input in the folder and those in it, links followed; `seen` are folders
// that were looked into.
void add_files(const BuildInput& input, const fs::path& folder, std::set<fs::path>& seen,
               std::vector<fs::path>& files) {
  std::error_code problem;
  const fs::path real = fs::canonical(folder, problem);
  if (!problem && !seen.insert(real).second) return;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const fs::path& path = at->path();
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      add_files(input, path, seen, files);
    } else if (is_called_like(input, path)) {
      if (!fs::is_regular_file(path, ignored))
        fail("{}: is called like a file of the input '{}' and is none; take it out of the folder",
             path.string(), input.name);
      files.push_back(path);
    }
  }
  if (problem)
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
}

// Where links lead.
fs::path real_place(const fs::path& path) {
  std::error_code problem;
  fs::path out = fs::canonical(path, problem);
  return problem ? path : out;
}

// All files of the input in the folder, at any depth, sorted by their paths; each once, whatever
// symbolic links lead to it.
std::vector<fs::path> files_below(const BuildInput& input, const fs::path& folder) {
  std::vector<fs::path> files;
  std::set<fs::path> seen;
  add_files(input, folder, seen, files);
  if (files.empty())
    fail("{}: has no file of the input '{}', which are called {}; give a file, or another folder",
         folder.string(), input.name, fmt::join(input.patterns, ", "));
  std::ranges::sort(files);
  std::set<fs::path> places;
  std::erase_if(files,
                [&](const fs::path& file) { return !places.insert(real_place(file)).second; });
  return files;
}

// What INPUT=PATH names.
void take_named(BuildPaths& paths, const BuildRecipe& recipe, const BuildInput& input,
                const fs::path& path) {
  if (path.empty())
    fail("{}: '{}=' names nothing; write {}=FILE", recipe.name, input.name, input.name);
  std::error_code ignored;
  if (!input.several || !fs::is_directory(path, ignored)) return take(paths, recipe, input, path);
  for (const fs::path& file : files_below(input, path)) take(paths, recipe, input, file);
}

}  // namespace

BuildPaths find_inputs(const BuildRecipe& recipe, const std::vector<std::string>& given) {
  BuildPaths paths;
  std::vector<fs::path> folders;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals == std::string::npos ? 0 : equals);
    const auto named = std::ranges::find(recipe.inputs, key, &BuildInput::name);
    if (named != recipe.inputs.end()) {
      take_named(paths, recipe, *named, text.substr(equals + 1));
      continue;
    }
    std::error_code ignored;
    if (fs::is_directory(text, ignored)) {
      folders.emplace_back(text);
      continue;
    }
    const auto known = std::ranges::find_if(
        recipe.inputs, [&](const BuildInput& input) { return is_known_by_name(input, text); });
    if (known == recipe.inputs.end()) {
      std::vector<std::string> inputs;
      for (const BuildInput& input : recipe.inputs) inputs.push_back(input.name);
      if (!key.empty() && !fs::exists(text, ignored))
        fail("{}: there is no input {}; its inputs are {}", recipe.name, in_quotes(key),
             fmt::join(inputs, ", "));
      fail(
          "{}: {} has none of the names of the recipe's inputs; write INPUT={}, where INPUT says "
          "which it is: {}",
          recipe.name, in_quotes(text), visible(text), fmt::join(inputs, ", "));
    }
    take(paths, recipe, *known, text);
  }
  // What was named goes before what a folder happens to hold, where a file is taken once, whatever
  // symbolic links lead to it.
  BuildPaths found;
  std::set<std::pair<std::string, fs::path>> taken;  // input and place
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_of(folder)) {
      for (const BuildInput& input : recipe.inputs) {
        if (paths.contains(input.name) || !is_known_by_name(input, file)) continue;
        if (taken.emplace(input.name, real_place(file)).second) take(found, recipe, input, file);
      }
    }
  }
  paths.merge(found);
  for (const BuildInput& input : recipe.inputs) {
    if (const auto at = paths.find(input.name); at != paths.end()) {
      std::ranges::sort(at->second, comes_before);
      std::set<fs::path> places;
      for (const fs::path& file : at->second)
        if (!places.insert(real_place(file)).second)
          fail("{}: {} is given twice as its input '{}'; give it once", recipe.name, file.string(),
               input.name);
      continue;
    }
    if (input.optional) continue;
    fail("{}: its input {} is not given; use --from {}=FILE, or --from a folder that has it",
         recipe.name, describe(input), input.name);
  }
  return paths;
}

}  // namespace cupel
