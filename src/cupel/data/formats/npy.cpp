#include "cupel/data/formats/npy.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/base/huge_pages.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/npy_header.h"

namespace cupel {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are held little-endian");

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicSize = 6, kAlign = 64;
constexpr std::uint64_t kPiece = std::uint64_t{1} << 22;  // of indices, in bytes
constexpr std::uint64_t kFirstPiece = std::uint64_t{1} << 24;

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

// Grows with what has come: a false claim costs at most twice the bytes that are really there.
std::vector<std::byte> read_data(const std::string& where, std::uint64_t size,
                                 const ByteReader& read) {
  if (size > physical_memory()) {
    fail(
        "{}: needs {} bytes, more than the memory of this machine; use a larger machine or a "
        "smaller file",
        where, size);
  }
  std::vector<std::byte> out;
  while (out.size() < size) {
    const std::size_t have = out.size();
    out.resize(std::min(size, std::max<std::uint64_t>(kFirstPiece, 2 * have)));
    read(out.data() + have, out.size() - have);
  }
  return out;
}

// The header of an array whose data follow as it says.
NpyHeader checked_header(const std::string& where, std::uint64_t size, const ByteReader& read) {
  std::uint64_t left = 0;
  NpyHeader header = read_npy_header(where, size, read, left);
  if (header.type.kind == 'O') {
    fail(
        "{}: holds Python objects, which may run code when read; save it as a plain array, without "
        "dtype=object",
        where);
  }
  if (header.data_bytes != left) {
    fail(
        "{}: its header promises {} bytes of data (dtype {}, shape ({})) but {} follow; the file "
        "is "
        "damaged, get it again",
        where, header.data_bytes, to_text(header.type), fmt::join(header.shape, ", "), left);
  }
  return header;
}

// What stands before the data in a file.
std::string file_head(const NpyArray& array) {
  std::string head(kMagic, kMagicSize);
  head += {'\1', '\0', '\0', '\0'};
  head += npy_header_text(array);
  head.append(kAlign - 1 - head.size() % kAlign, ' ');
  head += '\n';
  const std::size_t length = head.size() - kMagicSize - 4;
  head[kMagicSize + 2] = static_cast<char>(length & 0xff);
  head[kMagicSize + 3] = static_cast<char>(length >> 8);
  return head;
}

void swap_bytes(std::vector<std::byte>& bytes, std::size_t unit) {
  for (std::size_t at = 0; unit > 1 && at < bytes.size(); at += unit) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + unit));
  }
}

template <class T>
NpyArray make(char kind, std::span<const T> values, std::vector<std::int64_t> shape) {
  NpyArray out;
  out.type = {kind, sizeof(T)};
  out.shape = std::move(shape);
  if (out.shape.empty()) out.shape = {static_cast<std::int64_t>(values.size())};
  if (out.items() != static_cast<std::int64_t>(values.size())) {
    throw std::logic_error("the shape does not fit the values");
  }
  out.bytes.resize(values.size_bytes());
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), values.size_bytes());
  return out;
}

}  // namespace

std::int64_t NpyArray::items() const {
  std::int64_t product = 1;
  for (const std::int64_t length : shape) product *= length;
  return product;
}

void check_axes(const NpyArray& array, std::size_t axes) {
  if (array.shape.size() == axes) return;
  fail("{}: has {} axes where {} are needed (shape ({})); reshape it and save it again",
       array.where, array.shape.size(), axes, fmt::join(array.shape, ", "));
}

NpyArray make_npy(std::span<const float> values, std::vector<std::int64_t> shape) {
  return make('f', values, std::move(shape));
}
NpyArray make_npy(std::span<const std::int32_t> values, std::vector<std::int64_t> shape) {
  return make('i', values, std::move(shape));
}
NpyArray make_npy(std::span<const std::int64_t> values, std::vector<std::int64_t> shape) {
  return make('i', values, std::move(shape));
}

NpyArray read_npy(const std::string& where, std::uint64_t size, const ByteReader& read) {
  const NpyHeader header = checked_header(where, size, read);
  NpyArray out{header.type, header.shape, header.fortran_order, {}, where};
  out.bytes = read_data(where, header.data_bytes, read);
  if (header.big_endian) swap_bytes(out.bytes, out.type.kind == 'U' ? 4 : out.type.bytes);
  return out;
}

std::vector<Index> read_npy_indices(const std::string& where, std::uint64_t size,
                                    const ByteReader& read, std::int64_t limit,
                                    const std::string& what) {
  const NpyHeader header = checked_header(where, size, read);
  check_axes(NpyArray{header.type, header.shape, header.fortran_order, {}, where}, 1);
  std::vector<Index> out;
  // Room for all, of which the system gives what is written to.
  out.reserve(static_cast<std::size_t>(header.shape[0]));
  advise_huge_pages(out.data(), out.capacity() * sizeof(Index));
  NpyArray piece{header.type, {0}, false, {}, where};
  static_cast<void>(to_indices(piece, limit, what));  // throws for other types
  const std::int64_t unit = header.type.bytes;
  for (std::int64_t first = 0; first < header.shape[0]; first += piece.shape[0]) {
    piece.shape[0] = std::min(header.shape[0] - first, static_cast<std::int64_t>(kPiece) / unit);
    piece.bytes = read_data(where, static_cast<std::uint64_t>(piece.shape[0] * unit), read);
    if (header.big_endian) swap_bytes(piece.bytes, header.type.bytes);
    const std::vector<Index> items = to_indices(piece, limit, what, first);
    out.insert(out.end(), items.begin(), items.end());
  }
  return out;
}

NpyArray read_npy(const std::filesystem::path& path) {
  const InputFile file(path);
  std::uint64_t at = 0;
  return read_npy(file.name(), file.size(), [&](void* out, std::size_t size) {
    file.read(at, out, size);
    at += size;
  });
}

std::vector<std::byte> npy_bytes(const NpyArray& array) {
  const std::string head = file_head(array);
  std::vector<std::byte> out(head.size() + array.bytes.size());
  std::memcpy(out.data(), head.data(), head.size());
  if (!array.bytes.empty()) {
    std::memcpy(out.data() + head.size(), array.bytes.data(), array.bytes.size());
  }
  return out;
}

void write_npy(const NpyArray& array, std::span<const std::byte> data,
               const std::filesystem::path& path) {
  const std::string head = file_head(array);
  OutputFile file(path);
  file.write(head.data(), head.size());
  file.write(data.data(), data.size());
  file.commit();
}

void write_npy(const NpyArray& array, const std::filesystem::path& path) {
  write_npy(array, array.bytes, path);
}

}  // namespace cupel
