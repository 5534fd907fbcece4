// A sum to which the same number is added over and over.
#pragma once

#include <cstdint>

namespace cupel {

// What `for (; times > 0; --times) sum += term;` gives, to the bit, in time that grows with the
// number of powers of two passed and not with `times`. `sum` >= 0, `term` >= 0, both finite.
[[nodiscard]] double add_repeatedly(double sum, double term, std::uint64_t times);

}  // namespace cupel
