#include "cupel/data/formats/claims.h"

#include "cupel/base/error.h"

namespace cupel {

void check_claim(const std::string& where, std::int64_t count, const char* what,
                 std::uint64_t bytes) {
  if (count <= kFreeClaims) return;
  if (static_cast<std::uint64_t>(count - 1) / kClaimsPerByte < bytes) return;
  fail(
      "{}: claims {} {}, of which only {} bytes are there; at most {} for each byte are believed, "
      "leave out those that nothing is said of",
      where, count, what, bytes, kClaimsPerByte);
}

void check_unpacked(const std::string& where, std::uint64_t unpacked, std::uint64_t packed,
                    const char* way_out, std::uint64_t free) {
  if (unpacked <= free || unpacked / kUnpackedPerByte <= packed) return;
  fail(
      "{}: its {} compressed bytes become {} MiB or more, over {} times as many, as those of a "
      "trap "
      "do; if they are meant, {}",
      where, packed, unpacked >> 20, kUnpackedPerByte, way_out);
}

void check_split_count(const std::string& where, std::int64_t splits) {
  if (splits <= kMostSplits) return;
  fail("{}: has {} splits, at most {} are read; keep fewer", where, splits, kMostSplits);
}

}  // namespace cupel
