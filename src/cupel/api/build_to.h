// A data set from raw sources, to a file or a folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/data/build/recipe.h"

namespace cupel {

struct BuildRequest {
  std::string recipe;
  std::vector<std::string> from;      // as for find_inputs()
  std::vector<std::string> settings;  // "name=value"
  std::string out;                    // a file, or a folder where the recipe makes one
  // Where steps that take long are kept for later builds; empty: beside the result, until it is
  // there.
  std::string steps;
  std::size_t memory_bytes = 0;  // a limit, of recipes with a forecast; 0: what is free
};

struct BuildOutcome {
  const BuildRecipe* recipe = nullptr;
  Built built;
  std::filesystem::path path, account;  // of the result and of what was done
};

// What the last step tells, without a size.
inline constexpr const char* kWriting = "writing";

// What the build will take of memory by a sample of its inputs, held against the limit: a sentence
// where that is much, "" where it is not, or not known. Throws Error where it is too much (see
// facts_memory.h), for inputs and settings as build_to() does, and for a limit of a recipe without
// forecast.
[[nodiscard]] std::string memory_for_build(const BuildRequest& request);

// Everything that can be known to be wrong is checked before anything is read. Throws Error as
// build() and write_built() do, if the result would take the place of an input, and where it comes
// to take more than the limit. Nothing is written then.
[[nodiscard]] BuildOutcome build_to(const BuildRequest& request, const BuildProgress& progress);

// As `cupel build --json` prints it.
[[nodiscard]] nlohmann::ordered_json outcome_json(const BuildOutcome& outcome);

}  // namespace cupel
