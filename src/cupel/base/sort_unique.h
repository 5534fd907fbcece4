// A list as a set: ascending, each value once.
#pragma once

#include <algorithm>
#include <vector>

namespace cupel {

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace cupel
