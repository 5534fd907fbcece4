// A list of edges, on one thread and on several.
#include "cupel/data/formats/edge_list.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const auto path = folder() / "input.txt";
  write(path, input);
  refuse_or([&] { check(read_edge_list(path, {1}), ReadMode::kForAudit); });
}

}  // namespace cupel::fuzz
