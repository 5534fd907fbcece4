// Large arrays that are written all over.
#pragma once

#include <cstddef>

namespace cupel {

// Asks for large pages: with small ones, writing at random spends most of its time on finding
// pages. To be called before the memory is first touched. Without effect where the system does not
// want it.
void advise_huge_pages(void* memory, std::size_t bytes);

}  // namespace cupel
