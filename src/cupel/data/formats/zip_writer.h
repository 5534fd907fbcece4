// Writing zip archives whose bytes depend on their content alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/formats/file.h"

namespace cupel {

// Members in the order of add(), all dated 1980-01-01. The file appears at `path`, whole, with
// finish(); without it nothing is left behind. Members and archive stay below 4 GiB (Error beyond).
class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& path);

  // Deflated unless that would be larger. Requires a name not yet used.
  void add(const std::string& name, std::span<const std::byte> content, bool deflate = true);
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint16_t method = 0;
    std::uint32_t crc = 0, packed_size = 0, size = 0, offset = 0;
  };

  std::string name_;
  OutputFile file_;
  std::vector<Entry> entries_;
};

}  // namespace cupel
