#include "cupel/base/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace cupel {

void advise_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t kPage = 1 << 21;
  const auto from = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (from + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (from + bytes) / kPage * kPage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace cupel
