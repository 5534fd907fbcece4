// Slow oracles with the contracts of the kernels of the same names, for tests and benchmarks.
#pragma once

#include "engine/kernels/reference/all_pairs_loss.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/dropout.h"
#include "engine/kernels/reference/edge.h"
#include "engine/kernels/reference/loss.h"
#include "engine/kernels/reference/optimiser.h"
#include "engine/kernels/reference/pair_loss.h"
#include "engine/kernels/reference/pointwise.h"
#include "engine/kernels/reference/rows.h"
#include "engine/kernels/reference/sparse.h"
