#include "cupel/data/formats/tu_one_hot.h"

#include <algorithm>
#include <limits>

#include "cupel/base/sort_unique.h"

namespace cupel::tu {
namespace {

// Numbers the values of one label column.
class Ranks {
 public:
  Ranks(const Table<std::int64_t>& labels, Index column) {
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    low_ = std::numeric_limits<std::int64_t>::max();
    for (Index i = 0; i < labels.rows; ++i) {
      low_ = std::min(low_, labels.row(i)[column]);
      high = std::max(high, labels.row(i)[column]);
    }
    // Differences of 64-bit numbers, as unsigned ones, cannot overflow.
    const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low_);
    if (range < kTable && range <= kPerRow * static_cast<std::uint64_t>(labels.rows)) {
      table_.assign(static_cast<std::size_t>(range) + 1, -1);
      for (Index i = 0; i < labels.rows; ++i) table_[offset(labels.row(i)[column])] = 0;
      for (Index& rank : table_) rank = rank < 0 ? -1 : size_++;
      return;
    }
    for (Index i = 0; i < labels.rows; ++i) values_.push_back(labels.row(i)[column]);
    sort_unique(values_);
    size_ = static_cast<Index>(values_.size());
  }

  Index size() const { return size_; }
  Index of(std::int64_t value) const {
    if (!table_.empty()) return table_[offset(value)];
    return static_cast<Index>(std::ranges::lower_bound(values_, value) - values_.begin());
  }

 private:
  // Ranges for which a table is worth it; there may be as many tables as a line has fields.
  static constexpr std::uint64_t kTable = 1 << 16, kPerRow = 16;

  std::size_t offset(std::int64_t value) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(value) -
                                    static_cast<std::uint64_t>(low_));
  }

  std::int64_t low_ = 0;
  Index size_ = 0;
  std::vector<Index> table_;          // rank by value - low_, or
  std::vector<std::int64_t> values_;  // the values by rank
};

}  // namespace

OneHot one_hot(const Table<std::int64_t>& labels, const std::string& where) {
  OneHot out;
  out.rows = labels.rows;
  out.columns = labels.columns;
  out.codes.resize(labels.values.size());
  for (Index c = 0; c < labels.columns; ++c) {
    const Ranks ranks(labels, c);
    if (ranks.size() > std::numeric_limits<Index>::max() - out.width) {
      fail("{}: has more than {} different labels; use fewer", where,
           std::numeric_limits<Index>::max());
    }
    for (Index i = 0; i < labels.rows; ++i) {
      const auto at = static_cast<std::size_t>(i) * static_cast<std::size_t>(labels.columns) +
                      static_cast<std::size_t>(c);
      out.codes[at] = out.width + ranks.of(labels.row(i)[c]);
    }
    out.width += ranks.size();
  }
  return out;
}

}  // namespace cupel::tu
