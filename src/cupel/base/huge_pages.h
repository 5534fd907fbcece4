// Large arrays that are read or written all over.
#pragma once

#include <cstddef>

namespace cupel {

// Asks for large pages: with small ones, access at random spends most of its time on finding
// pages, and long walks a twentieth. To be called before the memory is first touched. Without
// effect where the system does not want it.
void advise_huge_pages(void* memory, std::size_t bytes);

}  // namespace cupel
