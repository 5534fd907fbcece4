#include "cupel/data/formats/npz.h"

#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/npy_header.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/zip_writer.h"

namespace cupel {
namespace {

constexpr std::string_view kSuffix = ".npy";

}  // namespace

NpzFile::NpzFile(const std::filesystem::path& path) : archive_(path) {}

void NpzFile::check_growth(const std::string& key, const ZipMember& member) const {
  if (member.size <= kFreeUnpacked) return;
  // What floats become in memory is little more than their bytes; small integers become more.
  const bool floats = header_of(key, member).type.kind == 'f';
  check_unpacked(where(key), member.size, member.packed_size,
                 "save the arrays with numpy.savez, which does not compress",
                 floats ? kFreeFloats : kFreeUnpacked);
}

NpyHeader NpzFile::header_of(const std::string& key, const ZipMember& member) const {
  ZipStream stream = archive_.open(member);
  std::uint64_t left = 0;
  const auto read = [&](void* out, std::size_t size) { stream.read(out, size); };
  return read_npy_header(where(key), member.size, read, left);
}

std::vector<std::string> NpzFile::keys() const {
  std::vector<std::string> out;
  for (const ZipMember& member : archive_.members()) {
    std::string key = member.name;
    if (key.ends_with(kSuffix)) key.resize(key.size() - kSuffix.size());
    out.push_back(std::move(key));
  }
  return out;
}

const ZipMember* NpzFile::find(const std::string& key) const {
  const ZipMember* member = archive_.find(key + std::string(kSuffix));
  return member != nullptr ? member : archive_.find(key);
}

bool NpzFile::has(const std::string& key) const { return find(key) != nullptr; }

std::string NpzFile::where(const std::string& key) const {
  return fmt::format("{}: member {}", name(), in_quotes(key));
}

const ZipMember& NpzFile::demand(const std::string& key) const {
  const ZipMember* member = find(key);
  if (member == nullptr) {
    fail("{} is missing; the file has {}, add the missing one", where(key), quoted_list(keys()));
  }
  return *member;
}

NpyArray NpzFile::read(const std::string& key) const {
  const ZipMember& member = demand(key);
  check_growth(key, member);
  ZipStream stream = archive_.open(member);
  return read_npy(where(key), member.size,
                  [&](void* out, std::size_t size) { stream.read(out, size); });
}

bool NpzFile::holds_objects(const std::string& key) const {
  return header_of(key, demand(key)).type.kind == 'O';
}

void write_npz(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, NpyArray>>& members, bool deflate) {
  ZipWriter writer(path);
  for (const auto& [key, array] : members) {
    writer.add(key + std::string(kSuffix), npy_bytes(array), deflate);
  }
  writer.finish();
}

}  // namespace cupel
