// The text files of a set of graphs (tu_dataset.h): where they lie, and their content in big blocks
// of whole lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/zip.h"

namespace cupel {

// A text in blocks of whole lines. A byte-order mark at its start is skipped. Memory: one block and
// the longest line, which may have 16 MiB. Not thread-safe; errors name the file.
class LineBlocks {
 public:
  // Puts up to `most` bytes where it is told, and says how many; 0 at the end.
  using Source = std::function<std::size_t(char* out, std::size_t most)>;

  LineBlocks(std::string name, std::uint64_t bytes, Source source);

  // The next block, valid until the next call. It ends with a line feed, which is added where the
  // last line has none: whoever looks for the end of a number needs no other bound. False at the
  // end.
  bool next(std::string_view& block);

  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return bytes_; }    // of the whole text, as its file claims
  std::uint64_t passed() const { return passed_; }  // of the blocks handed out
  // Throws Error "FILE: line N: MESSAGE".
  [[noreturn]] void fail_at(std::uint64_t line, std::string_view message) const;

 private:
  std::string name_;
  std::uint64_t bytes_, passed_ = 0;
  Source source_;
  std::vector<char> buffer_;
  std::size_t start_ = 0, end_ = 0;  // bytes not yet handed out
  bool first_ = true, ended_ = false;
};

// The files PREFIX_*.txt in a folder, or in a zip archive, at any depth there.
class TuFiles {
 public:
  // The files of the folder (or of its subfolder raw/, as PyTorch Geometric lays them out), else of
  // the one zip archive in it that has such files. Nothing if there are none; throws Error if
  // there are two sets.
  [[nodiscard]] static std::optional<TuFiles> in_folder(const std::filesystem::path& folder);
  [[nodiscard]] static std::optional<TuFiles> in_zip(const std::filesystem::path& path);

  const std::string& prefix() const { return prefix_; }
  // "data/MUTAG/MUTAG_A.txt", or "data/BACE.zip: BACE/BACE_A.txt", whether there or not.
  [[nodiscard]] std::string name(const std::string& ending) const;
  // Nothing if there is no such file.
  [[nodiscard]] std::optional<LineBlocks> find(const std::string& ending) const;
  // Throws Error if there is none.
  [[nodiscard]] LineBlocks open(const std::string& ending) const;
  // A file of a user's own: in the archive, else in the folder.
  [[nodiscard]] std::optional<LineBlocks> find_beside(const std::string& ending) const;

 private:
  [[nodiscard]] std::optional<LineBlocks> find_in_folder(const std::string& ending) const;

  std::filesystem::path folder_;         // of the files, or of the archive
  std::shared_ptr<ZipArchive> archive_;  // null for a folder
  std::string inside_;                   // folder within the archive, "" or ending in '/'
  std::string prefix_;
};

}  // namespace cupel
