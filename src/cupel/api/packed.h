// Data sets and tables as bytes, for another process: a pickle's content. No format of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/judge/report/frames.h"

namespace cupel {

using Packed = std::vector<std::uint8_t>;

// All that it holds, with a hash of it; about as many bytes as it takes in memory. A pure function
// of the data set.
[[nodiscard]] Packed packed(const Dataset& dataset);
[[nodiscard]] Packed packed(const Frame& frame);

// The same again, to the bit. Throws Error for bytes that are damaged, or are of another version of
// this library or another kind of thing.
[[nodiscard]] Dataset unpacked_dataset(std::span<const std::uint8_t> bytes);
[[nodiscard]] Frame unpacked_frame(std::span<const std::uint8_t> bytes);

}  // namespace cupel
