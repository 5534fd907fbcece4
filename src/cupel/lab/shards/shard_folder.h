// Where the shards of a plan meet: a folder that all machines see, with a store for each shard.
//
// A store that is written to lies on the machine's own disk, as SQLite asks for. What others see is
// a copy, renamed into place whole: PLAN.I-of-N.ATTEMPT.sqlite, I from 1. While an attempt lasts, a
// file beside it says so (heartbeat.h). An attempt takes earlier ones' stores as
// PLAN.I-of-N.ATTEMPT.K.sqlite, K from 1, until its own copy has what they hold.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/isolation/locked_folder.h"
#include "cupel/lab/shards/heartbeat.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// Published stores of a plan in `folder`, sorted; of shard `index` of `count` alone if `count` > 0.
// None if there is no such folder. Throws Error if the folder cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> shard_stores(const std::filesystem::path& folder,
                                                              const std::string& plan_hash,
                                                              int index = 0, int count = 0);

// What `read` gives, which lists published stores and opens them. Where one has gone meanwhile, as
// another attempt took it, all is listed and read again.
template <class Read>
auto read_listed(const Read& read) {
  constexpr int kLists = 3;
  for (int list = 1; list < kLists; ++list) {
    try {
      return read();
    } catch (const NoStore&) {
      // The last one tells.
    }
  }
  return read();
}

// Whether a published store belongs to this shard, by its name.
[[nodiscard]] bool is_of_shard(const std::filesystem::path& store, const std::string& plan_hash,
                               int index, int count);

// Why a store is not as it was published, or as it was made, in a sentence; nothing if it can be
// read and all of it holds. Throws Error where that cannot be told, as of one that another version
// wrote.
[[nodiscard]] std::optional<std::string> damage_of(const std::filesystem::path& store);

// Shards of a plan cut into `count` that somebody is at, index from 0, and the machine. None if
// there is no such folder. Throws Error if the folder cannot be read.
[[nodiscard]] std::map<int, std::string> attended_shards(const std::filesystem::path& folder,
                                                         const std::string& plan_hash, int count);

// The store of one attempt at a shard. It begins with what earlier attempts have published, so that
// none of it is done again.
class ShardStore {
 public:
  // Makes the folder if need be. A store of an earlier attempt that is not whole is set aside, as a
  // copy of what can be done again. Throws Error if the folder or the machine's temporary one
  // cannot be written.
  ShardStore(std::filesystem::path folder, const std::string& plan_hash, int index, int count);
  ShardStore(const ShardStore&) = delete;
  ShardStore& operator=(const ShardStore&) = delete;

  Store& store() { return *store_; }
  // Where its copy is, or will be.
  [[nodiscard]] const std::filesystem::path& path() const { return published_; }
  // Where runs put down how far they are (ExecuteOptions::checkpoints): the same for every attempt,
  // on whatever machine.
  [[nodiscard]] const std::filesystem::path& checkpoints() const { return checkpoints_; }

  // Where stores of earlier attempts that are damaged lie now: beside where they were, under names
  // that nobody reads.
  [[nodiscard]] const std::vector<std::filesystem::path>& set_aside() const { return set_aside_; }

  // Lets the others see what there is now; what earlier attempts published is a part of it, and
  // goes. Safe while runs are being put. Throws Error; what was published before stays then.
  void publish();
  // Where nothing can be published: takes the store out of what goes with this object, and returns
  // where it lies, on the machine's own disk. store() is no more.
  [[nodiscard]] std::filesystem::path keep();

 private:
  void take_in_earlier(const std::filesystem::path& path);

  std::filesystem::path attempt_;    // what its files in the folder are called, without an ending
  std::filesystem::path published_;  // its copy
  std::filesystem::path checkpoints_;
  std::vector<std::filesystem::path> earlier_, set_aside_;
  LockedFolder scratch_;
  std::unique_ptr<Store> store_;
  std::optional<Heartbeat> heartbeat_;  // from when there is a folder
};

}  // namespace cupel
