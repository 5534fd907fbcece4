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

NpzFile::NpzFile(const std::filesystem::path& path) : name_(path.string()) {
  std::error_code problem;
  if (!std::filesystem::is_directory(path, problem)) {
    archive_.emplace(path);
    return;
  }
  for (std::filesystem::directory_iterator at(path, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (at->path().extension() == kSuffix) files_.emplace(at->path().stem().string(), at->path());
  }
  if (problem)
    fail("{}: the folder cannot be read ({}); check its permissions", name_, problem.message());
}

void NpzFile::check_growth(const std::string& key) const {
  const ZipMember* const member = archive_ ? find(key) : nullptr;
  if (member == nullptr || member->size <= kFreeUnpacked) return;
  // What floats become in memory is little more than their bytes; small integers become more.
  const bool floats = header_of(key).type.kind == 'f';
  check_unpacked(where(key), member->size, member->packed_size,
                 "save the arrays with numpy.savez, which does not compress",
                 floats ? kFreeFloats : kFreeUnpacked);
}

NpyHeader NpzFile::header_of(const std::string& key) const {
  NpyHeader out;
  open(key, [&](std::uint64_t size, const ByteReader& read) {
    std::uint64_t left = 0;
    out = read_npy_header(where(key), size, read, left);
  });
  return out;
}

std::vector<std::string> NpzFile::keys() const {
  std::vector<std::string> out;
  for (const auto& entry : files_) out.push_back(entry.first);
  if (!archive_) return out;
  for (const ZipMember& member : archive_->members()) {
    std::string key = member.name;
    if (key.ends_with(kSuffix)) key.resize(key.size() - kSuffix.size());
    out.push_back(std::move(key));
  }
  return out;
}

const ZipMember* NpzFile::find(const std::string& key) const {
  const ZipMember* member = archive_->find(key + std::string(kSuffix));
  return member != nullptr ? member : archive_->find(key);
}

bool NpzFile::has(const std::string& key) const {
  return archive_ ? find(key) != nullptr : files_.contains(key);
}

std::string NpzFile::where(const std::string& key) const {
  if (const auto at = files_.find(key); at != files_.end()) return at->second.string();
  return fmt::format("{}: {} {}", name(), archive_ ? "member" : "array", in_quotes(key));
}

void NpzFile::open(const std::string& key,
                   const std::function<void(std::uint64_t, const ByteReader&)>& body) const {
  if (!has(key)) {
    fail("{} is missing; the {} has {}, add the missing one", where(key),
         archive_ ? "file" : "folder", quoted_list(keys()));
  }
  if (archive_) {
    const ZipMember& member = *find(key);
    ZipStream stream = archive_->open(member);
    return body(member.size, [&](void* out, std::size_t size) { stream.read(out, size); });
  }
  const InputFile file(files_.at(key));
  std::uint64_t at = 0;
  body(file.size(), [&](void* out, std::size_t size) {
    file.read(at, out, size);
    at += size;
  });
}

NpyArray NpzFile::read(const std::string& key) const {
  check_growth(key);
  NpyArray out;
  open(key,
       [&](std::uint64_t size, const ByteReader& read) { out = read_npy(where(key), size, read); });
  return out;
}

std::vector<Index> NpzFile::read_indices(const std::string& key, std::int64_t limit,
                                         const std::string& what) const {
  check_growth(key);
  std::vector<Index> out;
  open(key, [&](std::uint64_t size, const ByteReader& read) {
    out = read_npy_indices(where(key), size, read, limit, what);
  });
  return out;
}

bool NpzFile::holds_objects(const std::string& key) const {
  return header_of(key).type.kind == 'O';
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
