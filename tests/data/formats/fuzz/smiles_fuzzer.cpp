// A table of molecules.
#include "cupel/data/formats/smiles_csv.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const auto path = folder() / "input.csv";
  write(path, input);
  refuse_or([&] { check(read_smiles_csv(path), ReadMode::kForUse); });
}

}  // namespace cupel::fuzz
