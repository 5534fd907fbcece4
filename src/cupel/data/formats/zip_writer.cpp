#include "cupel/data/formats/zip_writer.h"

#include <zlib.h>

#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::uint64_t kMost = 0xfffffffe;  // 2^32 - 1 means zip64
constexpr std::uint16_t kVersion = 20, kDate1980 = (1 << 5) | 1;
constexpr std::uint16_t kUtf8Name = 1 << 11;
constexpr int kLevel = 6;

class Record {
 public:
  Record& u16(std::uint64_t value) { return put(value, 2); }
  Record& u32(std::uint64_t value) { return put(value, 4); }
  Record& text(const std::string& value) {
    bytes_ += value;
    return *this;
  }
  void write_to(OutputFile& file) const { file.write(bytes_.data(), bytes_.size()); }

 private:
  Record& put(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  std::string bytes_;
};

// Empty if the result would not be smaller than the content.
std::vector<unsigned char> deflated(std::span<const std::byte> content) {
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    fail("no memory is left to pack {} bytes; close other programs", content.size());
  }
  std::vector<unsigned char> out(content.size());
  stream.next_in =
      const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(status == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

}  // namespace

ZipWriter::ZipWriter(const std::filesystem::path& path) : name_(path.string()), file_(path) {}

void ZipWriter::add(const std::string& name, std::span<const std::byte> content, bool deflate) {
  for (const Entry& entry : entries_) {
    if (entry.name == name) throw std::logic_error("zip member written twice: " + name);
  }
  if (content.size() > kMost || name.size() > 0xffff || entries_.size() == 0xfffe) {
    fail("{}: member {} of {} bytes is more than this writer can hold (4 GiB); divide it", name_,
         in_quotes(name), content.size());
  }
  const std::vector<unsigned char> packed =
      deflate ? deflated(content) : std::vector<unsigned char>();
  const bool use_packed = !packed.empty();
  Entry entry{name, static_cast<std::uint16_t>(use_packed ? 8 : 0)};
  entry.crc = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(content.data()), content.size()));
  entry.size = static_cast<std::uint32_t>(content.size());
  entry.packed_size = use_packed ? static_cast<std::uint32_t>(packed.size()) : entry.size;
  entry.offset = static_cast<std::uint32_t>(file_.written());
  Record()
      .u32(0x04034b50)
      .u16(kVersion)
      .u16(kUtf8Name)
      .u16(entry.method)
      .u16(0)
      .u16(kDate1980)
      .u32(entry.crc)
      .u32(entry.packed_size)
      .u32(entry.size)
      .u16(name.size())
      .u16(0)
      .text(name)
      .write_to(file_);
  if (use_packed) {
    file_.write(packed.data(), packed.size());
  } else {
    file_.write(content.data(), content.size());
  }
  if (file_.written() > kMost) {
    fail("{}: grows beyond 4 GiB with member {}; divide the data", name_, in_quotes(name));
  }
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const std::uint64_t start = file_.written();
  for (const Entry& entry : entries_) {
    Record()
        .u32(0x02014b50)
        .u16(kVersion)
        .u16(kVersion)
        .u16(kUtf8Name)
        .u16(entry.method)
        .u16(0)
        .u16(kDate1980)
        .u32(entry.crc)
        .u32(entry.packed_size)
        .u32(entry.size)
        .u16(entry.name.size())
        .u16(0)
        .u16(0)
        .u16(0)
        .u16(0)
        .u32(0)
        .u32(entry.offset)
        .text(entry.name)
        .write_to(file_);
  }
  const std::uint64_t size = file_.written() - start;
  if (start + size > kMost) fail("{}: grows beyond 4 GiB; divide the data", name_);
  Record()
      .u32(0x06054b50)
      .u16(0)
      .u16(0)
      .u16(entries_.size())
      .u16(entries_.size())
      .u32(size)
      .u32(start)
      .u16(0)
      .write_to(file_);
  file_.commit();
}

}  // namespace cupel
