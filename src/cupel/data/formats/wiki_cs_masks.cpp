#include "cupel/data/formats/wiki_cs_masks.h"

#include <limits>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/claims.h"

namespace cupel {
namespace {

void check_mask(const std::string& file, const WikiCsMask& mask, Index nodes) {
  const auto refuse = [&](std::int64_t row, std::int64_t flags) {
    const std::string at = mask.several ? fmt::format("'{}'[{}]", mask.key, row) : mask.key;
    fail("{}: {}: has {} flags for {} nodes; give one for each", file, at, flags, nodes);
  };
  if (mask.several && mask.rows == nodes && mask.flags != nodes) {
    fail(
        "{}: '{}': has {} lists of {} flags, nodes x splits; transpose it, to a list of {} flags "
        "for each split",
        file, mask.key, mask.rows, mask.flags, nodes);
  }
  if (mask.several) check_split_count(fmt::format("{}: '{}'", file, mask.key), mask.rows);
  if (mask.rows > 0 && mask.flags != nodes) refuse(0, mask.flags);
  if (mask.other_row >= 0) refuse(mask.other_row, mask.other);
}

std::vector<Index>& part_of(Split& split, std::size_t p) {
  return p == 0 ? split.train : p == 1 ? split.stopping : p == 2 ? split.valid : split.test;
}

}  // namespace

WikiCsMask read_wiki_cs_mask(JsonPull& json, const std::string& key) {
  WikiCsMask out;
  out.key = key;
  std::vector<Index> ids;
  const auto flag = [&](std::int64_t node) {
    if (!json.flag()) return;
    if (node > std::numeric_limits<Index>::max()) json.fail_here("is a flag of no node there is");
    ids.push_back(static_cast<Index>(node));
  };
  const auto end_row = [&](std::int64_t flags) {
    if (out.rows == 0) out.flags = flags;
    if (flags != out.flags && out.other_row < 0) {
      out.other_row = out.rows;
      out.other = flags;
    }
    // What is too much is told when it is known how many nodes there are.
    if (out.rows++ < kMostSplits) out.ids.push_back(ids);
    ids.clear();
  };
  const std::int64_t items = json.list([&](std::int64_t item) {
    if (item == 0) out.several = json.peek() == '[';
    if (!out.several) return flag(item);
    end_row(json.list(flag));
  });
  if (!out.several) end_row(items);
  return out;
}

void set_wiki_cs_splits(const std::string& file, std::array<WikiCsMask, kWikiCsParts> masks,
                        ReadMode mode, Dataset& dataset) {
  std::size_t given = 0, splits = 1;
  const WikiCsMask* first = nullptr;  // that has several
  for (const WikiCsMask& mask : masks) given += !mask.key.empty();
  if (given == 0) return;
  for (std::size_t p = 0; p < kWikiCsParts; ++p) {
    const WikiCsMask& mask = masks[p];
    if (mask.key.empty()) {
      if (p == 1 || mode == ReadMode::kForAudit) continue;
      fail(
          "{}: has no '{}_mask{}'; a split needs train_masks, val_masks and test_mask, give all "
          "or none",
          file, kWikiCsMasks[p], p == 3 ? "" : "s");
    }
    check_mask(file, mask, dataset.nodes());
    if (!mask.several) continue;
    if (first && first->rows != mask.rows) {
      fail("{}: '{}': has {} splits where '{}' has {}; give the same number in all", file, mask.key,
           mask.rows, first->key, first->rows);
    }
    if (!first) first = &mask;
    splits = mask.ids.size();
  }
  dataset.stored_splits.resize(splits);
  for (std::size_t p = 0; p < kWikiCsParts; ++p) {
    WikiCsMask& mask = masks[p];
    for (std::size_t s = 0; s < splits && !mask.key.empty(); ++s) {
      std::vector<Index>& part = part_of(dataset.stored_splits[s], p);
      part = mask.several ? std::move(mask.ids[s]) : mask.ids[0];
    }
  }
  if (mode == ReadMode::kForAudit) return;
  const auto empty_in_all = [&](std::size_t p) {
    return std::ranges::all_of(dataset.stored_splits,
                               [&](const Split& split) { return split.parts()[p]->empty(); });
  };
  for (std::size_t p = 0; p < kNeededParts; ++p) {
    if (!empty_in_all(p)) continue;
    dataset.stored_splits.clear();
    return;
  }
  for (std::size_t s = 0; s < splits; ++s)
    check_split(dataset, dataset.stored_splits[s],
                fmt::format("{}: split {} of its masks", file, s));
}

}  // namespace cupel
