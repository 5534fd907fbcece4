// Passes: a program in, a better program out. Each keeps the program's meaning.
#pragma once

#include <vector>

#include "cupel/engine/program/program.h"

namespace cupel {

// The evaluation form: dropout becomes the identity, penalties are left out.
[[nodiscard]] Program without_dropout(const Program& program);

// A (X W) or (A X) W, whichever multiplies fewer numbers: propagation runs at the narrower width,
// and always after a product with a sparse X. Only where the inner value has no other reader.
[[nodiscard]] Program order_products(const Program& program);

// Bias, activation and dropout that follow each other become one pass, and so does the sum of what
// bias and dropout give with another value. A bias before a batch norm and a relu behind it join
// it.
[[nodiscard]] Program fuse_chains(const Program& program);

// The inner product of two gathered rows of one table reads the table itself. The gathered values
// stay for other readers.
[[nodiscard]] Program fuse_gathers(const Program& program);

// Values that nothing reads are left out.
[[nodiscard]] Program drop_unread(const Program& program);

// Per value: true if it depends on no parameter and no randomness, so that one computation per
// binding is enough (hoisting).
[[nodiscard]] std::vector<bool> hoistable(const Program& program);

// Per value: true if a trained parameter is behind it, so that a gradient flows.
[[nodiscard]] std::vector<bool> differentiable(const Program& program);

// All of them, in order.
[[nodiscard]] Program compile(const Program& program, bool training);

}  // namespace cupel
