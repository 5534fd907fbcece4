// Whether products are added without a rounding in between: the only thing about a processor that
// shows in results.
#pragma once

namespace cupel::kernels {

// Of the instruction set that Highway picks here: true on any x86 since 2013 and on every 64-bit
// ARM.
[[nodiscard]] bool fuses_multiply_add();

}  // namespace cupel::kernels
