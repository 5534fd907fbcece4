// .npz files: zip archives of .npy members, as numpy.savez and numpy.savez_compressed write them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/formats/npy.h"
#include "cupel/data/formats/zip.h"

namespace cupel {

struct NpyHeader;

// Members go by their key, without ".npy". Nothing but the directory is read before read().
// Immutable; many threads may read members. Errors name file and member.
class NpzFile {
 public:
  explicit NpzFile(const std::filesystem::path& path);

  const std::string& name() const { return archive_.name(); }
  std::vector<std::string> keys() const;
  bool has(const std::string& key) const;
  // Throws Error if the key is absent (naming those present), the member is damaged, or it unpacks
  // to too much (claims.h).
  NpyArray read(const std::string& key) const;
  // Whether the member holds pickled Python objects, which read() refuses.
  bool holds_objects(const std::string& key) const;
  // "FILE: member 'KEY'", as messages begin.
  std::string where(const std::string& key) const;

 private:
  const ZipMember* find(const std::string& key) const;
  const ZipMember& demand(const std::string& key) const;
  NpyHeader header_of(const std::string& key, const ZipMember& member) const;
  void check_growth(const std::string& key, const ZipMember& member) const;

  ZipArchive archive_;
};

// Deterministic bytes; temporary file, then rename.
void write_npz(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, NpyArray>>& members, bool deflate = true);

}  // namespace cupel
