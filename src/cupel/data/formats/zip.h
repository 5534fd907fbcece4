// Reading zip archives (APPNOTE 6.3: stored and deflated members, zip64), written for hostile
// input.
//
// The central directory is the only source of sizes and positions. Nothing is allocated from a size
// that the archive merely claims: members are streams, a deflated member may not claim more than
// deflate can produce from its packed bytes, members may not overlap each other or the directory,
// and every CRC is verified. Every defect is an Error that names the archive, the member and the
// value.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/file.h"

namespace cupel {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0, method = 0;  // method 0 stored, 8 deflated
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0, size = 0;
  std::uint64_t data_offset = 0;
};

// The bytes of one member, in order. Not thread-safe; the archive must outlive it.
class ZipStream {
 public:
  ZipStream(const InputFile& file, const ZipMember& member);
  ~ZipStream();
  ZipStream(ZipStream&&) noexcept;

  std::uint64_t remaining() const;
  // Exactly `size` bytes. Reading the last one verifies the end of the stream and the CRC.
  void read(void* out, std::size_t size);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Immutable after construction; many threads may open members.
class ZipArchive {
 public:
  explicit ZipArchive(const std::filesystem::path& path);

  const std::string& name() const { return file_.name(); }
  // In the order of the directory; names are distinct.
  const std::vector<ZipMember>& members() const { return members_; }
  // nullptr if there is none.
  const ZipMember* find(std::string_view name) const;
  // Throws Error for encryption, an unsupported method, or a size that cannot be true.
  ZipStream open(const ZipMember& member) const;

 private:
  void read_directory();
  void locate_members(std::uint64_t directory_offset);

  InputFile file_;
  std::vector<ZipMember> members_;
};

}  // namespace cupel
