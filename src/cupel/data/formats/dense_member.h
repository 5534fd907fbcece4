// Members of an npz file that hold every entry, zeros too.
#pragma once

#include <cstdint>
#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npy.h"

namespace cupel {

inline constexpr std::int64_t kMostMemberBytes = (std::int64_t{1} << 32) - (1 << 20);  // of a zip

// Throws Error naming file and member if rows x columns entries of `unit` bytes are more than a
// member of a zip file may have.
void check_member_bytes(const std::filesystem::path& path, const char* member, std::int64_t rows,
                        std::int64_t columns, std::int64_t unit);

// The features as nodes x features of float32. Throws Error as above.
[[nodiscard]] NpyArray dense_features(const Dataset& dataset, const std::filesystem::path& path,
                                      const char* member);

}  // namespace cupel
