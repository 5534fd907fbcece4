// NumPy arrays: the .npy format (NEP 1, versions 1 to 3) and checked conversion to plain vectors.
//
// Types held: |b1, i1 i2 i4 i8, u1 u2 u4 u8, f4 f8, <U, |S. Big-endian files are swapped while
// reading. Anything else (objects are pickles, which can run code; half floats; complex; records)
// is refused by name. Values are functions of their arguments; safe to use from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

struct NpyType {
  char kind = 'f';          // NumPy's: b bool, i u integers, f floats, U text (UCS-4), S bytes
  std::uint32_t bytes = 4;  // per item; 0 is possible for texts only
  friend bool operator==(const NpyType&, const NpyType&) = default;
};

// As NumPy writes it: "<f4", "|b1", "<U7" (characters, not bytes).
[[nodiscard]] std::string to_text(const NpyType& type);

struct NpyArray {
  NpyType type;
  std::vector<std::int64_t> shape;  // () is one item
  bool fortran_order = false;       // first axis runs fastest
  std::vector<std::byte> bytes;     // items() * type.bytes, little-endian
  std::string where = "array";      // for messages, e.g. "cora.npz: member 'labels'"

  std::int64_t items() const;
};

// ---- conversion: always in row-major order; every failure names `where`, the position, the value
// --

// Integers or bools. Throws Error for other types and for u8 values above 2^63 - 1.
[[nodiscard]] std::vector<std::int64_t> to_integers(const NpyArray& array);
// Integers in [0, limit). `what` names the limit in the message, e.g. "the 2708 nodes".
// The array may be a piece of one of one axis, whose first item is number `first`.
[[nodiscard]] std::vector<Index> to_indices(const NpyArray& array, std::int64_t limit,
                                            const std::string& what, std::int64_t first = 0);
// Any number, finite also as a float.
[[nodiscard]] AlignedVector<float> to_floats(const NpyArray& array);
// Bools, or integers that are 0 or 1.
[[nodiscard]] std::vector<std::uint8_t> to_flags(const NpyArray& array);
// Texts, as UTF-8.
[[nodiscard]] std::vector<std::string> to_texts(const NpyArray& array);

// Throws Error unless the array has so many axes.
void check_axes(const NpyArray& array, std::size_t axes);

// ---- making arrays ------------------------------------------------------------------------------

// Row-major; an empty shape means one axis. Requires the shape to fit the values.
[[nodiscard]] NpyArray make_npy(std::span<const float> values,
                                std::vector<std::int64_t> shape = {});
[[nodiscard]] NpyArray make_npy(std::span<const std::int32_t> values,
                                std::vector<std::int64_t> shape = {});
[[nodiscard]] NpyArray make_npy(std::span<const std::int64_t> values,
                                std::vector<std::int64_t> shape = {});
// UTF-8 texts as <U. Throws Error for text that is not UTF-8.
[[nodiscard]] NpyArray make_npy(std::span<const std::string> texts);

// ---- files --------------------------------------------------------------------------------------

// The next bytes of a source, exactly as many as asked for, or an Error.
using ByteReader = std::function<void(void* out, std::size_t size)>;

// Parses an array of `size` bytes in all, header included. Memory grows with the bytes that really
// come, whatever the header claims.
[[nodiscard]] NpyArray read_npy(const std::string& where, std::uint64_t size,
                                const ByteReader& read);
[[nodiscard]] NpyArray read_npy(const std::filesystem::path& path);
// to_indices() of an array of one axis, piece by piece: beside the result it takes 16 MiB, whatever
// the size of the array.
[[nodiscard]] std::vector<Index> read_npy_indices(const std::string& where, std::uint64_t size,
                                                  const ByteReader& read, std::int64_t limit,
                                                  const std::string& what);

// What numpy.save writes: header version 1, data aligned to 64 bytes.
[[nodiscard]] std::vector<std::byte> npy_bytes(const NpyArray& array);
// Temporary file, then rename.
void write_npy(const NpyArray& array, const std::filesystem::path& path);
// The same of an array whose bytes are in `data` and not in the array itself.
void write_npy(const NpyArray& array, std::span<const std::byte> data,
               const std::filesystem::path& path);

}  // namespace cupel
