#include "cupel/learn/program_task.h"

#include <cstdint>
#include <span>

namespace cupel {

void add_ids(NpyMembers& members, const std::string& name, const std::vector<Index>& ids) {
  const std::vector<std::int64_t> values(ids.begin(), ids.end());
  members.emplace_back(name, make_npy(std::span<const std::int64_t>(values)));
}

}  // namespace cupel
