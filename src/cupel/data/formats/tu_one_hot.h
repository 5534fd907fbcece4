// Labels to positions of ones.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/formats/tu_rows.h"

namespace cupel::tu {

// Each label column gets one column for each of its values, ascending; label column after label
// column.
struct OneHot {
  Index rows = 0, columns = 0;  // of labels
  Index width = 0;              // different values of all label columns together
  std::vector<Index> codes;     // per label, row after row: the column of its one

  const Index* row(Index i) const {
    return codes.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(columns);
  }
};

// Throws Error naming `where` if there are too many columns for a matrix.
[[nodiscard]] OneHot one_hot(const Table<std::int64_t>& labels, const std::string& where);

}  // namespace cupel::tu
