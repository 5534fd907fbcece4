// The header of a .npy file, apart from its data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/npy.h"

namespace cupel {

struct NpyHeader {
  NpyType type;  // kind 'O' for Python objects, whose data is never read
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::uint64_t data_bytes = 0;  // 0 for objects
};

// Reads magic, version and header of an array of `size` bytes in all; `left` gets what follows.
[[nodiscard]] NpyHeader read_npy_header(const std::string& where, std::uint64_t size,
                                        const ByteReader& read, std::uint64_t& left);

// Parses the dictionary literal, e.g. "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4),
// }". Accepts what NumPy accepts there (any key order, either quote, Python 2's long suffix) and no
// other Python. Throws Error naming `where`.
[[nodiscard]] NpyHeader parse_npy_header(const std::string& where, std::string_view text);

// The inverse, without padding.
[[nodiscard]] std::string npy_header_text(const NpyArray& array);

}  // namespace cupel
