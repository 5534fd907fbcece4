// One kernel at one shape: checked against its slow oracle, then timed.
#pragma once

#include <functional>
#include <string>

namespace cupel::bench {

struct Case {
  std::string name;
  std::function<void()> kernel, oracle;
  // Largest difference between what the two left behind, relative to the largest value; compared
  // with `tolerance` before anything is timed.
  std::function<double()> difference;
  double tolerance = 0;
  double bytes = 0, flops = 0;  // per call: what has to move and what has to be computed
};

// Registers the kernel's benchmark. Before it is timed, kernel and oracle run once each and are
// compared, and the oracle is timed. A difference above the tolerance ends the program with exit
// code 1.
void add_case(Case item);

// Files of cases put themselves here before main() runs.
struct Cases {
  explicit Cases(void (*add)());
};

}  // namespace cupel::bench
