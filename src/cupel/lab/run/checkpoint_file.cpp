#include "cupel/lab/run/checkpoint_file.h"

#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/write_file.h"

namespace cupel {
namespace {

constexpr std::uint64_t kAnySize = std::uint64_t{1} << 50;

// What a file begins with. Then the state.
struct Head {
  char format[16] = {'c', 'u', 'p', 'e', 'l', ' ', 's', 't', 'a', 't', 'e', ' ', '1', '\n'};
  char hash[64] = {};  // of the run's id, the seconds and the state
  double seconds = 0;
};

std::filesystem::path part_of(const std::filesystem::path& path) { return path.string() + ".part"; }

std::string hash_of(const std::string& run, double seconds,
                    std::span<const std::string_view> parts) {
  Hasher hasher;
  hasher.field(run).bytes(&seconds, sizeof seconds);
  for (const std::string_view part : parts) hasher.bytes(part.data(), part.size());
  return hasher.hex();
}

}  // namespace

CheckpointFile::CheckpointFile(const std::filesystem::path& place, std::string run,
                               Clock::duration interval)
    : path_(place.string() + "-checkpoint-" + run), run_(std::move(run)), interval_(interval) {}

std::string CheckpointFile::take_up() {
  std::string content;
  there_ = cupel::is_there(path_) || cupel::is_there(part_of(path_));
  try {
    content = read_small_file(path_, kAnySize);
  } catch (const Error&) {
    return "";  // nothing was put down, or nobody may read it
  }
  Head head;
  if (content.size() < sizeof head) return "";
  std::memcpy(&head, content.data(), sizeof head);
  if (std::memcmp(head.format, Head().format, sizeof head.format) != 0) return "";
  const std::string_view state = std::string_view(content).substr(sizeof head);
  if (hash_of(run_, head.seconds, std::span(&state, 1)) !=
      std::string_view(head.hash, sizeof head.hash))
    return "";
  before_ = head.seconds;
  content.erase(0, sizeof head);
  return content;
}

void CheckpointFile::put_down(std::span<const StateBytes> parts) {
  std::vector<std::string_view> all;
  for (const StateBytes part : parts)
    all.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
  Head head;
  head.seconds = before_ + std::chrono::duration<double>(Clock::now() - start_).count();
  const std::string hash = hash_of(run_, head.seconds, all);
  std::memcpy(head.hash, hash.data(), sizeof head.hash);
  all.emplace(all.begin(), reinterpret_cast<const char*>(&head), sizeof head);
  last_ = Clock::now();
  try {
    there_ = true;
    write_file(path_, part_of(path_), all);
    problem_.clear();
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

void CheckpointFile::remove(const std::filesystem::path& path) {
  std::error_code ignored;  // what is left is used by nobody
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(part_of(path), ignored);
}

}  // namespace cupel
