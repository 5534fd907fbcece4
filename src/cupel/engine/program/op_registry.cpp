#include "cupel/engine/program/op_example.h"

namespace cupel {

#include "op_registry.inc"

std::vector<OpExample> all_op_examples() {
  std::vector<OpExample> all;
  for (const OpExamples* examples : op_registry())
    all.insert(all.end(), examples->begin(), examples->end());
  return all;
}

}  // namespace cupel
