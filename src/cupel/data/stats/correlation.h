// How two lists of numbers go together.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace cupel {

// Pearson's correlation, in [-1, 1]. None for fewer than two numbers or if one list is constant.
// Lists of different lengths are the caller's bug.
[[nodiscard]] std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Spearman's: Pearson's of the ranks, equal numbers share the mean of their ranks. None likewise.
[[nodiscard]] std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

// From 1, equal numbers share the mean of their ranks.
[[nodiscard]] std::vector<double> average_ranks(std::span<const double> values);

}  // namespace cupel
