// What a folder of facts says of how it was built: no file of it is an Error.
#include "cupel/data/formats/build_account.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  write(folder() / "provenance.json", input);
  const BuildAccount account = read_build_account(folder());
  std::size_t bytes = account.recipe.size();
  for (const auto& [name, value] : account.settings) bytes += name.size() + value.size();
  for (const auto& [name, files] : account.files)
    for (const std::string& file : files) bytes += file.size();
  // Numbers may be written longer than they stood there.
  if (bytes > 40 * input.size() + 40) std::abort();
}

}  // namespace cupel::fuzz
