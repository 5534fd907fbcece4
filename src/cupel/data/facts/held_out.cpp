#include "cupel/data/facts/held_out.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"

namespace cupel {
namespace {

constexpr std::uint32_t kPurpose = 1;

std::vector<bool> nodes_of(const FactColumns& facts) {
  std::vector<bool> out(static_cast<std::size_t>(facts.nodes));
  for (std::size_t i = 0; i < facts.source.size(); ++i) {
    out[static_cast<std::size_t>(facts.source[i])] = true;
    out[static_cast<std::size_t>(facts.target[i])] = true;
  }
  return out;
}

}  // namespace

std::vector<Index> draw_held_out(const FactColumns& facts, const TimeParts& parts, double share,
                                 StreamKey key, std::uint32_t step, const std::string& name) {
  const std::vector<bool> all = nodes_of(facts.part(0, parts.test_end));
  const std::vector<bool> asked = nodes_of(facts.part(parts.train_end, parts.test_end));
  const auto there = std::count(all.begin(), all.end(), true);
  // 0.1 of 70 nodes are 7, though the product in floating point is less.
  const auto wanted = static_cast<std::ptrdiff_t>(share * static_cast<double>(there) + 1e-9);
  std::vector<Index> from;
  for (Index node = 0; node < facts.nodes; ++node)
    if (asked[static_cast<std::size_t>(node)]) from.push_back(node);
  if (wanted > std::ssize(from))
    fail(
        "{}: to hold out {} of its {} nodes wants {} of those that are asked about, and they are "
        "{}; hold out fewer",
        name, share, there, wanted, from.size());
  Stream stream(key, kPurpose, step);
  draw_to_front(from, static_cast<std::size_t>(wanted), stream);
  from.resize(static_cast<std::size_t>(wanted));
  std::ranges::sort(from);
  return from;
}

std::vector<Index> train_without(const FactColumns& facts, const TimeParts& parts,
                                 const std::vector<Index>& nodes, const std::string& name) {
  const auto held = [&](Index node) { return std::ranges::binary_search(nodes, node); };
  std::vector<Index> out;
  for (Offset i = 0; i < parts.train_end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!held(facts.source[at]) && !held(facts.target[at])) out.push_back(static_cast<Index>(i));
  }
  if (out.empty())
    fail("{}: every training fact has one of {} nodes that are held out; hold out fewer", name,
         nodes.size());
  return out;
}

}  // namespace cupel
