#include "cupel/lab/shards/shard_folder.h"

#include <algorithm>
#include <random>
#include <system_error>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/formats/file.h"
#include "cupel/lab/store/sqlite.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".sqlite";
constexpr const char* kHeartbeatEnding = ".heartbeat";
constexpr const char* kDamagedEnding = ".damaged";  // after the other one: it is no store
constexpr const char* kStore = "store.sqlite";

std::string beginning(const std::string& plan_hash, int index, int count) {
  return count > 0 ? fmt::format("{}.{}-of-{}.", plan_hash, index + 1, count) : plan_hash + ".";
}

// Files in `folder` that are called START...ENDING, sorted.
std::vector<fs::path> files_called(const fs::path& folder, const std::string& start,
                                   const char* ending) {
  std::vector<fs::path> out;
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return out;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(start) && name.ends_with(ending)) out.push_back(at->path());
  }
  if (error) fail("{}: cannot be read ({})", folder.string(), error.message());
  std::sort(out.begin(), out.end());
  return out;
}

std::string drawn_name() {
  std::random_device device;
  return fmt::format("{:08x}", device());
}

void copy_into_place(const fs::path& from, const fs::path& to) {
  InputFile in(from);
  OutputFile out(to);
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t done = 0; done < in.size();) {
    const auto some =
        static_cast<std::size_t>(std::min<std::uint64_t>(in.size() - done, block.size()));
    in.read(done, block.data(), some);
    out.write(block.data(), some);
    done += some;
  }
  out.commit();
}

}  // namespace

std::vector<fs::path> shard_stores(const fs::path& folder, const std::string& plan_hash, int index,
                                   int count) {
  return files_called(folder, beginning(plan_hash, index, count), kEnding);
}

bool is_of_shard(const fs::path& store, const std::string& plan_hash, int index, int count) {
  return store.filename().string().starts_with(beginning(plan_hash, index, count));
}

std::optional<std::string> damage_of(const fs::path& path) {
  try {
    const Store store(path, Store::Mode::kOpen);
    store.check_integrity();
    const std::vector<std::string> faults = store.faults();
    if (faults.empty()) return std::nullopt;
    return fmt::format(
        "{}: {}; `cupel verify {}` says all that is wrong with it; take a copy from before",
        path.string(), faults.front(), path.string());
  } catch (const NotAStore& fault) {
    return fault.what();
  } catch (const DamagedFile& fault) {
    return fault.what();
  }
}

std::map<int, std::string> attended_shards(const fs::path& folder, const std::string& plan_hash,
                                           int count) {
  std::map<int, std::string> out;
  const std::vector<fs::path> files = files_called(folder, plan_hash + ".", kHeartbeatEnding);
  for (int index = 0; index < count && !files.empty(); ++index) {
    const std::string start = beginning(plan_hash, index, count);
    for (const fs::path& path : files) {
      if (!path.filename().string().starts_with(start)) continue;
      if (std::optional<std::string> machine = living_machine(path)) out[index] = *machine;
    }
  }
  return out;
}

ShardStore::ShardStore(fs::path folder, const std::string& plan_hash, int index, int count)
    : scratch_("cupel-shard-", LockedFolder::OnSignal::kRemove) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("{}: the folder cannot be made ({})", folder.string(), error.message());
  const std::string start = beginning(plan_hash, index, count);
  const std::string attempt = start + drawn_name();
  attempt_ = folder / attempt;
  published_ = folder / (attempt + kEnding);
  checkpoints_ = folder / start.substr(0, start.size() - 1);
  heartbeat_.emplace(folder / (attempt + kHeartbeatEnding));
  store_ = std::make_unique<Store>(scratch_.path() / kStore);
  for (const fs::path& path : files_called(folder, start, kHeartbeatEnding)) {
    if (!living_machine(path)) fs::remove(path, error);
  }
  for (const fs::path& path : shard_stores(folder, plan_hash, index, count)) {
    try {
      take_in_earlier(path);
    } catch (const NoStore&) {
      // Another attempt that begins just now has it.
    }
  }
}

// Under a name of its own, so that what its worker may yet publish under the old one is not taken
// for what was read here. The name is one of a published store: a kill leaves it to the others.
void ShardStore::take_in_earlier(const fs::path& path) {
  std::error_code error;
  const std::string own = fmt::format("{}.{}{}", attempt_.string(), earlier_.size() + 1, kEnding);
  fs::rename(path, own, error);
  if (error == std::errc::no_such_file_or_directory) return;
  // What may not be renamed may not be removed either, and stays.
  const bool taken = !error;
  const fs::path now = taken ? fs::path(own) : path;
  if (damage_of(now)) {
    set_aside_.emplace_back(path.string() + kDamagedEnding);
    fs::rename(now, set_aside_.back(), error);
    if (error)
      fail("{}: is damaged and cannot be renamed ({}); remove it", now.string(), error.message());
    return;
  }
  (void)store_->merge(now);
  if (taken) earlier_.push_back(now);
}

void ShardStore::publish() {
  const fs::path copy = scratch_.path() / "copy.sqlite";
  store_->copy_to(copy);
  copy_into_place(copy, published_);
  std::error_code ignored;
  fs::remove(copy, ignored);
  for (const fs::path& path : std::exchange(earlier_, {})) fs::remove(path, ignored);
}

fs::path ShardStore::keep() {
  store_.reset();
  // Beside the folder, so that no room is needed, and not by a name that is swept.
  const fs::path from = scratch_.path() / kStore;
  const fs::path to = scratch_.path().parent_path() / ("cupel-" + published_.filename().string());
  std::error_code error, ignored;
  fs::rename(from, to, error);
  if (error) fail("{}: cannot be kept ({})", from.string(), error.message());
  // There is a log where the disk has no room to do without.
  fs::rename(from.string() + "-wal", to.string() + "-wal", ignored);
  return to;
}

}  // namespace cupel
