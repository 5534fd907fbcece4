// A frame as an Arrow C stream, which pandas, polars, pyarrow and DuckDB read without our knowing
// of them (Arrow's C data and C stream interfaces, and their PyCapsules).
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "cupel/judge/report/frames.h"

namespace cupel::python {

// Capsules called "arrow_schema" and "arrow_array_stream". The stream has one batch; texts are
// utf8, whole numbers int64, reals float64, and what is absent is null.
[[nodiscard]] nanobind::capsule arrow_schema(const Frame& frame);
[[nodiscard]] nanobind::capsule arrow_stream(std::shared_ptr<const Frame> frame);

}  // namespace cupel::python
