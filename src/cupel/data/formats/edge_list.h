// Plain edge lists: the text files in which large graphs are handed around.
#pragma once

#include <filesystem>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"

namespace cupel {

// One edge per line: two whole numbers of 0 to 2147483646, with blanks, tabs or one comma between
// them. Lines that are blank or begin with '#' or '%' are skipped. Lines end in LF or CR LF.
//
// The nodes are the numbers that occur, in ascending order; class_names[...] and labels are empty
// and there is no feature, so the data set is good for statistics and not for training. Each line
// is the arc from its first to its second number; repeated lines are one arc. The adjacency is a
// pattern.
//
// The file is read in pieces, each by one thread; the result does not depend on how many there are.
// Peak memory: 12 bytes per line and 8 per node, and 1.5 bits per number up to the largest.
// Throws Error naming the first bad line.
[[nodiscard]] Dataset read_edge_list(const std::filesystem::path& path, Threads threads);

}  // namespace cupel
