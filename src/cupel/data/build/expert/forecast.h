// What a graph of publications will take of memory, by a sample of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/data/facts/academic.h"

namespace cupel {

// A file, by its place in a list, that is read from its beginning up to so many bytes.
struct FilePart {
  std::size_t file = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const FilePart&, const FilePart&) = default;
};

// Where a sample of about so many bytes of files of these sizes is read. A file is taken as often
// as its share of all bytes says, each time for as many bytes; any first ones are spread over all
// files as all are.
[[nodiscard]] std::vector<FilePart> spread_sample(std::span<const std::uint64_t> sizes,
                                                  std::uint64_t bytes);

// What all publications hold, `times` as many bytes as a sample has, by what growing parts of the
// sample hold, the last of which is all of it. Facts, papers and authorships grow as bytes do.
// Entities and ways to print them come again: they grow by the power of papers by which they grew
// from half of the sample to all of it (Heaps' law).
[[nodiscard]] AcademicSize extrapolated(std::span<const AcademicSize> sample, double times);

}  // namespace cupel
