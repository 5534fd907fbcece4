// Content hashes: SHA-256 over bytes and over typed fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cupel {

// Incremental SHA-256. Not thread-safe; use one per thread.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& bytes(const void* data, std::size_t size);
  // Fields are length-prefixed, so ("ab","c") and ("a","bc") differ.
  Hasher& field(std::string_view text);
  Hasher& field(std::int64_t number);
  template <class T>
  Hasher& array(std::span<const T> values) {
    field(static_cast<std::int64_t>(values.size()));
    return bytes(values.data(), values.size_bytes());
  }
  // 64 lower-case hexadecimal digits. Ends the hasher.
  [[nodiscard]] std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);
// Throws Error if the file cannot be read.
[[nodiscard]] std::string sha256_file(const std::filesystem::path& path);

}  // namespace cupel
