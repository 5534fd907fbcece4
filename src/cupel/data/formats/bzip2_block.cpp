#include "cupel/data/formats/bzip2_block.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "cupel/base/error.h"

namespace cupel {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
// Input is read in pieces that grow, since there are files of many blocks of a few bytes each.
constexpr std::size_t kFirstRead = 2048, kLargestRead = std::size_t{1} << 16;

}  // namespace

// The bits of a file from some bit on, as bytes.
struct Bzip2Block::Input {
  const InputFile& file;
  std::uint64_t byte;
  int shift;
  std::size_t size = kFirstRead;
  std::vector<unsigned char> bytes{};

  // The last byte of the file is filled up with zeros.
  bool next(bz_stream& stream) {
    if (byte >= file.size()) return false;
    const std::size_t got = std::min<std::uint64_t>(size, file.size() - byte);
    const std::size_t read = std::min<std::uint64_t>(got + 1, file.size() - byte);
    bytes.resize(got + 1);
    bytes[got] = 0;
    file.read(byte, bytes.data(), read);
    if (shift > 0) {
      for (std::size_t i = 0; i < got; ++i)
        bytes[i] = static_cast<unsigned char>(bytes[i] << shift | bytes[i + 1] >> (8 - shift));
    }
    stream.next_in = reinterpret_cast<char*>(bytes.data());
    stream.avail_in = static_cast<unsigned>(got);
    byte += got;
    size = std::min(2 * size, kLargestRead);
    return true;
  }
};

Bzip2Block::Bzip2Block(const InputFile& file, std::uint64_t bit, int level)
    : file_(file), bit_(bit), level_(level) {}

Bzip2Block::~Bzip2Block() { close(); }

void Bzip2Block::close() {
  if (open_) BZ2_bzDecompressEnd(&stream_);
  open_ = false;
}

void Bzip2Block::decode() noexcept {
  try {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    open_ = true;
    outcome_ = read_codes();
    if (outcome_ == Outcome::kGood) unpack();
  } catch (...) {
    problem_ = std::current_exception();
  }
  if (outcome_ != Outcome::kGood || problem_) close();
}

Bzip2Block::Outcome Bzip2Block::read_codes() {
  char head[] = {'B', 'Z', 'h', static_cast<char>('0' + level_)};
  char nothing = 0;
  stream_.next_in = head;
  stream_.avail_in = sizeof head;
  stream_.next_out = &nothing;
  stream_.avail_out = 0;  // so that it stops when it has all codes
  Input input{file_, bit_ / 8, static_cast<int>(bit_ % 8)};
  while (true) {
    const int status = BZ2_bzDecompress(&stream_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status != BZ_OK) return Outcome::kBadCodes;
    if (stream_.avail_in > 0) break;
    if (stopped_) return Outcome::kStopped;
    if (!input.next(stream_)) return Outcome::kCutOff;
  }
  // It takes a byte when it needs a bit of it, and never before.
  const std::uint64_t taken =
      (std::uint64_t{stream_.total_in_hi32} << 32 | stream_.total_in_lo32) - sizeof head;
  end_bit_ = bit_ + 8 * taken;
  stream_.avail_in = 0;
  return Outcome::kGood;
}

void Bzip2Block::unpack() {
  if (!text_) text_ = std::make_unique_for_overwrite<char[]>(kPiece);
  stream_.next_out = text_.get();
  stream_.avail_out = kPiece;
  // Without input it ends where the block does, when it has compared the checksum.
  const int status = BZ2_bzDecompress(&stream_);
  text_size_ = kPiece - stream_.avail_out;
  if (status != BZ_OK) {
    text_size_ = 0;
    outcome_ = Outcome::kBadChecksum;
  }
  if (status != BZ_OK || stream_.avail_out > 0) close();
}

std::string_view Bzip2Block::next() {
  try {
    if (problem_) std::rethrow_exception(problem_);
  } catch (const std::bad_alloc&) {
    fail("{}: no memory is left to unpack it; close other programs", file_.name());
  }
  if (text_size_ == 0 && open_) unpack();
  return {text_.get(), std::exchange(text_size_, 0)};
}

}  // namespace cupel
