#include "cupel/data/formats/mat_bytes.h"

#include <algorithm>
#include <new>

#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"

namespace cupel {
namespace {

constexpr std::uint64_t kBlock = 1 << 20;
constexpr std::uint64_t kMostPerByte = 1032;

}  // namespace

MatBytes::MatBytes(const InputFile& file, std::uint64_t begin, std::uint64_t end, bool compressed)
    : file_(file), begin_(begin), at_(begin), end_(end), compressed_(compressed) {
  if (compressed_ && inflateInit(&inflater_) != Z_OK) throw std::bad_alloc();
}

MatBytes::~MatBytes() {
  if (compressed_) inflateEnd(&inflater_);
}

void MatBytes::fail_here(const std::string& what) const {
  fail("{}: byte {}{}: {}; the file is damaged, or of a kind that is not read", file_.name(),
       begin_, compressed_ ? fmt::format(" ({} unpacked)", taken_) : fmt::format(" + {}", taken_),
       what);
}

std::uint64_t MatBytes::most_left() const {
  const std::uint64_t packed = end_ - at_ + inflater_.avail_in;
  return compressed_ ? packed * kMostPerByte + kMostPerByte : packed;
}

void MatBytes::fill(char* out, std::size_t size) {
  taken_ += size;
  if (!compressed_) {
    if (size > end_ - at_) fail_here(fmt::format("{} bytes are needed", size));
    file_.read(at_, out, size);
    at_ += size;
    return;
  }
  inflater_.next_out = reinterpret_cast<unsigned char*>(out);
  inflater_.avail_out = static_cast<uInt>(size);
  while (inflater_.avail_out > 0) {
    if (inflater_.avail_in == 0) {
      input_.resize(static_cast<std::size_t>(std::min(kBlock, end_ - at_)));
      if (input_.empty()) fail_here("the compressed bytes end too early");
      file_.read(at_, input_.data(), input_.size());
      at_ += input_.size();
      inflater_.next_in = input_.data();
      inflater_.avail_in = static_cast<uInt>(input_.size());
    }
    check_unpacked(file_.name(), taken_, at_ - begin_,
                   "save it again with -v6, which does not compress");
    const uInt before = inflater_.avail_out;
    const int status = inflate(&inflater_, Z_NO_FLUSH);
    if (status == Z_STREAM_END && inflater_.avail_out == 0) return;
    if (status == Z_STREAM_END || (status != Z_OK && status != Z_BUF_ERROR) ||
        (status == Z_BUF_ERROR && before == inflater_.avail_out && inflater_.avail_in > 0))
      fail_here("the compressed bytes are not valid");
  }
}

std::vector<char> MatBytes::next(std::uint64_t size) {
  if (size > most_left()) {
    fail_here(fmt::format("{} bytes are needed where at most {} follow", size, most_left()));
  }
  std::vector<char> out;
  while (out.size() < size) {
    const auto piece = static_cast<std::size_t>(std::min(kBlock, size - out.size()));
    out.resize(out.size() + piece);
    fill(out.data() + (out.size() - piece), piece);
  }
  return out;
}

void MatBytes::skip(std::uint64_t size) {
  if (size > most_left()) fail_here(fmt::format("{} bytes are needed", size));
  while (size > 0) {
    const std::uint64_t piece = std::min(kBlock, size);
    (void)next(piece);
    size -= piece;
  }
}

}  // namespace cupel
