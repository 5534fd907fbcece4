// Loops over rows of kBatch numbers, one row for each node, in vectors of whatever width the
// machine has. Columns do not meet and nothing is fused, so that the bits are the same on all. Such
// rows begin at multiples of kAlignment bytes (AlignedVector); nothing else need be aligned.
#pragma once

#include "cupel/base/matrix.h"

namespace cupel {

inline constexpr Index kBatch = 16;

namespace batch_rows {

// Of each row v: to = to + factor (weight[v] sum + start - to), where the sum is over the rows of
// `from` that v is linked with. `links` is a square pattern.
void step(const Csr& links, const float* weight, const float* start, const float* from, float* to,
          float factor);

// Of each row v: missing = weight[v] sum - of, computed in double and rounded.
void missing(const Csr& links, const double* weight, const float* of, float* missing);

// Of each row i of `rows`: out = outer[i] inner[i] (a + b), a and b being rows place[i], computed
// in double and rounded.
void spread(Index rows, const Index* place, const double* outer, const double* inner,
            const float* a, const float* b, float* out);

// Of each row of x: out = scale[v] times the sum of its values times those rows of `asked`, in
// double and rounded.
void products(const Csr& x, const double* asked, const double* scale, float* out);
void products(const Matrix& x, const double* asked, const double* scale, float* out);

// The first row of [begin, end) with a number of at least its column's bound; `end` if there is
// none.
[[nodiscard]] Index first_reaching(const float* rows, Index begin, Index end, const float* bounds);

}  // namespace batch_rows
}  // namespace cupel
