// The account of how a data set came about, a JSON file that stands beside it.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace cupel {

// "roman.npz" -> "roman.npz.provenance.json", "set/" -> "set.provenance.json".
[[nodiscard]] std::filesystem::path provenance_path(const std::filesystem::path& data);

// Writes the data set at `data` by `write` and its account beside it. An account never stands
// beside data that it does not describe: an older one goes before the data are touched, the new one
// appears once they are there. Throws Error if the account cannot be written, before anything is
// touched, and whatever `write` throws.
void write_with_provenance(const std::filesystem::path& data, std::string_view provenance,
                           const std::function<void()>& write);

}  // namespace cupel
