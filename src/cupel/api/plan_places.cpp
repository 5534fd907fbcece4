#include "cupel/api/plan_places.h"

#include "cupel/api/study.h"
#include "cupel/base/error.h"
#include "cupel/base/write_file.h"
#include "cupel/lab/shards/frozen_plan.h"

namespace cupel {
namespace {

// The file that the path of a plan leads to.
std::filesystem::path plan_behind(const std::string& plan) {
  std::error_code error;
  if (!std::filesystem::is_symlink(plan, error)) return plan;
  const std::filesystem::path file = std::filesystem::canonical(plan, error);
  return error ? std::filesystem::path(plan) : file;
}

}  // namespace

std::filesystem::path plan_file(const std::string& out, const std::string& protocol) {
  return out.empty() ? protocol + ".plan" : out;
}

std::filesystem::path plan_beside(const std::filesystem::path& store) {
  std::filesystem::path out = store;
  out.replace_extension(".plan");
  if (out == store || shard_folder(out) == store)
    fail("{}: is where the plan or the folder of its shards will be; give a store another ending",
         store.string());
  return out;
}

void check_plan_path(const std::filesystem::path& file) {
  check_writable(file);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size > 0 && !is_frozen(file))
    fail("{}: is no plan, and is not written over; give another path, or remove it first",
         file.string());
  if (shard_folder(file) == file || merged_store(file, "") == file)
    fail(
        "{}: is where the shards of the plan or its store will be; give the plan another ending, "
        "such as .plan",
        file.string());
}

std::filesystem::path shard_folder(const std::filesystem::path& file) {
  std::filesystem::path out = file;
  return out.replace_extension(".shards");
}

std::filesystem::path published_folder(const std::string& plan, const std::string& out) {
  return out.empty() ? shard_folder(plan_behind(plan)) : std::filesystem::path(out);
}

std::filesystem::path merged_store(const std::string& plan, const std::string& store) {
  return store.empty() ? plan_behind(plan).replace_extension(".sqlite") : kept_store(store);
}

}  // namespace cupel
