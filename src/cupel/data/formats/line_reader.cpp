#include "cupel/data/formats/line_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/file.h"

namespace cupel {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;  // read from disk at once, at most
constexpr std::size_t kLongestLine = std::size_t{1} << 24;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

struct LineReader::Impl {
  InputFile file;
  ReadProgress progress;
  Hasher hasher;
  std::string digest;
  std::uint64_t read = 0;  // bytes of the file
  bool packed = false, ended = false;

  z_stream inflater{};  // zlib keeps its address; Impl never moves
  bool in_member = false;
  std::vector<unsigned char> input;

  std::size_t block = 0;   // read at once
  std::vector<char> text;  // unpacked bytes not yet returned are [at, end)
  std::size_t at = 0, end = 0;
  std::uint64_t line = 0, text_bytes = 0;

  Impl(const std::filesystem::path& path, ReadProgress p) : file(path), progress(std::move(p)) {
    unsigned char magic[2] = {};
    if (file.size() >= sizeof magic) file.read(0, magic, sizeof magic);
    packed = magic[0] == 0x1f && magic[1] == 0x8b;
    // A small file needs no large memory.
    block = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(packed ? 16 * file.size() : file.size(), 4096, kBlock));
    text.resize(2 * block);
    if (!packed) return;
    input.resize(block);
    if (inflateInit2(&inflater, 16 + MAX_WBITS) != Z_OK) {
      fail("{}: no memory is left to unpack it; close other programs", file.name());
    }
    in_member = true;
  }
  ~Impl() {
    if (packed) inflateEnd(&inflater);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // The next bytes of the file; 0 at its end.
  std::size_t read_block(void* out, std::size_t most) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, file.size() - read));
    if (size == 0) return 0;
    file.read(read, out, size);
    hasher.bytes(out, size);
    read += size;
    if (progress) progress(read, file.size());
    return size;
  }

  std::size_t unpack(char* out, std::size_t most) {
    inflater.next_out = reinterpret_cast<unsigned char*>(out);
    inflater.avail_out = static_cast<uInt>(most);
    while (inflater.avail_out == most) {
      if (inflater.avail_in == 0) {
        inflater.next_in = input.data();
        inflater.avail_in = static_cast<uInt>(read_block(input.data(), input.size()));
        if (inflater.avail_in == 0) {
          if (!in_member) return 0;
          fail(
              "{}: ends in the middle of its compressed text, after line {}; the file is cut off, "
              "get it again",
              file.name(), line);
        }
      }
      if (!in_member) {
        inflateReset(&inflater);
        in_member = true;
      }
      const int status = inflate(&inflater, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        in_member = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail("{}: is not valid gzip after line {} ({}); the file is damaged, get it again",
             file.name(), line, inflater.msg ? inflater.msg : "bad data");
      }
    }
    return most - inflater.avail_out;
  }

  // Appends unpacked bytes to [at, end); false at the end of the file.
  bool refill() {
    if (ended) return false;
    if (at > 0) {
      std::memmove(text.data(), text.data() + at, end - at);
      end -= at;
      at = 0;
    }
    if (text.size() - end < block) text.resize(2 * text.size());
    const std::size_t got =
        packed ? unpack(text.data() + end, block) : read_block(text.data() + end, block);
    if (got == 0) {
      ended = true;
      digest = hasher.hex();
      return false;
    }
    end += got;
    text_bytes += got;
    if (packed) {
      check_unpacked(file.name(), text_bytes, read,
                     "unpack the file with gunzip and give it unpacked");
    }
    return true;
  }
};

LineReader::LineReader(const std::filesystem::path& path, ReadProgress progress)
    : impl_(std::make_unique<Impl>(path, std::move(progress))) {}
LineReader::~LineReader() = default;

bool LineReader::next(std::string_view& line) {
  Impl& s = *impl_;
  std::size_t searched = 0;  // of [at, end)
  while (true) {
    const char* from = s.text.data() + s.at;
    const auto* found =
        static_cast<const char*>(std::memchr(from + searched, '\n', s.end - s.at - searched));
    if (found || s.ended) {
      if (!found && s.at == s.end) return false;
      std::size_t size = found ? static_cast<std::size_t>(found - from) : s.end - s.at;
      s.at += size + (found ? 1 : 0);
      if (size > 0 && from[size - 1] == '\r') --size;
      line = {from, size};
      if (++s.line == 1 && line.starts_with(kByteOrderMark)) {
        line.remove_prefix(kByteOrderMark.size());
      }
      return true;
    }
    searched = s.end - s.at;
    if (searched > kLongestLine) {
      fail("{}: line {}: is longer than {} MiB; this is not a text file in this format", name(),
           s.line + 1, kLongestLine >> 20);
    }
    s.refill();
  }
}

const std::string& LineReader::name() const { return impl_->file.name(); }
std::uint64_t LineReader::line_number() const { return impl_->line; }
std::uint64_t LineReader::text_bytes() const { return impl_->text_bytes; }
std::uint64_t LineReader::file_bytes() const { return impl_->file.size(); }

void LineReader::fail_here(std::string_view message) const {
  fail("{}: line {}: {}", name(), line_number(), message);
}

const std::string& LineReader::sha256() const {
  if (!impl_->ended) throw std::logic_error("hash of a file that is not read to its end");
  return impl_->digest;
}

}  // namespace cupel
