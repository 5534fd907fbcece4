#include "cupel/data/generate/rmat.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <vector>

#include "cupel/base/huge_pages.h"
#include "cupel/data/graph/parallel_rows.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kDraws = 1, kNumbering = 2 };

constexpr int kLevelsAtOnce = 4;
constexpr std::int64_t kDrawsEach = 1 << 14;

// Some levels of the descent by one random word: which of the 4^levels parts of the matrix.
class Descent {
 public:
  Descent(int levels, const std::array<double, 4>& quarters) {
    const std::size_t parts = std::size_t{1} << (2 * levels);
    double sum = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      double probability = 1;
      for (int level = levels; level-- > 0;) probability *= quarters[(part >> (2 * level)) & 3];
      sum += probability;
      ends_[part] = static_cast<std::uint64_t>(std::min(sum, 1.0) * 0x1p32);
      for (int level = 0; level < levels; ++level) {
        source_[part] |= static_cast<std::uint8_t>((part >> (2 * level + 1) & 1) << level);
        target_[part] |= static_cast<std::uint8_t>((part >> (2 * level) & 1) << level);
      }
    }
    // What rounding leaves behind the last part that has a chance is that part's.
    std::size_t last = parts - 1;
    while (last > 0 && ends_[last] == ends_[last - 1]) --last;
    for (; last < parts; ++last) ends_[last] = std::uint64_t{1} << 32;
    for (std::size_t bucket = 0, part = 0; bucket < first_.size(); ++bucket) {
      while (ends_[part] <= bucket << kBucketBits) ++part;
      first_[bucket] = static_cast<std::uint8_t>(part);
    }
  }

  void descend(std::uint32_t random, int levels, std::uint32_t& source,
               std::uint32_t& target) const {
    std::size_t part = first_[random >> kBucketBits];
    while (ends_[part] <= random) ++part;
    source = source << levels | source_[part];
    target = target << levels | target_[part];
  }

 private:
  static constexpr int kBucketBits = 20;
  static constexpr std::size_t kParts = std::size_t{1} << (2 * kLevelsAtOnce);
  std::array<std::uint64_t, kParts> ends_{};  // of the random words that lead to each part
  std::array<std::uint8_t, kParts> source_{}, target_{};
  std::array<std::uint8_t, std::size_t{1} << (32 - kBucketBits)> first_{};  // to be looked at
};

class Drawing {
 public:
  explicit Drawing(const RmatSettings& settings)
      : settings_(settings),
        four_(kLevelsAtOnce, quarters(settings)),
        rest_(settings.scale % kLevelsAtOnce, quarters(settings)),
        number_(settings.key, kNumbering, settings.scale) {}

  // Calls take(i, j), i < j, for every draw that is no loop, on many threads.
  template <class Take>
  void each(Threads threads, Take take) const {
    parallel_blocks(
        threads, settings_.draws, kDrawsEach, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t draw = begin; draw < end; ++draw) {
            auto [i, j] = at(static_cast<std::uint64_t>(draw));
            if (i == j) continue;
            if (settings_.permute) i = number_(i), j = number_(j);
            take(static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j)));
          }
        });
  }

 private:
  static std::array<double, 4> quarters(const RmatSettings& s) {
    return {s.a, s.b, s.c, std::max(0.0, 1 - s.a - s.b - s.c)};
  }

  std::pair<std::uint32_t, std::uint32_t> at(std::uint64_t draw) const {
    std::uint32_t source = 0, target = 0;
    std::array<std::uint32_t, 4> words{};
    const int whole = settings_.scale / kLevelsAtOnce, rest = settings_.scale % kLevelsAtOnce;
    for (int word = 0; word < whole + (rest > 0); ++word) {
      if (word % 4 == 0)
        words = philox(settings_.key, kDraws, static_cast<std::uint32_t>(draw >> 32),
                       static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(word / 4));
      const std::uint32_t random = words[static_cast<std::size_t>(word % 4)];
      if (word < whole)
        four_.descend(random, kLevelsAtOnce, source, target);
      else
        rest_.descend(random, rest, source, target);
    }
    return {source, target};
  }

  const RmatSettings& settings_;
  const Descent four_, rest_;
  const RandomNumbering number_;
};

}  // namespace

RandomNumbering::RandomNumbering(StreamKey key, std::uint32_t purpose, int bits)
    : factors_{}, mask_((std::uint32_t{1} << bits) - 1), half_((bits + 1) / 2) {
  Stream stream(key, purpose);
  for (std::uint32_t& factor : factors_) factor = stream.next_u32() | 1;
}

Csr rmat_graph(const RmatSettings& settings, Threads threads) {
  const Drawing drawing(settings);
  Csr out;
  out.rows = out.cols = static_cast<Index>(Offset{1} << settings.scale);
  out.row_ptr.assign(static_cast<std::size_t>(out.rows) + 1, 0);
  drawing.each(threads, [&](Index i, Index) {
    std::atomic_ref(out.row_ptr[static_cast<std::size_t>(i) + 1])
        .fetch_add(1, std::memory_order_relaxed);
  });
  std::partial_sum(out.row_ptr.begin(), out.row_ptr.end(), out.row_ptr.begin());
  const auto entries = static_cast<std::size_t>(out.entries());
  out.columns.reserve(entries);
  advise_huge_pages(out.columns.data(), entries * sizeof(Index));
  out.columns.resize(entries);
  std::vector<Offset> next(out.row_ptr.begin(), out.row_ptr.end() - 1);
  drawing.each(threads, [&](Index i, Index j) {
    const Offset to =
        std::atomic_ref(next[static_cast<std::size_t>(i)]).fetch_add(1, std::memory_order_relaxed);
    out.columns[static_cast<std::size_t>(to)] = j;
  });
  next = {};
  const Offset kept = sort_and_merge_rows(out.row_ptr, out.columns.data(), out.rows, threads);
  out.columns.resize(static_cast<std::size_t>(kept));
  return out;
}

}  // namespace cupel
