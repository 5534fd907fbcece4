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
  published_ = folder / (attempt + kEnding);
  heartbeat_.emplace(folder / (attempt + kHeartbeatEnding));
  store_ = std::make_unique<Store>(scratch_.path() / kStore);
  for (const fs::path& path : files_called(folder, start, kHeartbeatEnding)) {
    if (!living_machine(path)) fs::remove(path, error);
  }
  take_in_earlier(shard_stores(folder, plan_hash, index, count));
}

void ShardStore::take_in_earlier(const std::vector<fs::path>& stores) {
  for (const fs::path& path : stores) {
    if (!damage_of(path)) {
      earlier_.push_back(path);
      continue;
    }
    std::error_code error;
    set_aside_.emplace_back(path.string() + kDamagedEnding);
    fs::rename(path, set_aside_.back(), error);
    if (error)
      fail("{}: is damaged and cannot be renamed ({}); remove it", path.string(), error.message());
  }
  (void)store_->merge(earlier_);
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
