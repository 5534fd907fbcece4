#include "cupel/data/formats/zip.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50, kEntrySignature = 0x02014b50,
                        kEndSignature = 0x06054b50, kEnd64Signature = 0x06064b50,
                        kEnd64LocatorSignature = 0x07064b50;
constexpr std::size_t kLocalSize = 30, kEntrySize = 46, kEndSize = 22, kEnd64Size = 56,
                      kEnd64LocatorSize = 20, kLongestComment = 0xffff;
constexpr std::uint32_t kIn64 = 0xffffffff;  // "look in the zip64 field"
constexpr std::uint16_t kIn64Short = 0xffff;
constexpr std::uint16_t kZip64Field = 0x0001;
constexpr std::uint16_t kEncrypted = 1u << 0, kMasked = 1u << 13;
// The shortest code of deflate spends two bits on 258 bytes.
constexpr std::uint64_t kDeflateRatio = 1032;

template <class T>
T little(const unsigned char* at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(T{at[i]} << (8 * i));
  return value;
}
std::uint16_t u16(const unsigned char* at) { return little<std::uint16_t>(at); }
std::uint32_t u32(const unsigned char* at) { return little<std::uint32_t>(at); }
std::uint64_t u64(const unsigned char* at) { return little<std::uint64_t>(at); }

[[noreturn]] void broken(const std::string& archive, std::string_view what) {
  fail("{}: {}; the file is cut off or not a zip archive, get it again", archive, what);
}

struct End {
  std::uint64_t position = 0;  // where the directory must end
  std::uint64_t entries = 0, directory_size = 0, directory_offset = 0;
};

// PyTorch writes a zip64 end record whatever the size.
bool has_end64(const InputFile& file, std::uint64_t end_position) {
  if (end_position < kEnd64LocatorSize) return false;
  unsigned char signature[4];
  file.read(end_position - kEnd64LocatorSize, signature, sizeof signature);
  return u32(signature) == kEnd64LocatorSignature;
}

// The zip64 record that replaces fields of the end record which are too small.
void read_end64(const InputFile& file, std::uint64_t end_position, End& end) {
  unsigned char locator[kEnd64LocatorSize], record[kEnd64Size];
  if (end_position < kEnd64LocatorSize) broken(file.name(), "the zip64 end record is missing");
  file.read(end_position - kEnd64LocatorSize, locator, sizeof locator);
  if (u32(locator) != kEnd64LocatorSignature) {
    broken(file.name(), "the zip64 end record is missing");
  }
  const std::uint64_t position = u64(locator + 8);
  if (end_position < kEnd64LocatorSize + kEnd64Size ||
      position > end_position - kEnd64LocatorSize - kEnd64Size) {
    broken(file.name(), fmt::format("the zip64 end record is said to be at {}", position));
  }
  file.read(position, record, sizeof record);
  if (u32(record) != kEnd64Signature) broken(file.name(), "the zip64 end record is damaged");
  if (u32(record + 16) != 0 || u32(record + 20) != 0 || u64(record + 24) != u64(record + 32)) {
    fail("{}: is one part of a divided archive; join the parts first", file.name());
  }
  end = {position, u64(record + 32), u64(record + 40), u64(record + 48)};
}

End find_end(const InputFile& file) {
  if (file.size() < kEndSize) {
    broken(file.name(), fmt::format("has only {} bytes", file.size()));
  }
  const std::uint64_t tail_size = std::min<std::uint64_t>(file.size(), kEndSize + kLongestComment);
  std::vector<unsigned char> tail(tail_size);
  file.read(file.size() - tail_size, tail.data(), tail.size());
  for (std::size_t back = kEndSize; back <= tail.size(); ++back) {
    const unsigned char* at = tail.data() + tail.size() - back;
    // The comment of the true record reaches exactly to the end of the file.
    if (u32(at) != kEndSignature || kEndSize + u16(at + 20) != back) continue;
    const std::uint64_t position = file.size() - back;
    End end{position, u16(at + 10), u32(at + 12), u32(at + 16)};
    if (end.entries == kIn64Short || end.directory_size == kIn64 || end.directory_offset == kIn64) {
      read_end64(file, position, end);
    } else if (u16(at + 4) != 0 || u16(at + 6) != 0 || u16(at + 8) != u16(at + 10)) {
      fail("{}: is one part of a divided archive; join the parts first", file.name());
    } else if (has_end64(file, position)) {
      const End said = end;
      read_end64(file, position, end);
      if (end.entries != said.entries || end.directory_size != said.directory_size ||
          end.directory_offset != said.directory_offset)
        broken(file.name(), "its two end records contradict each other");
    }
    if (end.directory_size > end.position ||
        end.directory_offset != end.position - end.directory_size) {
      broken(file.name(),
             fmt::format("the directory is said to have {} bytes at {}, which is not where the "
                         "archive ends",
                         end.directory_size, end.directory_offset));
    }
    return end;
  }
  broken(file.name(), "has no end record of a zip archive");
}

// Replaces the fields of `member` that are marked by the zip64 field of its directory entry.
void read_zip64_field(const unsigned char* extra, std::size_t size, ZipMember& member) {
  std::uint64_t* fields[] = {&member.size, &member.packed_size, &member.data_offset};
  if (std::ranges::none_of(fields, [](const auto* f) { return *f == kIn64; })) return;
  while (size >= 4) {
    const std::uint16_t id = u16(extra), length = u16(extra + 2);
    if (length > size - 4) break;
    if (id == kZip64Field) {
      const unsigned char *at = extra + 4, *end = at + length;
      for (std::uint64_t* field : fields) {
        if (*field != kIn64) continue;
        if (end - at < 8) break;
        *field = u64(at);
        at += 8;
      }
      return;
    }
    extra += 4 + length;
    size -= 4u + length;
  }
}

std::string method_name(std::uint16_t method) {
  switch (method) {
    case 9:
      return "deflate64";
    case 12:
      return "bzip2";
    case 14:
      return "lzma";
    case 93:
      return "zstd";
    case 95:
      return "xz";
    default:
      return fmt::format("number {}", method);
  }
}

}  // namespace

ZipArchive::ZipArchive(const std::filesystem::path& path) : file_(path) { read_directory(); }

void ZipArchive::read_directory() {
  const End end = find_end(file_);
  // Bounded by the file's real size: find_end has checked that the directory lies inside.
  if (end.entries > end.directory_size / kEntrySize) {
    broken(name(), fmt::format("claims {} members in a directory of {} bytes", end.entries,
                               end.directory_size));
  }
  std::vector<unsigned char> directory(end.directory_size);
  file_.read(end.directory_offset, directory.data(), directory.size());

  std::unordered_set<std::string_view> names;
  members_.reserve(end.entries);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < end.entries; ++i) {
    const unsigned char* entry = directory.data() + at;
    const std::size_t left = directory.size() - at;
    if (left < kEntrySize || u32(entry) != kEntrySignature) {
      broken(name(), fmt::format("directory entry {} of {} is damaged", i + 1, end.entries));
    }
    const std::size_t name_size = u16(entry + 28), extra_size = u16(entry + 30),
                      comment_size = u16(entry + 32);
    if (left < kEntrySize + name_size + extra_size + comment_size) {
      broken(name(), fmt::format("directory entry {} of {} is cut off", i + 1, end.entries));
    }
    ZipMember member;
    member.name.assign(reinterpret_cast<const char*>(entry + kEntrySize), name_size);
    member.flags = u16(entry + 8);
    member.method = u16(entry + 10);
    member.crc = u32(entry + 16);
    member.packed_size = u32(entry + 20);
    member.size = u32(entry + 24);
    member.data_offset = u32(entry + 42);  // of the local header, until it is read
    read_zip64_field(entry + kEntrySize + name_size, extra_size, member);
    members_.push_back(std::move(member));
    if (!names.insert(members_.back().name).second) {
      fail("{}: holds member {} twice; write the archive again", name(),
           in_quotes(members_.back().name));
    }
    at += kEntrySize + name_size + extra_size + comment_size;
  }
  locate_members(end.directory_offset);
}

void ZipArchive::locate_members(std::uint64_t directory_offset) {
  std::vector<std::size_t> by_offset(members_.size());
  std::iota(by_offset.begin(), by_offset.end(), std::size_t{0});
  std::ranges::sort(by_offset, {}, [&](std::size_t i) { return members_[i].data_offset; });
  std::uint64_t free_from = 0;
  for (const std::size_t i : by_offset) {
    ZipMember& member = members_[i];
    const std::uint64_t offset = member.data_offset;
    if (offset < free_from) {
      broken(name(), fmt::format("member {} overlaps another one", in_quotes(member.name)));
    }
    if (offset > directory_offset || directory_offset - offset < kLocalSize) {
      broken(name(), fmt::format("member {} is said to be at {}, outside the archive",
                                 in_quotes(member.name), offset));
    }
    unsigned char local[kLocalSize];
    file_.read(offset, local, sizeof local);
    const std::uint64_t room = directory_offset - offset - kLocalSize;
    const std::uint64_t name_size = u16(local + 26), extra_size = u16(local + 28);
    if (u32(local) != kLocalSignature || name_size != member.name.size() ||
        name_size + extra_size > room) {
      broken(name(), fmt::format("the header of member {} is damaged", in_quotes(member.name)));
    }
    std::string local_name(name_size, '\0');
    file_.read(offset + kLocalSize, local_name.data(), name_size);
    if (local_name != member.name) {
      broken(name(), fmt::format("the directory calls a member {} that calls itself {}",
                                 in_quotes(member.name), in_quotes(local_name)));
    }
    if (member.packed_size > room - name_size - extra_size) {
      broken(name(), fmt::format("member {} claims {} bytes, more than the archive has",
                                 in_quotes(member.name), member.packed_size));
    }
    member.data_offset = offset + kLocalSize + name_size + extra_size;
    free_from = member.data_offset + member.packed_size;
  }
}

const ZipMember* ZipArchive::find(std::string_view wanted) const {
  const auto at = std::ranges::find(members_, wanted, &ZipMember::name);
  return at == members_.end() ? nullptr : &*at;
}

ZipStream ZipArchive::open(const ZipMember& member) const {
  if (member.flags & (kEncrypted | kMasked)) {
    fail("{}: member {} is encrypted; write the archive without a password", name(),
         in_quotes(member.name));
  }
  if (member.method != 0 && member.method != 8) {
    fail("{}: member {} is packed with {}; write it stored or deflated, as numpy.savez does",
         name(), in_quotes(member.name), method_name(member.method));
  }
  const bool possible = member.method == 0 ? member.size == member.packed_size
                                           : member.size / kDeflateRatio <= member.packed_size;
  if (!possible) {
    fail(
        "{}: member {} claims {} bytes, which its {} packed bytes cannot hold; the file is "
        "damaged, "
        "get it again",
        name(), in_quotes(member.name), member.size, member.packed_size);
  }
  return ZipStream(file_, member);
}

}  // namespace cupel
