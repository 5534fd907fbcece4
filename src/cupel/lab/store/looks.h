// How large a cell may get whose runs end as soon as it is decided.
#pragma once

namespace cupel {

// The most splits and initialisations; looks at the cell are planned up to there.
struct Looks {
  int splits = 0, inits = 0;
  friend bool operator==(const Looks&, const Looks&) = default;
};

}  // namespace cupel
