// NumPy arrays and SciPy matrices inside pickles.
#pragma once

#include <optional>
#include <string>

#include "cupel/base/matrix.h"
#include "cupel/data/formats/npy.h"
#include "cupel/data/formats/pickle.h"

namespace cupel {

// Whether the value is a pickled numpy.ndarray, of whatever type.
[[nodiscard]] bool is_pickled_array(const PickleValue& value);

// A numpy.ndarray as numpy pickles it. `where` names it in messages. Throws Error unless it is one,
// of a type that NpyArray holds, with as many bytes as its shape takes.
[[nodiscard]] NpyArray pickled_array(const PickleValue& value, const std::string& where);

// A scipy.sparse csr_matrix. Rules and errors are those of make_csr.
[[nodiscard]] bool is_pickled_csr(const PickleValue& value);
[[nodiscard]] Csr pickled_csr(const PickleValue& value, const std::string& where);

}  // namespace cupel
