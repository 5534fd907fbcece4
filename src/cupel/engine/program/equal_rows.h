// Rows of values that are equal whatever the parameters are, found by colour refinement: rows of
// constants by their content, rows of an op by the rows that they read, neighbours as a multiset.
// Computing one row of each class computes all of them: Bollen, Steegmans, Van den Bussche and
// Vansummeren, "Learning graph neural networks using exact compression", GRADES-NDA 2023.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/engine/program/row_sets.h"

namespace cupel {

struct EqualRows {
  struct Partition {
    std::vector<Index> of;  // class of each row
    Index classes = 0;      // 0: nearly all rows differ, and `of` is empty
  };
  struct Used {
    SpaceId space = kStaticSpace;
    std::shared_ptr<const Partition> rows;  // never null; shared with other programs
  };
  std::vector<Used> partitions;
  // By value of the program: its partition; -1 where rows differ, or so few are equal that nothing
  // would be won.
  std::vector<int> of_value;

  std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const Used& partition : partitions) bytes += partition.rows->of.size() * sizeof(Index);
    return bytes;
  }
};

// Keeps partitions for other programs that have constants of the same names: gives what is kept
// under a description, or what `make` makes.
using KeptPartitions = std::function<std::shared_ptr<const EqualRows::Partition>(
    const std::string& description, const std::function<EqualRows::Partition()>& make)>;

// `constants` of a compiled `program` by slot. Values of ops that cannot fold rows, or that are
// read whole by such an op, have no partition. Memory: an Index per row and partition.
[[nodiscard]] EqualRows find_equal_rows(const Program& program,
                                        const std::vector<ConstantMatrix>& constants,
                                        const KeptPartitions& kept = {});

// The classes of the rows in `ranges`, each a first row and an end, numbered by first appearance.
void take_classes(const EqualRows::Partition& partition,
                  std::span<const std::pair<Offset, Offset>> ranges, RowClasses& out);

// Whether so few rows are equal that to compute them all is as well; and how many rows are computed
// at most of a value with so many classes.
inline bool nearly_all_differ(std::size_t classes, std::size_t rows) {
  return 8 * classes > 7 * rows;
}
inline std::size_t rows_at_most(Index classes) { return 8 * static_cast<std::size_t>(classes) / 7; }

}  // namespace cupel
