// .npz files: zip archives of .npy members, as numpy.savez and numpy.savez_compressed write them;
// or what unpacking one gives, a folder of .npy files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/formats/npy.h"
#include "cupel/data/formats/zip.h"

namespace cupel {

struct NpyHeader;

// Members go by their key, without ".npy". Nothing but the directory is read before read(). A
// folder may hold other files too. Immutable; many threads may read members. Errors name file and
// member.
class NpzFile {
 public:
  explicit NpzFile(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  bool is_folder() const { return !archive_; }
  std::vector<std::string> keys() const;
  bool has(const std::string& key) const;
  // Throws Error if the key is absent (naming those present), the member is damaged, or it unpacks
  // to too much (claims.h).
  NpyArray read(const std::string& key) const;
  // to_indices() of a member of one axis, without holding it twice.
  std::vector<Index> read_indices(const std::string& key, std::int64_t limit,
                                  const std::string& what) const;
  // Whether the member holds pickled Python objects, which read() refuses.
  bool holds_objects(const std::string& key) const;
  // "FILE: member 'KEY'", or the path of a file, as messages begin.
  std::string where(const std::string& key) const;

 private:
  const ZipMember* find(const std::string& key) const;
  // Calls body(bytes of the member, what reads them in order).
  void open(const std::string& key,
            const std::function<void(std::uint64_t, const ByteReader&)>& body) const;
  NpyHeader header_of(const std::string& key) const;
  void check_growth(const std::string& key) const;

  std::string name_;
  std::optional<ZipArchive> archive_;                   // none: a folder
  std::map<std::string, std::filesystem::path> files_;  // of a folder, by key
};

// Deterministic bytes; temporary file, then rename.
void write_npz(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, NpyArray>>& members, bool deflate = true);

}  // namespace cupel
