#include "cupel/lab/run/shards.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace cupel {
namespace {

constexpr std::uint64_t kPartsOfAShard = 20;

std::uint64_t work_of(const ShardUnit& unit, int runs) {
  return unit.work * static_cast<std::uint64_t>(runs);
}

std::vector<ShardPart> parts_of(const std::vector<ShardUnit>& units, int count) {
  std::uint64_t all = 0;
  for (const ShardUnit& unit : units) all += work_of(unit, unit.runs);
  const std::uint64_t most = all / static_cast<std::uint64_t>(count) / kPartsOfAShard;
  std::vector<ShardPart> out;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const ShardUnit& unit = units[i];
    const std::uint64_t work = std::max<std::uint64_t>(unit.work, 1);
    const int fits = static_cast<int>(std::clamp<std::uint64_t>(
        most / work, 1, static_cast<std::uint64_t>(std::max(unit.runs, 1))));
    for (int done = 0; done < unit.runs; done += fits)
      out.push_back({i, unit.first + done, std::min(fits, unit.runs - done)});
  }
  return out;
}

}  // namespace

std::vector<ShardPart> shard_parts(const std::vector<ShardUnit>& units, int index, int count) {
  std::vector<ShardPart> parts = parts_of(units, count);
  // By what a part is, so that the order of the list does not matter.
  const auto key = [&](const ShardPart& part) {
    const ShardUnit& unit = units[part.unit];
    return std::tuple<std::uint64_t, int, const std::string&, int>(
        ~work_of(unit, part.count), unit.split, unit.family, part.first);
  };
  std::sort(parts.begin(), parts.end(),
            [&](const ShardPart& a, const ShardPart& b) { return key(a) < key(b); });
  using Load = std::pair<std::uint64_t, int>;  // work so far, shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> lightest;
  for (int shard = 0; shard < count; ++shard) lightest.emplace(0, shard);
  std::vector<ShardPart> out;
  for (const ShardPart& part : parts) {
    auto [work, shard] = lightest.top();
    lightest.pop();
    if (shard == index) out.push_back(part);
    lightest.emplace(work + std::max<std::uint64_t>(work_of(units[part.unit], part.count), 1),
                     shard);
  }
  std::sort(out.begin(), out.end(), [](const ShardPart& a, const ShardPart& b) {
    return std::tie(a.unit, a.first) < std::tie(b.unit, b.first);
  });
  return out;
}

}  // namespace cupel
