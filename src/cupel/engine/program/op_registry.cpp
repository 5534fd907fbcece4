#include "cupel/engine/program/op_example.h"

namespace cupel {

#define CUPEL_ENTRY(stem) extern const OpExamples op_##stem;
#include "op_registry.inc"
#undef CUPEL_ENTRY

std::vector<OpExample> all_op_examples() {
  std::vector<OpExample> all;
#define CUPEL_ENTRY(stem) all.insert(all.end(), op_##stem.begin(), op_##stem.end());
#include "op_registry.inc"
#undef CUPEL_ENTRY
  return all;
}

}  // namespace cupel
