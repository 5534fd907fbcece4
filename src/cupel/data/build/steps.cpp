// Finished steps of a build, kept for one to come.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/build/recipe.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr int kForm = 4;  // of kept steps; one more where a step comes to something else

// What is kept beside a step's value. One list of fields, read and written.
template <class Archive, class Sources, class Counts>
void visit_records(Archive& archive, Sources& sources, Counts& counts) {
  for (auto& source : sources) {
    archive(source.input), archive(source.file), archive(source.path);
    archive(source.bytes), archive(source.sha256);
  }
  for (auto& [what, number] : counts) archive(what), archive(number);
}

// The file itself, or all in the folder, sorted.
std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return {path};
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(path, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

fs::path BuildContext::file_of(const KeptStep& step) const {
  if (steps_.empty()) return {};
  nlohmann::json key = {recipe_.name, step.name, kForm};
  for (const std::string& setting : step.settings)
    std::visit(
        [&](const auto& value) {
          key.push_back({setting, value});
        },
        settings_.all().at(setting));
  for (const std::string& input : step.inputs) {
    if (!has(input)) continue;
    for (const fs::path& path : paths(input)) {
      for (const fs::path& file : files_of(path)) {
        std::error_code ignored;
        const auto time = fs::last_write_time(file, ignored).time_since_epoch();
        key.push_back({input, file.filename().string(), fs::file_size(file, ignored),
                       std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()});
      }
    }
  }
  const std::string text = key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return steps_ / fmt::format("{}-{}.step", step.name, sha256(text).substr(0, 16));
}

bool BuildContext::take(const fs::path& file, const std::function<void(PackedReader&)>& read) {
  std::error_code ignored;
  if (file.empty() || !fs::is_regular_file(file, ignored)) return false;
  try {
    PackedReader archive(file);
    std::uint64_t sources = 0, counts = 0;
    archive(sources), archive(counts);
    if (sources > 100'000 || counts > 1000) return false;
    std::vector<BuildSource> read_sources(sources);
    std::vector<std::pair<std::string, std::int64_t>> read_counts(counts);
    visit_records(archive, read_sources, read_counts);
    read(archive);
    archive.finish();
    for (BuildSource& source : read_sources) add(std::move(source));
    counts_.insert(counts_.end(), read_counts.begin(), read_counts.end());
    return true;
  } catch (const Error&) {
    return false;
  }
}

void BuildContext::keep(const fs::path& file, std::size_t sources, std::size_t counts,
                        const std::function<void(Packer&)>& write) {
  if (file.empty()) return;
  try {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    Packer archive(file);
    const std::vector<BuildSource> new_sources(
        sources_.begin() + static_cast<std::ptrdiff_t>(sources), sources_.end());
    const std::vector<std::pair<std::string, std::int64_t>> new_counts(
        counts_.begin() + static_cast<std::ptrdiff_t>(counts), counts_.end());
    archive(std::uint64_t{new_sources.size()}), archive(std::uint64_t{new_counts.size()});
    visit_records(archive, new_sources, new_counts);
    write(archive);
    archive.finish();
  } catch (const Error& problem) {  // the build goes on without
    notes_.push_back(fmt::format("A finished step could not be kept: {}", problem.what()));
  }
}

}  // namespace cupel
