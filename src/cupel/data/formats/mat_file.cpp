// "MAT-File Format" (MathWorks), version 5: a header of 128 bytes, then elements of a tag and data.
#include "cupel/data/formats/mat_file.h"

#include <cmath>
#include <cstring>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/mat_bytes.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/graph/canonical.h"

namespace cupel {
namespace {

constexpr std::uint64_t kHeader = 128;
constexpr std::uint32_t kMatrix = 14, kCompressed = 15;                     // types of elements
constexpr std::uint32_t kSparse = 5, kFirstNumeric = 6, kLastNumeric = 15;  // classes of arrays
constexpr std::uint32_t kComplex = 0x0800;                                  // flag of an array

template <class T>
T read_as(const char* at) {
  T out;
  std::memcpy(&out, at, sizeof out);
  return out;
}

struct Element {
  std::uint32_t type = 0;
  std::vector<char> bytes;
};

// A tag of 8 bytes and data padded to 8; or, in 8 bytes, a short tag and up to 4 of data.
Element next_element(MatBytes& in) {
  const std::vector<char> tag = in.next(8);
  Element out;
  const auto first = read_as<std::uint32_t>(tag.data());
  if (first >> 16 != 0) {
    const std::uint32_t size = first >> 16;
    if (size > 4) in.fail_here(fmt::format("a short element of {} bytes", size));
    out.type = first & 0xffff;
    out.bytes.assign(tag.begin() + 4, tag.begin() + 4 + size);
    return out;
  }
  out.type = first;
  const auto size = read_as<std::uint32_t>(tag.data() + 4);
  out.bytes = in.next(size);
  if (size % 8 != 0) in.skip(8 - size % 8);
  return out;
}

template <class T>
void append(const Element& element, std::vector<double>& out) {
  out.reserve(element.bytes.size() / sizeof(T));
  for (std::size_t at = 0; at + sizeof(T) <= element.bytes.size(); at += sizeof(T))
    out.push_back(static_cast<double>(read_as<T>(element.bytes.data() + at)));
}

// Numbers are stored in the smallest type that holds them.
std::vector<double> numbers_of(const Element& element, const MatBytes& in) {
  std::vector<double> out;
  switch (element.type) {
    case 1:
      append<std::int8_t>(element, out);
      break;
    case 2:
      append<std::uint8_t>(element, out);
      break;
    case 3:
      append<std::int16_t>(element, out);
      break;
    case 4:
      append<std::uint16_t>(element, out);
      break;
    case 5:
      append<std::int32_t>(element, out);
      break;
    case 6:
      append<std::uint32_t>(element, out);
      break;
    case 7:
      append<float>(element, out);
      break;
    case 9:
      append<double>(element, out);
      break;
    case 12:
      append<std::int64_t>(element, out);
      break;
    case 13:
      append<std::uint64_t>(element, out);
      break;
    default:
      in.fail_here(fmt::format("numbers of the type {}", element.type));
  }
  return out;
}

std::vector<std::int64_t> whole_numbers_of(const Element& element, const MatBytes& in) {
  if (element.type != 5 && element.type != 6)
    in.fail_here(fmt::format("positions of the type {}", element.type));
  std::vector<std::int64_t> out;
  out.reserve(element.bytes.size() / 4);
  for (std::size_t at = 0; at + 4 <= element.bytes.size(); at += 4)
    out.push_back(read_as<std::int32_t>(element.bytes.data() + at));
  return out;
}

void check_sparse(MatVariable& out, const MatBytes& in) {
  if (static_cast<std::int64_t>(out.col_ptr.size()) != out.cols + 1 || out.col_ptr[0] != 0)
    in.fail_here(fmt::format("{} starts of {} columns", out.col_ptr.size(), out.cols));
  for (std::size_t c = 1; c < out.col_ptr.size(); ++c) {
    if (out.col_ptr[c] < out.col_ptr[c - 1])
      in.fail_here(fmt::format("column {} begins before the one before it", c));
  }
  // There may be room for more entries than there are.
  const auto entries = static_cast<std::size_t>(out.col_ptr.back());
  if (entries > out.row_of.size() || entries > out.values.size()) {
    in.fail_here(fmt::format("{} entries, but {} positions and {} values", entries,
                             out.row_of.size(), out.values.size()));
  }
  out.row_of.resize(entries);
  out.values.resize(entries);
  for (const std::int64_t row : out.row_of) {
    if (row < 0 || row >= out.rows)
      in.fail_here(fmt::format("row {} of a matrix of {} rows", row, out.rows));
  }
}

// The matrix, or nothing for what is not one of real numbers. `in` stands at its tag.
std::optional<MatVariable> next_matrix(MatBytes& in, const std::string& file) {
  const std::vector<char> tag = in.next(8);
  const auto type = read_as<std::uint32_t>(tag.data()),
             size = read_as<std::uint32_t>(tag.data() + 4);
  if (type != kMatrix || size == 0) return std::nullopt;
  const Element flags = next_element(in);
  if (flags.type != 6 || flags.bytes.size() != 8) in.fail_here("an array has no flags");
  const auto word = read_as<std::uint32_t>(flags.bytes.data());
  const std::uint32_t kind = word & 0xff;
  MatVariable out;
  out.sparse = kind == kSparse;
  if (!out.sparse && (kind < kFirstNumeric || kind > kLastNumeric)) return std::nullopt;
  const std::vector<std::int64_t> sides = whole_numbers_of(next_element(in), in);
  const Element name = next_element(in);
  out.name.assign(name.bytes.begin(), name.bytes.end());
  out.where = fmt::format("{}: variable {}", file, in_quotes(out.name));
  if ((word & kComplex) != 0 || sides.size() != 2) return std::nullopt;
  out.rows = sides[0];
  out.cols = sides[1];
  if (out.rows < 0 || out.cols < 0)
    in.fail_here(fmt::format("a matrix of {} x {}", out.rows, out.cols));
  if (out.sparse) {
    out.row_of = whole_numbers_of(next_element(in), in);
    out.col_ptr = whole_numbers_of(next_element(in), in);
    out.values = numbers_of(next_element(in), in);
    check_sparse(out, in);
    return out;
  }
  out.values = numbers_of(next_element(in), in);
  if (static_cast<std::int64_t>(out.values.size()) != out.rows * out.cols) {
    in.fail_here(
        fmt::format("{} values of a matrix of {} x {}", out.values.size(), out.rows, out.cols));
  }
  return out;
}

std::string header_of(const InputFile& file) {
  if (file.size() < kHeader) return "";
  std::string out(kHeader, '\0');
  file.read(0, out.data(), out.size());
  return out;
}

void check_shape(const MatVariable& variable) {
  if (variable.rows > kMostRows || variable.cols > kMostRows) {
    fail("{}: is {} x {}, at most {} are possible; use a smaller data set", variable.where,
         variable.rows, variable.cols, kMostRows);
  }
  const std::uint64_t bytes =
      8 * (variable.values.size() + variable.row_of.size() + variable.col_ptr.size());
  check_claim(variable.where, variable.rows, "rows", bytes);
  check_claim(variable.where, variable.cols, "columns", bytes);
}

float finite(const MatVariable& variable, double value) {
  const auto out = static_cast<float>(value);
  if (!std::isfinite(out)) {
    fail("{}: has the value {}, which is not a finite float32; replace it", variable.where, value);
  }
  return out;
}

}  // namespace

bool is_mat_file(const std::filesystem::path& path) {
  return header_of(InputFile(path)).starts_with("MATLAB ");
}

std::vector<MatVariable> read_mat_file(const std::filesystem::path& path) {
  const InputFile file(path);
  const std::string header = header_of(file);
  if (header.starts_with("MATLAB 7.3")) {
    fail("{}: is of version 7.3, which is HDF5; save it again with -v7", file.name());
  }
  if (!header.starts_with("MATLAB 5") || header.substr(126) != "IM") {
    fail("{}: is not a MAT-file of version 5 of a little-endian machine; save it again with -v7",
         file.name());
  }
  std::vector<MatVariable> out;
  for (std::uint64_t at = kHeader; at < file.size();) {
    char tag[8] = {};
    if (file.size() - at < sizeof tag) {
      fail("{}: ends inside an element, at byte {}; get the file again", file.name(), at);
    }
    file.read(at, tag, sizeof tag);
    const auto type = read_as<std::uint32_t>(tag);
    const std::uint64_t size = read_as<std::uint32_t>(tag + 4), data = at + sizeof tag;
    if (size > file.size() - data) {
      fail("{}: byte {}: an element of {} bytes where {} follow; get the file again", file.name(),
           at, size, file.size() - data);
    }
    const bool packed = type == kCompressed;
    MatBytes in(file, packed ? data : at, data + size, packed);
    if (auto variable = next_matrix(in, file.name())) out.push_back(std::move(*variable));
    at = data + size;
    if (!packed) at += (8 - size % 8) % 8;
  }
  return out;
}

Csr sparse_matrix(const MatVariable& variable, Offset* repeats) {
  check_shape(variable);
  Csr by_columns;  // the transpose
  by_columns.rows = static_cast<Index>(variable.cols);
  by_columns.cols = static_cast<Index>(variable.rows);
  if (variable.sparse) {
    by_columns.row_ptr.assign(variable.col_ptr.begin(), variable.col_ptr.end());
    by_columns.columns.assign(variable.row_of.begin(), variable.row_of.end());
    for (const double value : variable.values) by_columns.values.push_back(finite(variable, value));
  } else {
    for (std::int64_t c = 0, at = 0; c < variable.cols; ++c) {
      for (std::int64_t r = 0; r < variable.rows; ++r, ++at) {
        const float value = finite(variable, variable.values[static_cast<std::size_t>(at)]);
        if (value == 0) continue;
        by_columns.columns.push_back(static_cast<Index>(r));
        by_columns.values.push_back(value);
      }
      by_columns.row_ptr.push_back(static_cast<Offset>(by_columns.columns.size()));
    }
  }
  const auto stored = static_cast<Offset>(by_columns.columns.size());
  by_columns = canonical(std::move(by_columns));
  for (const float value : by_columns.values) (void)finite(variable, value);  // sums
  if (repeats) *repeats = stored - by_columns.entries();
  return transpose(by_columns);
}

Matrix dense_matrix(const MatVariable& variable) {
  check_shape(variable);
  if (variable.sparse) throw std::logic_error("a sparse matrix is asked for as a dense one");
  Matrix out(static_cast<Index>(variable.rows), static_cast<Index>(variable.cols));
  for (Index c = 0; c < out.cols; ++c) {
    for (Index r = 0; r < out.rows; ++r) {
      const auto at = static_cast<std::size_t>(c) * static_cast<std::size_t>(out.rows) +
                      static_cast<std::size_t>(r);
      out(r, c) = finite(variable, variable.values[at]);
    }
  }
  return out;
}

}  // namespace cupel
