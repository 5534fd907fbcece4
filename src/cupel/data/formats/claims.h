// How far a file is believed: what it claims is held against the bytes that it is made of, before
// memory is taken.
#pragma once

#include <cstdint>
#include <string>

namespace cupel {

// Nodes, columns and the like of which a file holds nothing but their number.
inline constexpr std::int64_t kFreeClaims = 1 << 16;
inline constexpr std::int64_t kClaimsPerByte = 16;

// Throws Error naming `where` if there are more `what` than kFreeClaims and than kClaimsPerByte for
// each of the `bytes` that stand for them.
void check_claim(const std::string& where, std::int64_t count, const char* what,
                 std::uint64_t bytes);

// Compressed bytes may become this many times as many, where they become more than is free.
inline constexpr std::uint64_t kUnpackedPerByte = 128;
inline constexpr std::uint64_t kFreeUnpacked = std::uint64_t{64} << 20;
// Of arrays of floats, since a dense matrix of zeros mostly is a usual thing.
inline constexpr std::uint64_t kFreeFloats = std::uint64_t{2} << 30;

// Throws Error naming `where` if `packed` bytes become too many; `way_out` says how to give the
// same without compression.
void check_unpacked(const std::string& where, std::uint64_t unpacked, std::uint64_t packed,
                    const char* way_out, std::uint64_t free = kFreeUnpacked);

// Splits of a file of masks, where a split of few nodes takes a few bytes.
inline constexpr std::int64_t kMostSplits = 10'000;
void check_split_count(const std::string& where, std::int64_t splits);

}  // namespace cupel
