// The inflating half of zip.h.
#include <zlib.h>

#include <algorithm>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/zip.h"

namespace cupel {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;  // still in cache when the CRC reads it

}  // namespace

struct ZipStream::Impl {
  const InputFile& file;
  const ZipMember& member;
  std::uint64_t packed_done = 0, done = 0;
  uLong crc = 0;
  z_stream inflater{};  // zlib keeps its address, so Impl never moves
  std::vector<unsigned char> packed;

  Impl(const InputFile& f, const ZipMember& m) : file(f), member(m) {
    if (!deflated()) return;
    packed.resize(std::clamp<std::uint64_t>(m.packed_size, 1, 1 << 17));
    if (inflateInit2(&inflater, -MAX_WBITS) != Z_OK) {
      fail("{}: no memory is left to unpack member {}; close other programs", f.name(),
           in_quotes(m.name));
    }
  }
  ~Impl() {
    if (deflated()) inflateEnd(&inflater);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool deflated() const { return member.method == 8; }

  [[noreturn]] void damaged(std::string_view what) const {
    fail("{}: member {} {}; the file is damaged, get it again", file.name(), in_quotes(member.name),
         what);
  }

  void refill() {
    if (inflater.avail_in > 0) return;
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(packed.size(), member.packed_size - packed_done));
    file.read(member.data_offset + packed_done, packed.data(), size);
    packed_done += size;
    inflater.next_in = packed.data();
    inflater.avail_in = static_cast<uInt>(size);
  }

  // Unpacks `size` bytes; afterwards, if the member is complete, checks that its stream is too.
  void inflate_exactly(unsigned char* out, std::size_t size) {
    inflater.next_out = out;
    inflater.avail_out = static_cast<uInt>(size);
    int status = Z_OK;
    while (inflater.avail_out > 0 && status == Z_OK) {
      refill();
      status = inflate(&inflater, Z_NO_FLUSH);
    }
    if (inflater.avail_out > 0) {
      if (status == Z_STREAM_END || status == Z_BUF_ERROR) {
        damaged(fmt::format("unpacks to {} bytes where the archive claims {}",
                            done + size - inflater.avail_out, member.size));
      }
      damaged("is not a valid deflate stream");
    }
    if (done + size == member.size && status != Z_STREAM_END) expect_end();
  }

  // The end code may lie behind the last byte; more data may not.
  void expect_end() {
    unsigned char beyond;
    inflater.next_out = &beyond;
    inflater.avail_out = 1;
    int status = Z_OK;
    while (status == Z_OK && inflater.avail_out > 0) {
      refill();
      status = inflate(&inflater, Z_NO_FLUSH);  // also without input: zlib holds bytes back
    }
    if (inflater.avail_out == 0) {
      damaged(
          fmt::format("unpacks to more than the {} bytes that the archive claims", member.size));
    }
    if (status != Z_STREAM_END) damaged("is cut off before the end of its deflate stream");
  }
};

ZipStream::ZipStream(const InputFile& file, const ZipMember& member)
    : impl_(std::make_unique<Impl>(file, member)) {}
ZipStream::~ZipStream() = default;
ZipStream::ZipStream(ZipStream&&) noexcept = default;

std::uint64_t ZipStream::remaining() const { return impl_->member.size - impl_->done; }

void ZipStream::read(void* out, std::size_t size) {
  Impl& s = *impl_;
  if (size > remaining()) throw std::logic_error("read past the end of a zip member");
  auto* to = static_cast<unsigned char*>(out);
  while (size > 0) {
    const std::size_t piece = std::min(size, kPiece);
    if (s.deflated()) {
      s.inflate_exactly(to, piece);
    } else {
      s.file.read(s.member.data_offset + s.done, to, piece);
    }
    s.crc = crc32_z(s.crc, to, piece);
    s.done += piece;
    to += piece;
    size -= piece;
    if (s.done == s.member.size && s.crc != s.member.crc) {
      s.damaged(
          fmt::format("has checksum {:08x} where the archive says {:08x}", s.crc, s.member.crc));
    }
  }
}

}  // namespace cupel
