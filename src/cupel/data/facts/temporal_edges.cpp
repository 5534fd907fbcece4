#include "cupel/data/facts/temporal_edges.h"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"

namespace cupel {
namespace {

constexpr std::int64_t kLargest = 0x7ffffffe;
constexpr const char* kWanted = "source, target and time";

// The numbers that occur: as bits where there are many of them, else as a list.
class Occurring {
 public:
  Occurring(const TemporalFacts& facts, Index largest) {
    const std::size_t words = static_cast<std::size_t>(largest) / 64 + 1;
    if (words > facts.time.size() + 1024) {
      for (const auto* column : {&facts.source, &facts.target})
        list_.insert(list_.end(), column->all().begin(), column->all().end());
      sort_unique(list_);
      return;
    }
    bits_.resize(words);
    for (const auto* column : {&facts.source, &facts.target}) {
      for (const Index node : column->all())
        bits_[static_cast<std::size_t>(node) / 64] |= std::uint64_t{1} << (node % 64);
    }
    below_.resize(words + 1);
    for (std::size_t w = 0; w < words; ++w) below_[w + 1] = below_[w] + std::popcount(bits_[w]);
  }

  Index place(Index number) const {
    if (bits_.empty())
      return static_cast<Index>(std::lower_bound(list_.begin(), list_.end(), number) -
                                list_.begin());
    const std::size_t word = static_cast<std::size_t>(number) / 64;
    const std::uint64_t lower = (std::uint64_t{1} << (number % 64)) - 1;
    return below_[word] + std::popcount(bits_[word] & lower);
  }
  template <class Body>
  void each(Body body) const {
    for (const Index number : list_) body(number);
    for (std::size_t w = 0; w < bits_.size(); ++w) {
      for (std::uint64_t left = bits_[w]; left != 0; left &= left - 1)
        body(static_cast<Index>(w * 64) + std::countr_zero(left));
    }
  }

 private:
  std::vector<Index> list_;
  std::vector<std::uint64_t> bits_;
  std::vector<Index> below_;  // bits of the words before each
};

void read_lines(const std::filesystem::path& path, TemporalFacts& facts, Index& largest) {
  LineReader lines(path);
  std::array<std::int64_t, 8> n{};
  int count = 0;
  for (std::string_view line; lines.next(line);) {
    if (!whole_numbers(line, n, count) || count != 3) {
      if (is_comment(line)) continue;
      if (count == 4)
        lines.fail_here(
            "has four numbers where three are needed (source, target and time); facts with "
            "relations are read from a folder with stat.txt, or from csv with a header");
      fail_not_a_fact(lines, line, 3, kWanted);
    }
    for (int k = 0; k < 2; ++k) {
      const std::int64_t node = n[static_cast<std::size_t>(k)];
      if (node < 0 || node > kLargest)
        lines.fail_here(
            fmt::format("node {} is out of range; nodes are numbers from 0 to {}", node, kLargest));
      largest = std::max(largest, static_cast<Index>(node));
    }
    check_room(lines, facts);
    facts.push(static_cast<Index>(n[0]), 0, static_cast<Index>(n[1]), n[2]);
  }
  if (facts.facts() == 0)
    fail("{}: holds no fact; write source, target and time in each line", lines.name());
}

}  // namespace

void number_entities(TemporalFacts& facts, Index largest) {
  const Occurring nodes(facts, largest);
  for (auto* column : {&facts.source, &facts.target}) {
    for (Index& node : column->all()) node = nodes.place(node);
  }
  nodes.each([&](Index number) { facts.entity_names.add(std::to_string(number)); });
  facts.types = {"node"};
  facts.entity_types.assign(static_cast<std::size_t>(facts.entity_names.size()), 0);
}

TemporalFacts read_temporal_edges(const std::filesystem::path& path, FactNotes* notes) {
  try {
    TemporalFacts facts;
    facts.name = path.stem().string();
    facts.relations = {{"edge"}};
    Index largest = 0;
    read_lines(path, facts, largest);
    number_entities(facts, largest);
    settle(facts, notes);
    return facts;
  } catch (const std::bad_alloc&) {
    fail_memory(path);
  }
}

bool is_temporal_edges(const std::filesystem::path& path) {
  try {
    LineReader lines(path);
    std::array<std::int64_t, 8> n{};
    int count = 0;
    for (std::string_view line; lines.next(line);) {
      if (line.starts_with("%%MatrixMarket")) return false;  // weights, and no times
      if (!is_comment(line)) return whole_numbers(line, n, count) && count == 3;
    }
  } catch (const Error&) {
  }
  return false;
}

}  // namespace cupel
